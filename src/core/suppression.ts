import type { Lane } from './message.js';

export const SUPPRESSION_REASONS = [
  'hard_bounce',
  'soft_bounces',
  'complaint',
  'unsubscribed',
  'manual',
] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** Why an address is not written to. */
export interface Suppression {
  /** In its canonical form. */
  readonly address: string;
  readonly reason: SuppressionReason;
  /** In which lanes; null: in all. */
  readonly lanes: readonly Lane[] | null;
  readonly createdAt: number;
  /** The message that taught us. */
  readonly messageId: number | null;
  /** What was said: "asked by letter". */
  readonly note: string | null;
  /** Who did it; null: nobody, it came of a mail. */
  readonly actor: string | null;
}

/** What of a message decides whether a suppression stands in its way. */
export interface Errand {
  readonly lane: Lane;
  readonly transactional: boolean;
}

/**
 * Whether an address that is suppressed so may not get this mail. A transactional one also goes to someone who
 * unsubscribed, but never to an address that bounced or complained. `store/suppressed.ts` says the same in SQL.
 */
export const forbids = (
  { reason, lanes }: Pick<Suppression, 'reason' | 'lanes'>,
  { lane, transactional }: Errand,
): boolean => (lanes === null || lanes.includes(lane)) && !(reason === 'unsubscribed' && transactional);

const GRAVITY: Record<SuppressionReason, number> = {
  unsubscribed: 0,
  manual: 1,
  soft_bounces: 1,
  hard_bounce: 1,
  complaint: 2,
};

/**
 * What holds for an address that was suppressed before: the first reason, because it is the one that people ask
 * about, unless the new one is graver; in the lanes of both.
 */
export function suppressedAgain(known: Suppression, added: Suppression): Suppression {
  const lanes =
    known.lanes === null || added.lanes === null ? null : [...new Set([...known.lanes, ...added.lanes])];
  return { ...(GRAVITY[added.reason] > GRAVITY[known.reason] ? added : known), lanes };
}

/** So many are suppressed by one call; whoever has more calls again. */
export const MOST_AT_ONCE = 1_000;
