import { classNames } from '../class-names';

export interface OpenDay {
  /** From when to when, in minutes of the day. */
  readonly open: readonly (readonly number[])[];
  readonly minute: number;
}

const DAY_MINUTES = 1_440;
const share = (minute: number): string => `${(100 * minute) / DAY_MINUTES}%`;
const clock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((n) => String(n).padStart(2, '0')).join(':');

/** A day of 24 hours, its open parts, and now. */
export const DayStrip = ({ open, minute, className }: OpenDay & { readonly className?: string }) => (
  <svg
    role="img"
    aria-label={openWords(open)}
    height="14"
    className={classNames('block min-w-0', className ?? 'w-28')}
  >
    <rect y="4" width="100%" height="6" fill="var(--grid)" />
    {open.map(([from = 0, to = 0]) => (
      <rect key={from} x={share(from)} width={share(to - from)} y="4" height="6" fill="var(--heat-2)" />
    ))}
    <line x1={share(minute)} x2={share(minute)} y1="0" y2="14" stroke="var(--ink)" strokeWidth="2" />
  </svg>
);

/** "09:00–12:30, 13:30–17:00"; a day that is all open, or all shut, has a word. */
export function openWords(open: OpenDay['open']): string {
  if (open.length === 0) return 'shut today';
  const [first] = open;
  if (open.length === 1 && first?.[0] === 0 && first[1] === DAY_MINUTES) return 'all day';
  return open.map(([from = 0, to = 0]) => `${clock(from)}–${clock(to)}`).join(', ');
}
