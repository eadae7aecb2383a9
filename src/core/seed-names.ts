import { calendarFor, type Calendar } from './calendar.js';
import { PillarboxError } from './errors.js';
import type { Action } from './message.js';
import { rampQuota } from './opening.js';
import { rulesOf } from './rules.js';
import {
  DAILY_LIMITS,
  SENDING_DEFAULTS,
  type AccountSending,
  type SendingSettings,
  type SendingWindow,
} from './sending.js';

/*
 * Questions about sending, under the names that schedulers have given them for years. They are answered by what decides
 * when mail leaves: asking them and sending can't come to different ends.
 */

/** What an action may come to in a day of an account that says nothing itself. */
export const DEFAULT_DAILY_LIMITS = {
  email: DAILY_LIMITS.dailyLimitEmails,
  message: DAILY_LIMITS.dailyLimitMessages,
  connection_request: DAILY_LIMITS.dailyLimitConnections,
  inmail: DAILY_LIMITS.dailyLimitInmails,
  /** Older names of `message` and `connection_request`. */
  linkedin_dm: DAILY_LIMITS.dailyLimitMessages,
  linkedin_connect: DAILY_LIMITS.dailyLimitConnections,
} as const;

const OLDER_NAMES = { linkedin_dm: 'message', linkedin_connect: 'connection_request' } as const;

/** A window, and the dates on which it stays shut. */
export type WindowSettings = SendingWindow & { readonly holidays?: readonly string[] };

/** Whether mail may leave at this instant: ask about the instant that is meant, not about now. */
export function isWithinSendingWindow(settings: WindowSettings, date: Date): boolean {
  return calendarOf(settings, date).isOpen(date.getTime());
}

/**
 * The instant itself if mail may leave then, else the next one at which it may. Throws `invalid_input` where there is none
 * in the next years: the window never opens.
 */
export function getNextSendingSlot(settings: WindowSettings, fromDate: Date): Date {
  const next = calendarOf(settings, fromDate).next(fromDate.getTime());
  if (Number.isNaN(next)) {
    throw new PillarboxError('invalid_input', 'The window never opens; no mail could ever leave.', {
      field: 'sendingDays',
    });
  }
  return new Date(next);
}

/** What may leave on the n-th day on which something is sent; the first is day 1. */
export function calculateRampUpQuota(
  settings: Pick<SendingSettings, 'dailyQuota' | 'rampUpEnabled' | 'rampUp'>,
  dayNumber: number,
): number {
  const rampUp = settings.rampUpEnabled ? settings.rampUp : undefined;
  return rampQuota(settings.dailyQuota, rampUp, Math.max(0, dayNumber - 1));
}

/**
 * The same as `isWithinSendingWindow` for a date whose own hours, as the machine reads them, are the wall clock of the
 * zone that is meant. Such a date is no instant any more: prefer the other one. Without a window: Monday to Friday, 9 to
 * 18 o'clock.
 */
export function isWithinSendWindow(dateInTz: Date, window: WindowSettings = SENDING_DEFAULTS): boolean {
  const shown = new Date(
    Date.UTC(
      ...([dateInTz.getFullYear(), dateInTz.getMonth(), dateInTz.getDate()] as const),
      ...([dateInTz.getHours(), dateInTz.getMinutes(), dateInTz.getSeconds()] as const),
    ),
  );
  return isWithinSendingWindow({ ...window, timezone: 'UTC' }, shown);
}

/** What an account may do of an action in a local day: its own limits, else the usual. Ramp-up is not part of it. */
export function getDailyLimitForAccount(
  account: AccountSending & { readonly type: 'email' | 'linkedin' },
  actionType: keyof typeof DEFAULT_DAILY_LIMITS,
): number {
  const action: Action =
    actionType === 'linkedin_dm' || actionType === 'linkedin_connect' ? OLDER_NAMES[actionType] : actionType;
  return rulesOf(SENDING_DEFAULTS, account, 0).limits[action].day;
}

interface Asked {
  readonly settings: WindowSettings;
  readonly from: number;
  readonly until: number;
  readonly calendar: Calendar;
}

/**
 * Whoever asks about many instants hands over the same settings each time. Whether they still say the same is seen much
 * faster than their calendar is found by its name.
 */
const asked = new WeakMap<WindowSettings, Asked>();

function calendarOf(settings: WindowSettings, date: Date): Calendar {
  const t = date.getTime();
  if (Number.isNaN(t)) {
    throw new PillarboxError('invalid_input', 'The date is not a date.', { field: 'date' });
  }
  const known = asked.get(settings);
  if (known && t >= known.from && t < known.until && sayTheSame(known.settings, settings)) {
    return known.calendar;
  }
  const calendar = calendarFor(settings, settings.holidays ?? [], t);
  const year = date.getUTCFullYear();
  // It knows several years ahead: what is asked about the next one need not find another.
  const [from, until] = [Date.UTC(year, 0, 1), Date.UTC(year + 2, 0, 1)];
  asked.set(settings, { settings: copyOf(settings), from, until, calendar });
  return calendar;
}

const copyOf = ({
  sendingDays,
  startHour,
  endHour,
  timezone,
  hours,
  holidays,
}: WindowSettings): WindowSettings => ({
  ...{ sendingDays: [...sendingDays], startHour, endHour, timezone },
  ...(hours && { hours: structuredClone(hours) }),
  ...(holidays && { holidays: [...holidays] }),
});

const sayTheSame = (a: WindowSettings, b: WindowSettings): boolean =>
  a.timezone === b.timezone &&
  a.startHour === b.startHour &&
  a.endHour === b.endHour &&
  sameList(a.sendingDays, b.sendingDays) &&
  sameList(a.holidays ?? [], b.holidays ?? []) &&
  (a.hours === b.hours || JSON.stringify(a.hours) === JSON.stringify(b.hours));

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false;
  return a.length === b.length;
}
