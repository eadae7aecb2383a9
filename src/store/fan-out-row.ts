/** How far an event is told, with what its messages have in common. */
export interface FanOut {
  readonly eventId: number;
  readonly workspaceId: number;
  readonly topic: string;
  readonly afterId: number;
  readonly untilId: number;
  /** By reason. */
  readonly skips: Readonly<Record<string, number>>;
  readonly channelId: number;
  readonly sender: string;
  readonly retryPolicy: string;
  readonly doubtPolicy: string;
  readonly statusAfter: string | null;
  readonly traceId: string | null;
  readonly expiresAt: number | null;
  readonly cancelled: boolean;
}

/** The next active subscriptions of a walk; of those without preferences there is nothing to decide. */
export interface Stretch {
  readonly count: number;
  readonly lastId: number;
  readonly preferred: readonly PreferredRow[];
}

/** As it is stored. */
export type PreferredRow = readonly [
  id: number,
  notifyOn: string | null,
  maxNotifications: number | null,
  notified: number,
  windowStart: number | null,
  windowEnd: number | null,
  timezone: string | null,
  snoozeUntil: number | null,
];

/** What was decided about those with preferences. */
export interface Decisions {
  /** Told later than now, or one of a limited number. */
  readonly told: readonly { readonly id: number; readonly dueAt: number; readonly limited: boolean }[];
  readonly skipped: readonly number[];
}

export interface Made {
  readonly made: number;
  /** Of those who are limited, how many had none left. */
  readonly refused: number;
}

export const PREFERRED =
  '(s.notify_on is not null or s.max_notifications is not null or s.window_start is not null or s.snooze_until is not null)';
