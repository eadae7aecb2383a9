import type { Account, SendingWindow } from '../../api/types';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** "Mon to Fri", "Mon, Wed": days in a row as a stretch. */
export function daysWords(days: readonly number[]): string {
  const sorted = [...days].sort((a, b) => a - b);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return 'never';
  const name = (day: number) => DAYS[day - 1] ?? '';
  if (sorted.length > 2 && last - first === sorted.length - 1) return `${name(first)} to ${name(last)}`;
  return sorted.map(name).join(', ');
}

const hour = (n: number): string => `${String(n).padStart(2, '0')}:00`;

export const windowWords = ({ sendingDays, startHour, endHour, timezone }: SendingWindow): string =>
  `${daysWords(sendingDays)}, ${hour(startHour)}–${hour(endHour)} ${timezone}`;

export const spacingWords = ({ minSeconds, maxSeconds }: NonNullable<Account['spacing']>): string =>
  minSeconds === maxSeconds ? `${minSeconds} s` : `${minSeconds} to ${maxSeconds} s`;

export const rampWords = ({
  enabled = true,
  start,
  step,
}: {
  readonly enabled?: boolean;
  readonly start: number;
  readonly step: number;
}): string => (enabled ? `${start}, then ${step} more each day` : 'off');

export const holidayWords = (holidays: readonly string[]): string =>
  holidays.length === 0 ? 'none' : holidays.length > 6 ? `${holidays.length} days` : holidays.join(', ');
