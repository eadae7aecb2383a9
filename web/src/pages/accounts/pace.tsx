import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ofPace } from '../../api/accounts';
import type { AccountPace } from '../../api/types';
import { buttonLook } from '../../parts/button';
import { DayMarks } from '../../parts/charts/day-marks';
import { PlanColumns } from '../../parts/charts/plan-columns';
import { Failure } from '../../parts/failure';
import { numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { SkeletonRows } from '../../parts/skeleton';
import { visible } from '../../parts/visible';
import { useNow } from '../../time/clock';
import { timeOf, zoneName } from '../../time/words';
import { dateWords } from '../../time/dates';
import { rowName, type AccountRow } from './rows';

interface Props {
  readonly row: Pick<AccountRow, 'account' | 'action'>;
  /** With the way to its own page. */
  readonly door?: boolean;
}

/** How one account goes about one thing: day by day, and today mail by mail. */
export function Pace({ row, door = false }: Props) {
  const { account, action } = row;
  const { data, error, refetch } = useQuery(ofPace(account.id, action));
  const name = visible(rowName(row));
  if (error && !data) return <Failure error={error} what="its days" onRetry={() => void refetch()} />;
  // What is still shown of another account would be a lie about this one.
  if (data?.accountId !== account.id || data.action !== action) return <SkeletonRows rows={5} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-stretch gap-4 xl:grid-cols-[minmax(0,1fr)_452px]">
      <RampUp pace={data} name={name} />
      <Today pace={data} name={name} door={door} />
    </div>
  );
}

function RampUp({ pace, name }: { readonly pace: AccountPace; readonly name: string }) {
  const { days, number, limit, total, rampUp } = pace;
  const highest = Math.max(limit, ...days.map(({ sent, planned }) => sent + planned));
  return (
    <PlanColumns
      title={`${name}, ${rampUp ? 'ramp-up' : 'sending days'}`}
      note="mails per sending day"
      head="Sending day"
      columns={days.map((day) => ({
        key: day.date,
        label: String(day.number),
        now: day.number === number,
        ...{ sent: day.sent, planned: day.planned, quota: day.quota },
      }))}
      words={
        rampUp
          ? `quota of the day: min(${limit}, ${rampUp.start} + ${rampUp.step} × (n − 1))`
          : `quota: ${numberWords(limit)} a day`
      }
      line={
        // Far above, it would press everything else into the ground.
        total > highest && total <= 1.5 * highest
          ? { at: total, words: `all accounts, ${numberWords(total)} a day` }
          : undefined
      }
      caption={captionOf(pace)}
    />
  );
}

function captionOf({ days, number, limit, rampUp }: AccountPace): string {
  const today = days.find((day) => day.number === number);
  const where = `sending day n, today is day ${number}`;
  if (!rampUp || !today) return where;
  const full = days.find(({ quota }) => quota >= limit);
  if (!full) return `${where}; the full quota lies beyond these days`;
  if (full.number < number) return `${where}; full quota since day ${full.number} or before`;
  return full.number === number
    ? `${where}; full quota since today`
    : `${where}; full quota on day ${full.number}, ${dateWords(full.date)}, if it sends on each before`;
}

function Today({
  pace,
  name,
  door,
}: {
  readonly pace: AccountPace;
  readonly name: string;
  readonly door: boolean;
}) {
  const now = useNow();
  const { sent, planned, next, opensAt, closesAt, timezone, facts, accountId } = pace;
  const zone = zoneName(timezone, now);
  const when = next === null ? '' : `, next ${timeOf(Date.parse(next), timezone)} ${zone}`;
  const note = `${numberWords(sent.length)} sent, ${numberWords(planned.length)} to come${planned.length > 0 ? when : ''}`;
  return (
    <Panel
      title={`${name}, today`}
      note={note}
      {...(door && {
        aside: (
          <Link to="/accounts/$accountId" params={{ accountId }} className={buttonLook()}>
            Open
            <kbd aria-hidden className="ml-1 text-note opacity-75 coarse:hidden">
              Enter
            </kbd>
          </Link>
        ),
      })}
    >
      {opensAt !== null && closesAt !== null && (
        <DayMarks
          opensAt={Date.parse(opensAt)}
          closesAt={Date.parse(closesAt)}
          now={now}
          sent={sent.map(Date.parse)}
          planned={planned.map(Date.parse)}
          time={(instant) => timeOf(instant, timezone)}
        />
      )}
      <dl>
        {facts.map(({ name: fact, value, from }) => (
          <div key={fact} className="flex items-baseline gap-3 border-t border-line px-3.5 py-1 text-table">
            <dt className="w-32 shrink-0 text-ink-2 max-sm:w-24">{fact}</dt>
            <dd className="min-w-0 flex-1">{value}</dd>
            <dd className="shrink-0 text-note text-ink-2">{FROM[from]}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

const FROM = { own: 'its own', workspace: 'workspace', usual: 'usual' } as const;
