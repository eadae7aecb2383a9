/** When mail may leave, as people set it: for a workspace, and for an account that differs from it. */

/** Hours of the local day; days as ISO counts them, Monday is 1. */
export interface SendingWindow {
  readonly sendingDays: readonly number[];
  readonly startHour: number;
  readonly endHour: number;
  readonly timezone: string;
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

export const MAX_CONNECTIONS = 5;

/** What an account says itself; what is missing is the workspace's, or the usual. */
export interface AccountSending {
  readonly dailyLimitEmails?: number;
  readonly dailyLimitMessages?: number;
  readonly dailyLimitConnections?: number;
  readonly dailyLimitInmails?: number;
  readonly window?: SendingWindow;
  readonly rampUp?: RampUp & { readonly enabled: boolean };
  readonly spacing?: Spacing;
  readonly holidays?: readonly string[];
  readonly maxConnections?: number;
}

export interface SendingFault {
  readonly field: string;
  readonly text: string;
}

/** What is wrong with values that are of the right shape each for itself. */
export function sendingFault(
  given: Partial<SendingWindow> & { readonly spacing?: Spacing; readonly holidays?: readonly string[] },
): SendingFault | undefined {
  const { sendingDays, startHour = 0, endHour = 24, timezone, spacing, holidays = [] } = given;
  if (sendingDays?.length === 0) return { field: 'sendingDays', text: 'is empty; no mail could ever leave' };
  if (sendingDays && new Set(sendingDays).size < sendingDays.length) {
    return { field: 'sendingDays', text: 'has a day twice' };
  }
  if (startHour >= endHour) {
    return { field: 'endHour', text: 'is not after startHour; the window would be empty' };
  }
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

/** Only names: an offset knows nothing of summer. */
function isTimezone(name: string): boolean {
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
