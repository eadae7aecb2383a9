import { calendarFor } from './calendar.js';
import type { DayHours } from './day-hours.js';

/** When and how often somebody wants to be told. Null: does not care. */
export interface Preferences {
  /** Values of an event's `payload.statusAfter`. */
  readonly notifyOn: readonly string[] | null;
  readonly maxNotifications: number | null;
  readonly deliveryWindow: DailyWindow | null;
  readonly snoozeUntil: number | null;
}

/** Minutes of the local day. A start behind the end spans midnight. */
export interface DailyWindow {
  readonly startMinutes: number;
  readonly endMinutes: number;
}

/** Why somebody is not told of an event. */
export type PreferenceSkip = 'notify_on' | 'max_notifications' | 'snoozed' | 'window';

/** Who is told when, or why not. */
export type Decision =
  | { readonly skip: PreferenceSkip }
  /** `limited`: one of the notifications that are left is to be reserved. */
  | { readonly dueAt: number; readonly closesAt: number | null; readonly limited: boolean };

export interface Occasion {
  readonly statusAfter: string | null;
  /** Nobody is told at or after this. */
  readonly expiresAt: number | null;
}

/** Of a window: when it is open next, from an instant on, and when it then shuts. Undefined: it is never shut, or never open. */
export interface Opening {
  readonly opensAt: number;
  readonly closesAt: number;
}

const MINUTES_A_DAY = 1_440;
/** A window that spans midnight is two intervals of a calendar, and may be three where clocks go back over midnight. */
const MOST_PIECES = 4;

export function windowFault({ startMinutes, endMinutes }: DailyWindow): string | undefined {
  return startMinutes === endMinutes
    ? 'begins when it ends; nobody could ever be told. Leave it out to be told at any time'
    : undefined;
}

/** Every instant whose wall clock is inside: nothing needs a rule of its own on the nights when clocks change. */
export function nextOpening(window: DailyWindow, timezone: string, at: number): Opening | undefined {
  const { startMinutes, endMinutes } = window;
  if (startMinutes === 0 && endMinutes === MINUTES_A_DAY) return undefined;
  const calendar = calendarFor(
    { sendingDays: [], startHour: 0, endHour: 0, timezone, hours: hoursOf(startMinutes, endMinutes) },
    [],
    at,
  );
  const first = calendar.interval(at);
  if (!first) return undefined;
  let { closesAt } = first;
  for (let pieces = 1; pieces < MOST_PIECES; pieces += 1) {
    const next = calendar.interval(closesAt);
    if (next?.opensAt !== closesAt) break;
    closesAt = next.closesAt;
  }
  return { opensAt: Math.max(at, first.opensAt), closesAt };
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

function hoursOf(start: number, end: number): DayHours {
  const day: [string, string][] =
    start < end
      ? [[clock(start), clock(end)]]
      : [...(end > 0 ? [['00:00', clock(end)] as [string, string]] : []), [clock(start), '24:00']];
  return { 1: day, 2: day, 3: day, 4: day, 5: day, 6: day, 7: day };
}

/** What somebody's preferences make of an event. */
export function decide(
  preferences: Preferences & { readonly notified: number; readonly timezone: string | null },
  { statusAfter, expiresAt }: Occasion,
  now: number,
): Decision {
  const { notifyOn, maxNotifications, notified, snoozeUntil, deliveryWindow, timezone } = preferences;
  if (notifyOn && (statusAfter === null || !notifyOn.includes(statusAfter))) return { skip: 'notify_on' };
  if (maxNotifications !== null && notified >= maxNotifications) return { skip: 'max_notifications' };
  const snoozed = snoozeUntil !== null && snoozeUntil > now;
  const from = snoozed ? snoozeUntil : now;
  const opening = deliveryWindow ? nextOpening(deliveryWindow, timezone ?? 'UTC', from) : undefined;
  const dueAt = opening?.opensAt ?? from;
  if (expiresAt !== null && dueAt > now && dueAt >= expiresAt)
    return { skip: snoozed ? 'snoozed' : 'window' };
  return { dueAt, closesAt: opening?.closesAt ?? null, limited: maxNotifications !== null };
}
