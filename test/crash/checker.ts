import { grouped, type Place, type Registered } from './census.js';

/**
 * What is known after a run. A mail is known by its recipient: each test writes to everybody once, so that two
 * messages for one mail are as visible as two dots for one message.
 */
export interface Evidence {
  /** Recipients of the mails whose enqueue was answered. */
  readonly accepted: readonly string[];
  /** Recipients whose cancellation was answered "yes". */
  readonly cancelled?: readonly string[];
  /** One a dot. */
  readonly delivered: readonly { readonly to: string }[];
  readonly registered: readonly Registered[];
  /** The database's clock when it was read. */
  readonly now: number;
}

/** The account of a run, in the words of those who test databases. Every list is of recipients. */
export interface Verdict {
  readonly accepted: number;
  readonly dots: number;
  readonly delivered: number;
  /** Accepted and not delivered, although nothing says that it waits, is held, or was ended on purpose. */
  readonly lost: readonly string[];
  /** Delivered more often than its policy and the doubts in its history allow. */
  readonly duplicated: readonly string[];
  /** Delivered although the database says that it never left. */
  readonly contradicted: readonly string[];
  /** Delivered although its cancellation was answered "yes". */
  readonly sentThoughCancelled: readonly string[];
  /** Still in flight, or due and not taken. */
  readonly stuck: readonly string[];
  /** In two places of the queue, or in none. */
  readonly misplaced: readonly string[];
  /** Declared: with an `in_doubt` in its history, also if that was resolved. */
  readonly inDoubt: readonly string[];
  /** Delivered twice, as `resend` may once after a doubt. */
  readonly declaredTwice: readonly string[];
  readonly states: Readonly<Record<string, number>>;
}

const VIOLATIONS = [
  'lost',
  'duplicated',
  'contradicted',
  'sentThoughCancelled',
  'stuck',
  'misplaced',
] as const;
export type Violation = (typeof VIOLATIONS)[number];

export function check({ accepted, cancelled = [], delivered, registered, now }: Evidence): Verdict {
  const messagesTo = grouped(registered, ({ to }) => to);
  const copies = countBy(delivered.map(({ to }) => to));
  const copiesOf = (to: string) => copies[to] ?? 0;
  const doubted = (to: string) => (messagesTo.get(to) ?? []).some(inDoubt);
  const registeredAs = (to: string, is: (message: Registered) => boolean) =>
    (messagesTo.get(to) ?? []).some(is);
  const all = [...new Set([...accepted, ...messagesTo.keys(), ...Object.keys(copies)])];

  return {
    accepted: accepted.length,
    dots: delivered.length,
    delivered: Object.keys(copies).length,
    lost: accepted.filter((to) => copiesOf(to) === 0 && !registeredAs(to, mayBeUndelivered)),
    duplicated: all.filter((to) => copiesOf(to) > copiesAllowed(messagesTo.get(to) ?? [])),
    contradicted: all.filter((to) => copiesOf(to) > 0 && !doubted(to) && !registeredAs(to, mayHaveLeft)),
    sentThoughCancelled: cancelled.filter((to) => copiesOf(to) > 0),
    stuck: registered.filter(({ places }) => places.some((place) => isUnfinished(place, now))).map(recipient),
    misplaced: registered.filter(({ places }) => places.length !== 1).map(recipient),
    inDoubt: registered.filter(inDoubt).map(recipient),
    declaredTwice: all.filter((to) => copiesOf(to) === 2 && copiesAllowed(messagesTo.get(to) ?? []) === 2),
    states: countBy(registered.map(stateOf)),
  };
}

const recipient = ({ to }: Registered) => to;
const inDoubt = ({ attempts }: Registered) => attempts.includes('in_doubt');

function stateOf({ places }: Registered): string {
  const [place] = places;
  if (!place) return 'nowhere';
  return place.in === 'outcomes' ? place.state : place.in;
}

/** In flight it may just have left, and nobody has come to write it down. */
const mayHaveLeft = (message: Registered) => ['sent', 'lease'].includes(stateOf(message));

/** One mail, one copy; one more where the policy prefers that to none, and says so in its history. */
const copiesAllowed = (messages: readonly Registered[]) =>
  messages.some((message) => message.policy === 'resend' && inDoubt(message)) ? 2 : 1;

/** Undelivered is no loss if the database says so itself: it waits, a person decides, or it was ended on purpose. */
const mayBeUndelivered = (message: Registered) =>
  message.places.length > 0 && (stateOf(message) !== 'sent' || message.policy === 'assume_sent');

const isUnfinished = (place: Place, now: number) =>
  place.in === 'lease' || (place.in === 'due' && place.dueAt <= now);

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

export const violationsOf = (verdict: Verdict): readonly Violation[] =>
  VIOLATIONS.filter((kind) => verdict[kind].length > 0);

/** As a person reads it. */
export function describeVerdict(title: string, verdict: Verdict): string {
  const found = violationsOf(verdict);
  const states = Object.entries(verdict.states).map(([state, n]) => `${n} ${state}`);
  const line = (name: string, value: string | number) => `  ${name.padEnd(24)}${value}`;
  const listed = (kind: Violation) =>
    `${verdict[kind].length}${verdict[kind].length > 0 ? `: ${verdict[kind].slice(0, 10).join(', ')}` : ''}`;
  return [
    `${title}: ${found.length === 0 ? 'everything is accounted for' : `VIOLATED (${found.join(', ')})`}`,
    line('accepted', verdict.accepted),
    line('delivered', `${verdict.delivered} (${verdict.dots} dots)`),
    line('lost', listed('lost')),
    line('duplicated, undeclared', listed('duplicated')),
    line('duplicated, declared', verdict.declaredTwice.length),
    line('declared in doubt', verdict.inDoubt.length),
    line('sent, recorded unsent', listed('contradicted')),
    line('sent though cancelled', listed('sentThoughCancelled')),
    line('stuck', listed('stuck')),
    line('in two places, or none', listed('misplaced')),
    line('at the end', states.join(', ') || 'nothing'),
  ].join('\n');
}
