import type { Calendar } from './calendar.js';
import { calendarFor } from './calendar.js';
import { ACTIONS, type Action } from './message.js';
import {
  DAILY_LIMITS,
  LINKEDIN_LIMITS,
  type AccountSending,
  type LimitPeriod,
  type RampUp,
  type SendingSettings,
} from './sending.js';
import { zoneNamed, type Zone } from './zone.js';

/** What an account may do at most of one action, by the local hour, day, week and month. */
export type ActionLimits = Readonly<Record<LimitPeriod, number>>;

/** What a workspace and one of its accounts say about when and how much, made into one. */
export interface Rules {
  /** The account's window without its holidays and the workspace's. */
  readonly calendar: Calendar;
  /** Where the workspace's days begin and end. */
  readonly house: Zone;
  /** Of all accounts of the workspace together, on one of its days. */
  readonly dailyQuota: number;
  readonly limits: Readonly<Record<Action, ActionLimits>>;
  /** Undefined: the full limit from the first day on. */
  readonly rampUp: RampUp | undefined;
  readonly spacing: { readonly minMs: number; readonly maxMs: number };
}

/** Which actions an account can do at all. */
export const ACTIONS_OF: Readonly<Record<'email' | 'linkedin', readonly Action[]>> = {
  email: ['email'],
  linkedin: ['message', 'connection_request', 'inmail'],
};

const DAILY_FIELD = {
  email: 'dailyLimitEmails',
  message: 'dailyLimitMessages',
  connection_request: 'dailyLimitConnections',
  inmail: 'dailyLimitInmails',
} as const satisfies Record<Action, keyof typeof DAILY_LIMITS>;

/**
 * An account's window replaces the workspace's, and so does its ramp-up; of spacings the larger holds, of limits the
 * smaller; holidays are added. `now` says which years the calendar must know.
 */
export function rulesOf(
  workspace: SendingSettings,
  account: AccountSending & { readonly type: 'email' | 'linkedin' },
  now: number,
): Rules {
  const holidays = [...workspace.holidays, ...(account.holidays ?? [])];
  const window = account.window ?? workspace;
  const spacings = [workspace.spacing, account.spacing ?? workspace.spacing];
  return {
    calendar: calendarFor(window, holidays, now),
    house: zoneNamed(workspace.timezone),
    dailyQuota: workspace.dailyQuota,
    limits: limitsOf(account),
    rampUp: rampUpOf(workspace, account),
    spacing: {
      minMs: 1_000 * Math.max(...spacings.map(({ minSeconds }) => minSeconds)),
      maxMs: 1_000 * Math.max(...spacings.map(({ maxSeconds }) => maxSeconds)),
    },
  };
}

export function rampUpOf(workspace: SendingSettings, account: AccountSending): RampUp | undefined {
  const ramp = account.rampUp ?? { ...workspace.rampUp, enabled: workspace.rampUpEnabled };
  return ramp.enabled ? { start: ramp.start, step: ramp.step } : undefined;
}

export function limitsOf(account: AccountSending & { readonly type: 'email' | 'linkedin' }): Rules['limits'] {
  const can = ACTIONS_OF[account.type];
  // Whoever says something about an action's period has said what holds there.
  const given = account.limits ?? (account.type === 'linkedin' ? LINKEDIN_LIMITS : []);
  const of = (action: Action): ActionLimits => {
    const least = (period: LimitPeriod, usual: number) =>
      Math.min(
        usual,
        ...given.filter((each) => each.action === action && each.period === period).map(({ max }) => max),
      );
    const field = DAILY_FIELD[action];
    return {
      hour: least('hour', Infinity),
      day: can.includes(action) ? least('day', account[field] ?? DAILY_LIMITS[field]) : 0,
      week: least('week', Infinity),
      month: least('month', Infinity),
    };
  };
  return Object.fromEntries(ACTIONS.map((action) => [action, of(action)])) as Rules['limits'];
}
