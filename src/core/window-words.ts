import { openHours, type OpenHours } from './day-hours.js';
import type { SendingWindow } from './sending.js';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** "Mon to Thu 09:00–12:30 and 13:30–17:00, Fri 09:00–13:00": days in a row with the same hours as one. */
export function windowWords(window: Omit<SendingWindow, 'timezone'>): string {
  const hours = openHours({ ...window, timezone: 'UTC' });
  const runs: { first: number; last: number; words: string }[] = [];
  for (const [day, intervals] of hours.entries()) {
    const words = dayWords(intervals);
    const before = runs.at(-1);
    if (words === '') continue;
    if (before?.last === day - 1 && before.words === words) before.last = day;
    else runs.push({ first: day, last: day, words });
  }
  return runs.map(({ first, last, words }) => `${daysWords(first, last)} ${words}`).join(', ');
}

function daysWords(first: number, last: number): string {
  if (first === 0 && last === 6) return 'every day';
  const [from, to] = [DAYS[first] ?? '', DAYS[last] ?? ''];
  if (first === last) return from;
  return last === first + 1 ? `${from} and ${to}` : `${from} to ${to}`;
}

const dayWords = (intervals: OpenHours[number]): string =>
  joined(intervals.map(([from, to]) => `${clockWords(from)}–${clockWords(to)}`));

const joined = (parts: readonly string[]): string =>
  parts.length < 3 ? parts.join(' and ') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

const clockWords = (ms: number): string =>
  [Math.floor(ms / HOUR_MS), (ms % HOUR_MS) / MINUTE_MS].map((n) => String(n).padStart(2, '0')).join(':');

/** How long a window is open in a week, in hours: "40", "32.5". */
export function weekHours(window: Omit<SendingWindow, 'timezone'>): number {
  const ms = openHours({ ...window, timezone: 'UTC' })
    .flat()
    .reduce((sum, [from, to]) => sum + to - from, 0);
  return Math.round((ms / HOUR_MS) * 100) / 100;
}
