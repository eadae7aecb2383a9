import { ALL_STATES, type FinishedState, type State } from './lifecycle.js';

/** What became of an event: whom it matched, who was told, who not and why. */
export interface EventFigures {
  /** Active subscriptions of its topic when it was published; how many of them were passed so far. */
  readonly matched: number;
  readonly seen: number;
  /** Messages, by what became of them. */
  readonly accepted: number;
  readonly ended: readonly {
    readonly state: FinishedState;
    readonly reason: string;
    readonly count: number;
  }[];
  /** Left out by their own preferences: no message was made. */
  readonly skips: Readonly<Record<string, number>>;
  readonly sending: number;
}

export type EventCounts = Readonly<Record<State, number>>;

export interface EventReason {
  readonly state: State;
  readonly reason: string;
  readonly count: number;
}

/** By state. All that wait are `scheduled`. */
export function eventCounts({ accepted, ended, skips, sending }: EventFigures): EventCounts {
  const counts = Object.fromEntries(ALL_STATES.map((state) => [state, 0])) as Record<State, number>;
  for (const { state, count } of ended) counts[state] += count;
  const over = ended.reduce((sum, { count }) => sum + count, 0);
  const open = Math.max(0, accepted - over);
  counts.sending = Math.min(open, sending);
  counts.scheduled = open - counts.sending;
  for (const count of Object.values(skips)) counts.skipped += count;
  return counts;
}

/** Why, of what was not simply told; the most frequent first. */
export const eventReasons = ({ ended, skips }: EventFigures): readonly EventReason[] =>
  [
    ...ended.filter(({ reason }) => reason !== ''),
    ...Object.entries(skips).map(([reason, count]) => ({ state: 'skipped' as const, reason, count })),
  ].sort((a, b) => b.count - a.count);

/** One sentence on how it went. */
export function eventSentence(
  figures: EventFigures & { readonly cancelledBy: string | null; readonly isCancelled: boolean },
): { readonly level: 'fine' | 'look' | 'act'; readonly sentence: string } {
  const { matched, seen, isCancelled, cancelledBy } = figures;
  const { sent, dead, skipped, scheduled, sending, cancelled, expired } = eventCounts(figures);
  const n = (count: number): string => count.toLocaleString('en');
  const died = dead === 0 ? '' : ` ${n(dead)} ${dead === 1 ? 'mail' : 'mails'} died.`;
  const level = dead > 0 ? 'look' : 'fine';
  if (isCancelled)
    return {
      level,
      sentence: `Cancelled by ${cancelledBy ?? 'somebody'}; ${n(sent)} had left, ${n(cancelled + matched - seen)} never will.${died}`,
    };
  if (matched === 0) return { level: 'fine', sentence: 'No subscription to this topic.' };
  if (seen < matched)
    return {
      level,
      sentence: `${n(seen)} of ${n(matched)} subscriptions reached, ${n(sent)} told.${died}`,
    };
  const waiting = scheduled + sending;
  const rest = [
    ...(waiting > 0 ? [`${n(waiting)} ${waiting === 1 ? 'waits' : 'wait'}`] : []),
    ...(skipped > 0 ? [`${n(skipped)} skipped`] : []),
    ...(expired > 0 ? [`${n(expired)} came too late`] : []),
  ].join(', ');
  return { level, sentence: `Told ${n(sent)} of ${n(matched)}${rest === '' ? '' : `; ${rest}`}.${died}` };
}
