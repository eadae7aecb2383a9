const QUOTE = String.raw`(?:[\s"']|&quot;|&#39;){0,20}`;
/** Bounded on every side: a mail may be large, and may be made to be read slowly. */
const ELSEWHERE = new RegExp(
  String.raw`(?:\b(?:src|srcset|background|poster)\s{0,20}=|\burl\(|@import\b)${QUOTE}` +
    String.raw`((?:https?:)?//[^\s"'<>()&]{1,2000})`,
  'gi',
);

/**
 * How many things a mail would fetch from elsewhere if it could, each counted once. For people to read ("4 remote
 * images are not shown"): it is an estimate by the text, and nothing is decided by it.
 */
export const countRemoteImages = (html: string | null | undefined): number =>
  new Set([...(html ?? '').matchAll(ELSEWHERE)].map(([, address]) => address)).size;
