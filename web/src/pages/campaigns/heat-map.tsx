import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { CampaignDetail } from '../../api/types';
import { classNames } from '../../parts/class-names';
import { numberWords } from '../../parts/number-words';
import { Untrusted } from '../../parts/untrusted';
import { visible } from '../../parts/visible';
import { dateWords, shortDateWords, weekWords } from '../../time/dates';
import { useAccounts } from './account-names';
import { heatOf, weekEnd, type Cell, type Column, type Grid } from './calendar-grid';
import { PlanAxis, PlanLine, PlanWords } from './plan-line';
import { useShutDays } from './shut-days';

interface Props {
  readonly campaign: CampaignDetail;
  readonly grid: Grid;
  readonly by: 'days' | 'weeks';
}

const HEATS = {
  1: 'bg-(--heat-1) text-ink',
  2: 'bg-(--heat-2) text-ink',
  3: 'bg-(--heat-3) text-ink dark:text-on-primary',
  4: 'bg-(--heat-4) text-on-primary',
} as const;
/** A line needs some days to say anything. */
const FEWEST_DRAWN = 3;
const BOX = 'mx-auto flex h-6 min-w-6 items-center justify-center rounded-mark px-0.5 text-[11px] figures';

/** One stop for the tab key; arrows move, Enter leads to the mails. Every cell has its number. */
export function HeatMap({ campaign, grid: { columns, accountIds, cell }, by }: Props) {
  const accountOf = useAccounts();
  const shut = useShutDays();
  const navigate = useNavigate();
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<readonly [row: number, column: number]>(() => [
    0,
    Math.max(
      0,
      columns.findIndex(({ when }) => when === 'now'),
    ),
  ]);
  const [row, column] = [Math.min(at[0], accountIds.length - 1), Math.min(at[1], columns.length - 1)];
  // A narrow window opens at today.
  useEffect(() => {
    const scroller = table.current?.parentElement;
    const now = table.current?.querySelector<HTMLElement>('[data-now]');
    if (scroller && now) scroller.scrollLeft = Math.max(0, now.offsetLeft - scroller.clientWidth / 2);
  }, []);
  const press = (event: React.KeyboardEvent) => {
    const move = MOVES[event.key];
    const [account, date] = [accountIds[row], columns[column]];
    if (move) {
      event.preventDefault();
      const next = [
        clamp(row + move[0], accountIds.length),
        clamp(column + move[1], columns.length),
      ] as const;
      setAt(next);
      table.current?.querySelector<HTMLElement>(`[data-cell="${next[0]} ${next[1]}"]`)?.focus();
    } else if (event.key === 'Enter' && account !== undefined && date) {
      event.preventDefault();
      void navigate({ to: '/queue', search: mailsOf(campaign.id, date, by, account) });
    }
  };
  return (
    <div className="relative overflow-x-auto px-3.5 py-3">
      <table
        ref={table}
        role="grid"
        aria-label="Mails by account and day"
        onKeyDown={press}
        className="border-separate border-spacing-0.5"
      >
        <tbody>
          {columns.length >= FEWEST_DRAWN && (
            <tr aria-hidden>
              <td className={NAME}>
                <PlanAxis columns={columns} />
              </td>
              <td colSpan={columns.length}>
                <PlanLine columns={columns} />
              </td>
            </tr>
          )}
          <tr>
            <th role="columnheader" className={NAME}>
              <span className="sr-only">Account</span>
            </th>
            {columns.map((each, n) => (
              <Head key={each.date} column={each} by={by} first={n === 0} />
            ))}
          </tr>
          {accountIds.map((id, line) => {
            const account = accountOf(id);
            const paused = account.status === 'paused';
            return (
              <tr key={id}>
                <th role="rowheader" scope="row" className={classNames(NAME, paused && 'text-retry!')}>
                  <span className="block truncate">
                    <Untrusted text={account.name} />
                  </span>
                  {paused && <span className="sr-only">, paused</span>}
                </th>
                {columns.map((each, place) => (
                  <td
                    key={each.date}
                    role="gridcell"
                    data-cell={`${line} ${place}`}
                    tabIndex={line === row && place === column ? 0 : -1}
                    aria-label={`${visible(account.name)}, ${dateOf(each.date, by)}, ${cellWords(cell(id, each.date), each.when)}`}
                    onFocus={() => setAt([line, place])}
                    className="p-0"
                  >
                    <Link
                      to="/queue"
                      search={mailsOf(campaign.id, each, by, id)}
                      tabIndex={-1}
                      aria-hidden
                      className="block text-inherit no-underline"
                    >
                      <Box
                        {...{ cell: cell(id, each.date), when: each.when, paused }}
                        shut={by === 'days' && shut(id, each.date)}
                      />
                    </Link>
                  </td>
                ))}
              </tr>
            );
          })}
          <tr>
            <th role="rowheader" scope="row" className={NAME}>
              All
            </th>
            {columns.map((each) => {
              const n = each.when === 'future' ? each.planned : each.sent;
              return (
                <td
                  key={each.date}
                  role="gridcell"
                  className="figures p-0 text-center text-[11px] text-ink-2"
                >
                  {n > 0 && (
                    <Link
                      to="/queue"
                      search={mailsOf(campaign.id, each, by)}
                      tabIndex={-1}
                      aria-label={`All, ${dateOf(each.date, by)}: ${n}`}
                      className={classNames(
                        'block no-underline hover:underline',
                        each.when === 'future' ? 'text-ink-2' : 'font-bold text-ink',
                      )}
                    >
                      {numberWords(n)}
                    </Link>
                  )}
                </td>
              );
            })}
          </tr>
        </tbody>
      </table>
      {columns.length >= FEWEST_DRAWN && <PlanWords columns={columns} />}
    </div>
  );
}

/** What a cell counts: what left on a day that is over, what is to leave on one to come, and both of today. */
const mailsOf = (campaignId: string, { date, when }: Column, by: Props['by'], accountId?: string) => ({
  campaignId,
  ...(accountId !== undefined && { accountId }),
  day: by === 'days' ? date : `${date}/${weekEnd(date)}`,
  ...(when !== 'now' && { state: when === 'past' ? 'sent' : 'scheduled,queued,retry_scheduled' }),
});

const NAME = 'sticky left-0 z-10 w-24 max-w-32 min-w-20 bg-surface pr-2 text-left text-table font-normal';
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ...{
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    Home: [0, -999],
    End: [0, 999],
  },
};
const clamp = (n: number, length: number): number => Math.max(0, Math.min(length - 1, n));
const dateOf = (date: string, by: Props['by']): string => (by === 'days' ? dateWords(date) : weekWords(date));

function cellWords(cell: Cell | undefined, when: Column['when']): string {
  if (!cell) return 'nothing';
  const { sent, planned, quota } = cell;
  if (when === 'past') return `${sent} sent of ${quota}`;
  if (when === 'now') return `${sent} sent, ${planned} planned of ${quota}`;
  return `${planned} planned of ${quota}`;
}

function Head({
  column: { date, when },
  by,
  first,
}: {
  readonly column: Column;
  readonly by: Props['by'];
  readonly first: boolean;
}) {
  const begins = first || Number(date.slice(8)) <= (by === 'days' ? 1 : 7);
  return (
    <th
      role="columnheader"
      data-now={when === 'now' ? '' : undefined}
      className="min-w-6 p-0 text-center text-[11px] font-normal text-ink-2"
    >
      <span aria-hidden className="block h-4 text-left font-bold text-ink">
        {begins ? MONTHS[Number(date.slice(5, 7)) - 1] : ''}
      </span>
      <span
        aria-hidden
        className={classNames(
          'figures block rounded-mark',
          when === 'now' && 'bg-primary font-bold text-on-primary',
        )}
      >
        {shortDateWords(date)}
      </span>
      <span className="sr-only">
        {dateOf(date, by)}
        {when === 'now' && ', today'}
      </span>
    </th>
  );
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function Box({
  cell,
  when,
  paused,
  shut,
}: {
  readonly cell: Cell | undefined;
  readonly when: Column['when'];
  readonly paused: boolean;
  readonly shut: boolean;
}) {
  if (!cell || cell.sent + cell.planned + cell.launched === 0)
    return <span className={classNames(BOX, shut ? 'holiday' : 'border border-line')} />;
  if (when === 'past')
    return (
      <span
        className={classNames(BOX, cell.sent > 0 ? HEATS[heatOf(cell)] : 'border border-line text-ink-2')}
      >
        {cell.sent}
      </span>
    );
  if (paused && cell.planned > 0)
    return <span className={`${BOX} border border-dashed border-retry text-retry`}>{cell.planned}</span>;
  if (when === 'now') {
    const share = Math.min(1, cell.sent / Math.max(1, cell.quota));
    return (
      <span className={`${BOX} relative overflow-hidden border-2 border-ink font-bold text-ink`}>
        <svg aria-hidden width="100%" height="100%" className="absolute inset-0">
          <rect width="100%" y={`${100 - 100 * share}%`} height={`${100 * share}%`} fill="var(--heat-2)" />
        </svg>
        <span className="relative">{cell.sent}</span>
      </span>
    );
  }
  return <span className={`${BOX} border border-(--heat-3)`}>{cell.planned}</span>;
}
