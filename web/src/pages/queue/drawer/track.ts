import type { AttemptOutcome, MessageDetail } from '../../../api/types';

export interface Mark {
  readonly kind: 'made' | 'now' | 'planned';
  readonly at: number;
  /** Where it stands on the line, in hundredths. */
  readonly left: number;
  readonly outcome?: AttemptOutcome;
  /** Which try it would be. */
  readonly number?: number;
  /** Whether its time fits beside those before it. */
  readonly labelled: boolean;
}

const LABEL_WIDTH = 13;
/** Marks that would hide each other stand side by side. */
const MARK_WIDTH = 3;
const PLANNED_AT_MOST = 12;

/** One line of time: tries made, now, tries to come. Empty: there is no way to show. */
export function trackOf(message: MessageDetail, now: number): readonly Mark[] {
  const tries = [...(message.inlineAttempt ? [message.inlineAttempt] : []), ...message.attemptLog];
  const made = tries.map(({ startedAt, finishedAt, outcome }) => ({
    ...{ kind: 'made' as const, at: Date.parse(startedAt ?? finishedAt), outcome },
  }));
  const planned = message.plannedAttempts.slice(0, PLANNED_AT_MOST).map((at, n) => ({
    ...{ kind: 'planned' as const, at: Date.parse(at), number: message.attempts + n + 1 },
  }));
  if (made.length + planned.length < 2) return [];
  const present = planned.length > 0 ? [{ kind: 'now' as const, at: now }] : [];
  const marks = [...made, ...present, ...planned].sort((a, b) => a.at - b.at);
  const [first, last] = [marks[0]?.at ?? 0, marks.at(-1)?.at ?? 0];
  const span = Math.max(1, last - first);
  const spread = apart(marks.map(({ at }) => ((at - first) / span) * 100));
  let free = -Infinity;
  return marks.map((mark, n) => {
    const left = spread[n] ?? 0;
    const labelled = mark.kind !== 'now' && left >= free;
    if (labelled) free = left + LABEL_WIDTH;
    return { ...mark, left, labelled };
  });
}

/** Pushed to the right where they touch, then back from the end. */
function apart(places: readonly number[]): readonly number[] {
  const pushed: number[] = [];
  for (const place of places) pushed.push(Math.max(place, (pushed.at(-1) ?? -MARK_WIDTH) + MARK_WIDTH));
  for (let n = pushed.length - 1, limit = 100; n >= 0; n -= 1, limit -= MARK_WIDTH)
    pushed[n] = Math.min(pushed[n] ?? 0, limit);
  return pushed;
}
