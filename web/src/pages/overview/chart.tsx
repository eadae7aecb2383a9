import { useEffect, useRef, useState } from 'react';
import type { Series } from '../../api/types';
import { stepOf, stretchWords } from './axis';
import { Plot, type Pointed } from './plot';
import { numberWords } from '../../parts/number-words';

interface Props {
  readonly series: Series;
  readonly zone: string;
  readonly label: string;
}

/**
 * What left and what failed over time. A slider to those who do not see it: the arrow keys go from point to point, and
 * each says its figures.
 */
export function Chart({ series, zone, label }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(undefined);
  const [pointed, setPointed] = useState<Pointed>();
  useEffect(() => {
    if (!place.current) return;
    const drawn = new Plot(place.current, zone, setPointed);
    plot.current = drawn;
    return () => drawn.close();
  }, [zone]);
  useEffect(() => plot.current?.show(series), [series, zone]);

  const last = series.length - 1;
  const index = Math.min(pointed?.index ?? last, last);
  const words = wordsOf(series, index, zone);
  const press = (event: React.KeyboardEvent) => {
    const target = targetOf(event.key, pointed ? index : undefined, last);
    if (target === undefined) return;
    event.preventDefault();
    plot.current?.pointAt(target === 'away' ? undefined : target);
  };
  return (
    <div className="relative flex-1">
      <div
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, index)}
        aria-valuetext={words ? `${words.stretch}: ${words.counts}` : undefined}
        onKeyDown={press}
        onBlur={() => plot.current?.pointAt(undefined)}
        className="absolute inset-0 overflow-hidden rounded-b-panel -outline-offset-2 [&_.u-cursor-x]:border-ink-2"
      />
      {pointed && words && <Bubble {...words} leftPx={pointed.leftPx} onRight={index < series.length / 2} />}
    </div>
  );
}

interface Words {
  readonly stretch: string;
  readonly counts: string;
}

function wordsOf(series: Series, index: number, zone: string): Words | undefined {
  const point = series[index];
  if (!point) return undefined;
  return {
    stretch: stretchWords(Date.parse(point.at), stepOf(series), zone),
    counts: `${numberWords(point.sent)} sent, ${numberWords(point.failed)} failed`,
  };
}

/** Where a key leads to. From nowhere to the latest point. */
function targetOf(key: string, from: number | undefined, last: number): number | 'away' | undefined {
  if (key === 'Escape' && from !== undefined) return 'away';
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  if (from === undefined) return last;
  return Math.max(0, Math.min(last, from + (key === 'ArrowLeft' ? -1 : 1)));
}

function Bubble({
  stretch,
  counts,
  leftPx,
  onRight,
}: Words & { readonly leftPx: number; readonly onRight: boolean }) {
  return (
    <div
      aria-hidden
      style={{ left: leftPx }}
      className={`figures pointer-events-none absolute top-4 z-10 rounded-control bg-primary px-2.5 py-1.5 text-note whitespace-nowrap text-on-primary shadow-float ${onRight ? 'translate-x-3' : '-translate-x-[calc(100%+12px)]'}`}
    >
      <div className="font-bold">{stretch}</div>
      {counts}
    </div>
  );
}
