/** An image that travels with its mail; its html shows it as `cid:…`. */
export interface MailImage {
  readonly contentId: string;
  readonly contentType: string;
  readonly contentBase64: string;
}

/** One image may be named any number of times, and each becomes a copy; what does not fit stays unseen. */
const MOST_INLINED_CHARACTERS = 24 * 1024 * 1024;

/**
 * Links open elsewhere, which the sandbox forbids: a click does nothing, and the address still shows on hover.
 * Without it a click would replace the mail by the browser's page about what is blocked.
 */
const OPENING = '<!doctype html><base target="_blank">';

/**
 * What connects although the policy forbids to fetch: `<link rel=preconnect>` is no fetch, and a frame, or a link that
 * opens in the frame itself, is looked up and greeted by Chromium before it asks the policy.
 *
 * The name of a tag or an attribute has one spelling in HTML, case apart: no entity or comment can stand in it. So what
 * is replaced here can't come back, whatever else the text does; that is why no parser is needed. What takes the place
 * means nothing, and is read by the same rules, so that the rest of the mail stays as it is.
 */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/<(?:link|meta|base|frame)(?=[\s/>]|$)/gi, '<basefont'],
  [/<(\/?)iframe(?=[\s/>]|$)/gi, '<$1noembed'],
  // Links in there heed no base; mail programs show neither.
  [/<(\/?)(?:svg|math)(?=[\s/>]|$)/gi, '<$1template'],
  // Nobody sees the joiner in a sentence about a target.
  [/(?<=[\s"'/])target(?=[\s=/>])/gi, 'targ\u2060et'],
];

const IMAGE_TYPE = /^image\/[\w.+-]{1,100}$/i;
/** In an attribute or in `url(…)`; a `cid:` that somebody writes about is left alone. */
const IMAGE_REFERENCE = /(?<=[="'(;]\s{0,9})cid:([^\s"'()<>&\\]{1,1000})/gi;

/** The mail's own html as a document for a frame. It is as hostile as it came: only the policy makes it harmless. */
export function previewDocument(html: string, images: readonly MailImage[]): string {
  const known = new Map(images.map((image) => [image.contentId, image]));
  let room = MOST_INLINED_CHARACTERS;
  const harmless = REPLACEMENTS.reduce((text, [what, by]) => text.replace(what, by), html);
  const body = harmless.replace(IMAGE_REFERENCE, (reference, id: string) => {
    const image = known.get(decoded(id)) ?? known.get(id);
    if (!image || !IMAGE_TYPE.test(image.contentType)) return reference;
    room -= image.contentBase64.length;
    return room < 0 ? reference : `data:${image.contentType};base64,${image.contentBase64}`;
  });
  return OPENING + body;
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
