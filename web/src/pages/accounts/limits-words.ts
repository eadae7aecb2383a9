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

/** "Mon to Thu, 09:00–12:30 and 13:30–18:00; Fri, 09:00–12:00 Europe/Berlin". */
export function windowWords({ sendingDays, startHour, endHour, timezone, hours }: SendingWindow): string {
  if (!hours) return `${daysWords(sendingDays)}, ${hour(startHour)}–${hour(endHour)} ${timezone}`;
  const daysOf = new Map<string, number[]>();
  for (const [day, intervals = []] of Object.entries(hours)) {
    const times = [...intervals].sort().map(([opens, closes]) => `${opens ?? ''}–${closes ?? ''}`);
    const open = times.join(' and ');
    if (open !== '') daysOf.set(open, [...(daysOf.get(open) ?? []), Number(day)]);
  }
  return `${[...daysOf].map(([open, days]) => `${daysWords(days)}, ${open}`).join('; ')} ${timezone}`;
}

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
