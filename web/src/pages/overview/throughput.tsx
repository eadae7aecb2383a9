import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Range } from '../../api/queries';
import type { Series } from '../../api/types';
import { classNames } from '../../parts/class-names';
import { Panel } from '../../parts/panel';
import { zoneName } from '../../time/words';
import { useNow } from '../../time/clock';
import { useZone } from '../../time/zone';
import { rangeOf } from './axis';
import { ThroughputTable } from './throughput-table';

/** The library that draws is as large as the rest of the page: the plate does not wait for it. */
const Chart = lazy(async () => ({ default: (await import('./chart')).Chart }));

const UNITS: Record<Range, string> = {
  '1h': 'mails per minute',
  '24h': 'mails per hour',
  '7d': 'mails per hour',
};
const HEIGHT = 'min-h-[304px] max-sm:min-h-44';

export function Throughput({ series, range }: { readonly series: Series; readonly range: Range }) {
  const [asTable, setAsTable] = useState(false);
  const zone = useZone();
  const zoned = zoneName(zone, useNow());
  const unit = UNITS[rangeOf(series)];
  return (
    <Panel
      title="Throughput"
      note={`${unit}, ${zoned}`}
      className="flex flex-col"
      aside={
        <>
          <Legend className="max-sm:hidden" />
          <button
            type="button"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
            className={classNames(SWITCH, 'rounded-control border', asTable ? ON : OFF)}
          >
            Table
          </button>
          <Ranges chosen={range} />
        </>
      }
    >
      <div className={`relative flex flex-1 flex-col ${HEIGHT}`}>
        {asTable ? (
          <ThroughputTable series={series} zone={zone} />
        ) : (
          <Suspense fallback={null}>
            <Chart series={series} zone={zone} label={`Throughput, ${unit}`} />
          </Suspense>
        )}
      </div>
      <Legend className="px-3.5 pb-2.5 sm:hidden" />
    </Panel>
  );
}

const SWITCH = 'flex min-h-6 items-center px-2.5 text-note font-semibold no-underline coarse:min-h-11';
const ON = 'border-primary bg-primary text-on-primary';
const OFF = 'border-line-strong text-ink hover:bg-hover';

const RANGES: readonly (readonly [Range, string])[] = [
  ['1h', '1 h'],
  ['24h', '24 h'],
  ['7d', '7 d'],
];

const Ranges = ({ chosen }: { readonly chosen: Range }) => (
  <nav aria-label="Range" className="flex overflow-hidden rounded-control border border-line-strong">
    {RANGES.map(([range, words]) => (
      <Link
        key={range}
        to="/"
        replace
        resetScroll={false}
        search={range === '1h' ? {} : { range }}
        aria-current={range === chosen ? 'true' : undefined}
        className={classNames(SWITCH, '-outline-offset-2', range === chosen ? ON : 'text-ink hover:bg-hover')}
      >
        {words}
      </Link>
    ))}
  </nav>
);

const Legend = ({ className }: { readonly className: string }) => (
  <div className={`flex gap-3 text-note text-ink-2 ${className}`}>
    <span className="flex items-center gap-1.5">
      <span aria-hidden className="h-2.5 w-3 bg-bar" />
      sent, up
    </span>
    <span className="flex items-center gap-1.5">
      <span aria-hidden className="h-2.5 w-3 border-[1.5px] border-dead" />
      failed, down
    </span>
  </div>
);
