import type { Account, AccountAction, SendingSettings } from '../../api/types';
import { hoursOf, isSameWeek, weekOf, weekMinutes, type Week } from '../../parts/week/week';

type Period = 'hour' | 'day' | 'week' | 'month';
export const PERIODS: readonly Period[] = ['hour', 'day', 'week', 'month'];

/** The limits of an account, as a form holds them. Null of a period: no limit; of the rest: the workspace's. */
export interface LimitsDraft {
  readonly counts: Readonly<Partial<Record<AccountAction, Readonly<Record<Period, number | null>>>>>;
  readonly window: { readonly week: Week; readonly timezone: string } | null;
  readonly rampUp: {
    readonly enabled: boolean;
    readonly start: number | null;
    readonly step: number | null;
  } | null;
  readonly spacing: { readonly minSeconds: number | null; readonly maxSeconds: number | null } | null;
  readonly holidays: readonly string[];
}

export const ACTIONS_OF: Record<Account['type'], readonly AccountAction[]> = {
  email: ['email'],
  linkedin: ['message', 'connection_request', 'inmail'],
};

export const DAILY_FIELD = {
  email: 'dailyLimitEmails',
  message: 'dailyLimitMessages',
  connection_request: 'dailyLimitConnections',
  inmail: 'dailyLimitInmails',
} as const satisfies Record<AccountAction, keyof Account>;

export function limitsDraft(account: Account): LimitsDraft {
  const limitOf = (action: AccountAction, period: Period) =>
    account.limits.find((each) => each.action === action && each.period === period)?.max ?? null;
  const countsOf = (action: AccountAction) => {
    const daily = account[DAILY_FIELD[action]];
    return {
      hour: limitOf(action, 'hour'),
      // Said in two places, the smaller holds: a form has one place for it.
      day: Math.min(daily, limitOf(action, 'day') ?? daily),
      week: limitOf(action, 'week'),
      month: limitOf(action, 'month'),
    };
  };
  return {
    counts: Object.fromEntries(ACTIONS_OF[account.type].map((action) => [action, countsOf(action)])),
    window: account.window && { week: weekOf(account.window), timezone: account.window.timezone },
    rampUp: account.rampUp,
    spacing: account.spacing,
    holidays: account.holidays ?? [],
  };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const periodLimits = ({ counts }: LimitsDraft) =>
  Object.entries(counts).flatMap(([action, byPeriod]) =>
    PERIODS.filter((period) => period !== 'day').flatMap((period) => {
      const max = byPeriod[period];
      return max === null ? [] : [{ action, period, max }];
    }),
  );

/** What the API is told: only what a person changed. */
export function limitsChange(
  before: LimitsDraft,
  draft: LimitsDraft,
  account: Account,
): Record<string, unknown> {
  const days = ACTIONS_OF[account.type].filter(
    (action) => before.counts[action]?.day !== draft.counts[action]?.day,
  );
  // Limits of the day that stand among the others would go on to hold.
  const stray = account.limits.some(({ period }) => period === 'day') && days.length > 0;
  const limits = periodLimits(draft);
  return {
    ...(Object.fromEntries(days.map((action) => [DAILY_FIELD[action], draft.counts[action]?.day])) as object),
    ...(stray || !isSame(periodLimits(before), limits) ? { limits } : {}),
    ...(isSameWindow(before.window, draft.window) ? {} : { window: windowOf(draft.window) }),
    ...(isSame(before.rampUp, draft.rampUp) ? {} : { rampUp: draft.rampUp }),
    ...(isSame(before.spacing, draft.spacing) ? {} : { spacing: draft.spacing }),
    ...(isSame(before.holidays, draft.holidays)
      ? {}
      : { holidays: draft.holidays.length === 0 ? null : draft.holidays }),
  };
}

function isSameWindow(one: LimitsDraft['window'], other: LimitsDraft['window']): boolean {
  if (one === null || other === null) return one === other;
  return one.timezone === other.timezone && isSameWeek(one.week, other.week);
}

function windowOf(window: LimitsDraft['window']): object | null {
  if (window === null) return null;
  const { hours, ...rest } = hoursOf(window.week);
  return { timezone: window.timezone, ...(hours === null ? rest : { hours }) };
}

/** Can be saved: every number is one, and a window of its own opens sometime. */
export function isWhole({ counts, window, rampUp, spacing }: LimitsDraft): boolean {
  const numbers = [
    ...Object.values(counts).map(({ day }) => day),
    ...(rampUp ? [rampUp.start, rampUp.step] : []),
    ...(spacing ? [spacing.minSeconds, spacing.maxSeconds] : []),
  ];
  return numbers.every((value) => value !== null) && (window === null || weekMinutes(window.week) > 0);
}

export function changedWords(before: LimitsDraft, draft: LimitsDraft): readonly string[] {
  return [
    ...(isSame(before.counts, draft.counts) ? [] : ['limits']),
    ...(isSameWindow(before.window, draft.window) ? [] : ['days and hours']),
    ...(isSame(before.rampUp, draft.rampUp) ? [] : ['ramp-up']),
    ...(isSame(before.spacing, draft.spacing) ? [] : ['spacing']),
    ...(isSame(before.holidays, draft.holidays) ? [] : ['holidays']),
  ];
}

/** What an account begins with that takes something into its own hands: what holds for it now. */
export const fromWorkspace = (workspace: SendingSettings) => ({
  window: { week: weekOf(workspace), timezone: workspace.timezone },
  rampUp: { enabled: true, ...workspace.rampUp },
  spacing: workspace.spacing,
});
