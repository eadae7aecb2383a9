import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { BrokerRange } from '../../api/workers';
import type { WorkForce } from '../../api/types';
import { classNames } from '../../parts/class-names';
import { SeriesTable } from '../../parts/charts/series-table';
import { useHatch } from '../../parts/charts/hatch';
import { numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { timeOf, zoneName } from '../../time/words';
import { useZone } from '../../time/zone';
import { areaOf, awayOf, ticksOf, X, Y } from './broker-shape';

export type Series = WorkForce['series'];

const SWITCH = 'flex min-h-6 items-center px-2.5 text-note font-semibold no-underline coarse:min-h-11';
const ON = 'border-primary bg-primary text-on-primary';
const OFF = 'border-line-strong text-ink hover:bg-hover';

/** How much lay in the broker, and when it was away. */
export function InTheBroker({ series, range }: { readonly series: Series; readonly range: BrokerRange }) {
  const [asTable, setAsTable] = useState(false);
  const zone = useZone();
  const last = series.at(-1);
  return (
    <Panel
      title="In the broker"
      note={`mails, ${zoneName(zone, last ? Date.parse(last.at) : 0)}`}
      aside={
        <>
          <button
            type="button"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
            className={classNames(SWITCH, 'rounded-control border', asTable ? ON : OFF)}
          >
            Table
          </button>
          <nav aria-label="Range" className="flex overflow-hidden rounded-control border border-line-strong">
            {(['1h', '24h'] as const).map((each) => (
              <Link
                key={each}
                to="/workers"
                replace
                resetScroll={false}
                search={each === '1h' ? {} : { range: each }}
                aria-current={each === range ? 'true' : undefined}
                className={classNames(
                  SWITCH,
                  '-outline-offset-2',
                  each === range ? ON : 'text-ink hover:bg-hover',
                )}
              >
                {each.replace('h', ' h')}
              </Link>
            ))}
          </nav>
        </>
      }
    >
      {asTable ? (
        <SeriesTable
          label="In the broker"
          heads={['From', 'Mails at most']}
          rows={[...series].reverse().map(({ at, queued, away }) => ({
            key: at,
            head: `${timeOf(Date.parse(at), zone)}${away ? ', broker away' : ''}`,
            cells: [queued],
          }))}
        />
      ) : (
        <Drawing series={series} zone={zone} />
      )}
    </Panel>
  );
}

/** By attributes alone: no style may stand in the page. */
function Drawing({ series, zone }: { readonly series: Series; readonly zone: string }) {
  const [pattern, hatch] = useHatch();
  const most = Math.max(0, ...series.map(({ queued }) => queued));
  const ticks = ticksOf(most);
  const top = ticks.at(-1) ?? 1;
  const { area, line } = areaOf(series, top);
  const away = awayOf(series);
  const labels = [0, Math.floor(series.length / 2), series.length - 1].flatMap((n) => {
    const point = series[n];
    return point ? [{ n, text: timeOf(Date.parse(point.at), zone) }] : [];
  });
  return (
    <svg
      role="img"
      aria-label={`At most ${numberWords(most)} at once.${away.length > 0 ? ' The broker was away for a while.' : ''}`}
      viewBox={`0 0 ${X.right + 8} ${Y.bottom + 22}`}
      className="block w-full px-1 py-2"
    >
      {pattern}
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={X.left} x2={X.right} y1={Y.of(tick, top)} y2={Y.of(tick, top)} stroke="var(--grid)" />
          <text x={X.left - 6} y={Y.of(tick, top) + 4} textAnchor="end" fontSize="11" fill="var(--ink-2)">
            {numberWords(tick)}
          </text>
        </g>
      ))}
      {away.map(([from, to]) => (
        <rect
          key={from}
          x={X.of(from - 0.5, series.length)}
          width={X.of(to + 0.5, series.length) - X.of(from - 0.5, series.length)}
          y={Y.top}
          height={Y.bottom - Y.top}
          fill={hatch}
          opacity="0.35"
        />
      ))}
      <path d={area} fill="var(--bar)" opacity="0.2" />
      <path d={line} fill="none" stroke="var(--bar)" strokeWidth="1.5" />
      {labels.map(({ n, text }) => (
        <text
          key={n}
          x={X.of(n, series.length)}
          y={Y.bottom + 17}
          textAnchor={n === 0 ? 'start' : n === series.length - 1 ? 'end' : 'middle'}
          fontSize="11"
          fill="var(--ink-2)"
        >
          {text}
        </text>
      ))}
    </svg>
  );
}
