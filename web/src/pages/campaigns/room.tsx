import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ofRoom } from '../../api/campaigns';
import type { CampaignRoom } from '../../api/types';
import { Button } from '../../parts/button';
import { useHatch } from '../../parts/charts/hatch';
import { SeriesTable } from '../../parts/charts/series-table';
import { numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { useFromNow } from '../../time/clock';
import { dateWords } from '../../time/dates';
import { useZone } from '../../time/zone';
import { dateIn } from './date-in';

const HEIGHT = 56;
const TITLE = 'Room in the next two weeks';

/** What is planned for the next sending days, and what the accounts may send. */
export function Room() {
  const { data } = useQuery(ofRoom());
  const [asTable, setAsTable] = useState(false);
  if (!data || data.days.length === 0) return null;
  return (
    <Panel
      title={TITLE}
      note="mails a day of all campaigns: solid has left, hatched is to come; the line is what the accounts may send"
      aside={
        <>
          <Link to="/limits" className="text-table no-underline hover:underline">
            Limits
          </Link>
          <Link to="/accounts" className="text-table no-underline hover:underline">
            Accounts
          </Link>
          <Button aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            Table
          </Button>
        </>
      }
    >
      {asTable ? (
        <SeriesTable
          label={TITLE}
          heads={['Day', 'sent', 'planned', 'may leave']}
          rows={data.days.map(({ date, sent, planned, capacity }) => ({
            key: date,
            head: dateWords(date),
            cells: [sent, planned, capacity],
          }))}
        />
      ) : (
        <Days days={data.days} />
      )}
    </Panel>
  );
}

function Days({ days }: Pick<CampaignRoom, 'days'>) {
  const zone = useZone();
  const today = useFromNow((now) => dateIn(zone, now));
  const most = Math.max(1, ...days.flatMap(({ sent, planned, capacity }) => [sent + planned, capacity]));
  const high = (n: number) => Math.round(((HEIGHT - 2) * n) / most);
  return (
    <ol className="flex gap-1.5 overflow-x-auto px-3.5 py-3" tabIndex={0} aria-label="Days">
      {days.map((day) => (
        <li key={day.date} className="min-w-16 flex-1 text-center">
          <span className="figures block text-note whitespace-nowrap">
            <strong>{numberWords(day.sent + day.planned)}</strong>
            <span className="text-ink-2"> of {numberWords(day.capacity)}</span>
          </span>
          <Bar
            sent={high(day.sent)}
            planned={high(day.planned)}
            capacity={high(day.capacity)}
            over={day.sent + day.planned > day.capacity}
          />
          {day.date === today ? (
            <strong className="block text-note">today</strong>
          ) : (
            <span className="block text-note whitespace-nowrap text-ink-2">{dateWords(day.date)}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

function Bar({
  sent,
  planned,
  capacity,
  over,
}: {
  readonly sent: number;
  readonly planned: number;
  readonly capacity: number;
  readonly over: boolean;
}) {
  const [pattern, hatch] = useHatch();
  return (
    <svg aria-hidden width="100%" height={HEIGHT} className="my-1 block">
      {pattern}
      <rect
        x="6%"
        width="88%"
        y={HEIGHT - sent - planned}
        height={planned}
        fill={hatch}
        stroke={over ? 'var(--retry)' : 'var(--bar)'}
      />
      <rect x="6%" width="88%" y={HEIGHT - sent} height={sent} fill="var(--bar)" />
      <line
        x1="0"
        x2="100%"
        y1={HEIGHT - capacity}
        y2={HEIGHT - capacity}
        stroke="var(--ink)"
        strokeWidth="2"
      />
    </svg>
  );
}
