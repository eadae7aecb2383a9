import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { ofSending } from '../../../api/queries';
import type { DryRun } from '../../../api/types';
import { useHatch } from '../../../parts/charts/hatch';
import { classNames } from '../../../parts/class-names';
import { counted, numberWords } from '../../../parts/number-words';
import { Untrusted } from '../../../parts/untrusted';
import { visible } from '../../../parts/visible';
import { useFromNow } from '../../../time/clock';
import { dateWords } from '../../../time/dates';
import { timeOf } from '../../../time/words';
import { useZone } from '../../../time/zone';
import { useAccounts } from '../account-names';
import { dateIn } from '../date-in';
import { useShutDays } from '../shut-days';
import { weeksOf, type PlannedDate } from './weeks';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const FILLS = ['var(--heat-4)', 'var(--heat-3)', 'var(--heat-2)'];

/** A month as on a wall: each day with its number, and by accounts below it. Days on which none may send are grey. */
export function Month({ run: { days, firstAt, warnings } }: { readonly run: DryRun }) {
  const { data: sending } = useQuery(ofSending());
  const accountOf = useAccounts();
  const shut = useShutDays();
  const accountIds = [...new Set(days.map(({ accountId }) => accountId))];
  const weeks = weeksOf(days, accountIds);
  const most = Math.max(1, ...weeks.flat().map(({ total }) => total));
  const holidays = new Set(sending?.holidays);
  const zone = useZone();
  const today = useFromNow((now) => dateIn(zone, now));
  const dates = days.map(({ date }) => date).sort();
  /** One word a day: there is no room for more. */
  const mark = (date: string): string | undefined => {
    if (date === dates[0] && firstAt !== null) return `first ${timeOf(Date.parse(firstAt), zone)}`;
    if (date === dates.at(-1)) return 'last';
    return holidays.has(date) ? 'holiday' : date === today ? 'today' : undefined;
  };
  const warned = (date: string) => warnings.filter((warning) => warning.date === date);
  const [pattern, hatch] = useHatch();
  const fillOf = (n: number) => FILLS[n] ?? hatch;
  return (
    <>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 px-3.5 pt-2 text-note text-ink-2">
        {accountIds.map((id, n) => (
          <li key={id} className="flex items-center gap-1.5 wrap-anywhere">
            <svg aria-hidden width="12" height="10" className="shrink-0">
              {pattern}
              <rect width="12" height="10" fill={fillOf(n)} />
            </svg>
            <Untrusted text={accountOf(id).name} />
          </li>
        ))}
      </ul>
      <div
        className="relative max-h-[46rem] overflow-auto"
        tabIndex={0}
        role="group"
        aria-label="What would leave, by day"
      >
        <table className="mt-2 w-full table-fixed text-note">
          <thead>
            <tr>
              {WEEKDAYS.map((day) => (
                <th key={day} className="border-y border-line px-2 py-1 text-left font-normal text-ink-2">
                  {day}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week, place) => (
              <tr key={week[0]?.date}>
                {week.map((day, n) => (
                  <td
                    key={day.date}
                    className={classNames(
                      'h-14 border-t border-l border-line px-2 py-1 align-top first:border-l-0',
                      day.total === 0 && accountIds.every((id) => shut(id, day.date)) && 'holiday',
                    )}
                  >
                    <span aria-hidden className="flex justify-between gap-1 text-ink-2">
                      {Number(day.date.slice(8)) === 1 || (place === 0 && n === 0)
                        ? dateWords(day.date).slice(4)
                        : Number(day.date.slice(8))}
                      <span className="flex items-center gap-1 max-sm:hidden">
                        {mark(day.date)}
                        {warned(day.date).length > 0 && (
                          <TriangleAlert size={13} strokeWidth={1.75} className="text-retry" />
                        )}
                      </span>
                    </span>
                    <span className="sr-only">
                      {[dateWords(day.date), mark(day.date)].filter(Boolean).join(', ')}:{' '}
                      {day.total === 0 ? 'nothing' : counted(day.total, 'mail')}
                      {warned(day.date).map(({ sentence }) => `. ${visible(sentence)}`)}
                    </span>
                    {day.total > 0 && (
                      <>
                        <strong aria-hidden className="figures block text-body">
                          {numberWords(day.total)}
                        </strong>
                        <Stack day={day} most={most} fillOf={fillOf} />
                      </>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Stack({
  day,
  most,
  fillOf,
}: {
  readonly day: PlannedDate;
  readonly most: number;
  readonly fillOf: (n: number) => string;
}) {
  const share = (n: number) => `${(100 * n) / most}%`;
  const before = (place: number) => day.counts.slice(0, place).reduce((sum, n) => sum + n, 0);
  return (
    <svg aria-hidden width="100%" height="7" className="block">
      <rect width="100%" height="7" fill="var(--grid)" />
      {day.counts.map(
        (count, n) =>
          count > 0 && <rect key={n} x={share(before(n))} width={share(count)} height="7" fill={fillOf(n)} />,
      )}
    </svg>
  );
}
