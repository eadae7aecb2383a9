/**
 * The line in which a message of the queue stands (`due.alone`). Claims take lines 0 and 1; the guard's own take line 4
 * too. The others are places that nobody takes from: whoever stands there is given another line first.
 */
export const LINES = {
  together: 0,
  /** Alone in its lease, because it took workers down with it. */
  alone: 1,
  /** Waits for the end of the step before it; `due_at` keeps the plan. */
  follows: 2,
  /** Its campaign or its person is paused; resuming gives it a new time. */
  halted: 3,
  /** Leaves in its recipient's window, which ends at `closes_at`, and not in its account's. */
  own: 4,
} as const;

export type Line = (typeof LINES)[keyof typeof LINES];

/** Whoever stands in one of these has a time that is taken; what is halted has none. */
export const PLANNED_LINES: readonly Line[] = [LINES.together, LINES.alone, LINES.follows, LINES.own];
