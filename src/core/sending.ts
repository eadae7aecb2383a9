import { hoursFault, type DayHours } from './day-hours.js';
import type { Action } from './message.js';

/** When mail may leave, as people set it: for a workspace, and for an account that differs from it. */

/** Hours of the local day; days as ISO counts them, Monday is 1. */
export interface SendingWindow {
  readonly sendingDays: readonly number[];
  readonly startHour: number;
  readonly endHour: number;
  readonly timezone: string;
  /** Where it is given, days and hours above do not count. */
  readonly hours?: DayHours;
}

export interface RampUp {
  readonly start: number;
  readonly step: number;
}

export interface Spacing {
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

export interface SendingSettings extends SendingWindow {
  /** Of the whole workspace, a local day. */
  readonly dailyQuota: number;
  readonly rampUpEnabled: boolean;
  readonly rampUp: RampUp;
  readonly spacing: Spacing;
  /** Local dates: `2026-12-25`. */
  readonly holidays: readonly string[];
}

export const SENDING_DEFAULTS: SendingSettings = {
  sendingDays: [1, 2, 3, 4, 5],
  startHour: 9,
  endHour: 18,
  timezone: 'UTC',
  dailyQuota: 100,
  rampUpEnabled: false,
  rampUp: { start: 5, step: 5 },
  spacing: { minSeconds: 30, maxSeconds: 90 },
  holidays: [],
};

/** What each action of an account may come to in a local day, unless the account says otherwise. */
export const DAILY_LIMITS = {
  dailyLimitEmails: 20,
  dailyLimitMessages: 50,
  dailyLimitConnections: 20,
  dailyLimitInmails: 10,
} as const;

/** Periods of the local calendar; a week begins on Monday. */
export const LIMIT_PERIODS = ['hour', 'day', 'week', 'month'] as const;
export type LimitPeriod = (typeof LIMIT_PERIODS)[number];

export interface PeriodLimit {
  readonly action: Action;
  readonly period: LimitPeriod;
  readonly max: number;
}

/** More is what gets real accounts restricted. */
export const LINKEDIN_LIMITS: readonly PeriodLimit[] = [
  { action: 'connection_request', period: 'week', max: 100 },
];

export const MAX_CONNECTIONS = 5;

/** What an account says itself; what is missing is the workspace's, or the usual. */
export interface AccountSending {
  readonly dailyLimitEmails?: number;
  readonly dailyLimitMessages?: number;
  readonly dailyLimitConnections?: number;
  readonly dailyLimitInmails?: number;
  /** Beside the daily ones: all that apply must have room. */
  readonly limits?: readonly PeriodLimit[];
  readonly window?: SendingWindow;
  readonly rampUp?: RampUp & { readonly enabled: boolean };
  readonly spacing?: Spacing;
  readonly holidays?: readonly string[];
  readonly maxConnections?: number;
  /** Mails without an answer on each connection, where the server offers CHUNKING; all are in doubt if the line breaks. */
  readonly mailsInFlight?: number;
}

export interface SendingFault {
  readonly field: string;
  readonly text: string;
}

/** What is wrong with values that are of the right shape each for itself. */
export function sendingFault(
  given: Partial<SendingWindow> & { readonly spacing?: Spacing; readonly holidays?: readonly string[] },
): SendingFault | undefined {
  // What does not count beside `hours` must be right all the same: it counts again when they are taken away.
  const { sendingDays, startHour = 0, endHour = 24, timezone, hours, spacing, holidays = [] } = given;
  if (sendingDays?.length === 0) return { field: 'sendingDays', text: 'is empty; no mail could ever leave' };
  if (sendingDays && new Set(sendingDays).size < sendingDays.length) {
    return { field: 'sendingDays', text: 'has a day twice' };
  }
  if (startHour >= endHour) {
    return { field: 'endHour', text: 'is not after startHour; the window would be empty' };
  }
  const fault = hours && hoursFault(hours);
  if (fault) return fault;
  if (timezone !== undefined && !isTimezone(timezone)) {
    return { field: 'timezone', text: 'is not a time zone such as Europe/Berlin' };
  }
  if (spacing && spacing.minSeconds > spacing.maxSeconds) {
    return { field: 'spacing.maxSeconds', text: 'is less than minSeconds' };
  }
  const wrong = holidays.findIndex((day) => !isDate(day));
  return wrong < 0
    ? undefined
    : { field: `holidays.${String(wrong)}`, text: 'is not a date such as 2026-12-25' };
}

/** What is wrong with limits of an account that can do these actions. */
export function limitsFault(
  limits: readonly PeriodLimit[],
  can: readonly Action[],
): SendingFault | undefined {
  const foreign = limits.findIndex(({ action }) => !can.includes(action));
  if (foreign >= 0) {
    const text = `is nothing that such an account can do: ${can.join(', ')}`;
    return { field: `limits.${foreign}.action`, text };
  }
  const names = limits.map(({ action, period }) => `${action} ${period}`);
  const twice = names.findIndex((name, place) => names.indexOf(name) < place);
  return twice < 0
    ? undefined
    : { field: `limits.${twice}`, text: 'has the action and the period of one before it' };
}

/** Only names: an offset knows nothing of summer. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function isDate(text: string): boolean {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}
