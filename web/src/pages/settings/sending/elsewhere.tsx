import { clockOf, DAY_MINUTES, DAY_NAMES, joined, type Week } from '../../../parts/week/week';
import { useFromNow } from '../../../time/clock';
import { minuteIn } from '../../../time/until';

const PLACES = [
  ['New York', 'America/New_York'],
  ['London', 'Europe/London'],
  ['Los Angeles', 'America/Los_Angeles'],
  ['Berlin', 'Europe/Berlin'],
  ['Tokyo', 'Asia/Tokyo'],
] as const;
const SHOWN = 3;

/** The hours of the first open day, as clocks elsewhere show them today. */
export function Elsewhere({ week, timezone }: { readonly week: Week; readonly timezone: string }) {
  const place = week.findIndex((day) => day.length > 0);
  const shifts = useFromNow((now) =>
    JSON.stringify(PLACES.map(([, zone]) => minuteIn(zone, now) - minuteIn(timezone, now))),
  );
  if (place < 0) return null;
  const hours = joined(week[place] ?? []);
  const places = PLACES.map(([name], n) => ({ name, shift: (JSON.parse(shifts) as number[])[n] ?? 0 }))
    .filter(({ shift }) => shift !== 0)
    .slice(0, SHOWN);
  return (
    <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 rounded-panel border border-line bg-surface px-3.5 py-2.5 text-table">
      <strong>{DAY_NAMES[place]} elsewhere</strong>
      {places.map(({ name, shift }) => (
        <span key={name} className="figures">
          <span className="text-ink-2">{name}</span>{' '}
          {hours.map(([from, to]) => `${shifted(from, shift)}–${shifted(to, shift)}`).join(', ')}
        </span>
      ))}
    </div>
  );
}

const shifted = (minute: number, by: number): string =>
  clockOf((minute + by + 2 * DAY_MINUTES) % DAY_MINUTES);
