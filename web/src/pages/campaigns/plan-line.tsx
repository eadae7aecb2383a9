import { numberWords } from '../../parts/number-words';
import type { Column } from './calendar-grid';

const HEIGHT = 88;

const mostOf = (columns: readonly Column[]): number =>
  Math.max(1, ...columns.flatMap(({ launchedSoFar, comesTo }) => [launchedSoFar, comesTo]));
const heightOf = (share: number): number => HEIGHT - 4 - (HEIGHT - 12) * share;

/** What its lines stand for, beside them. */
export function PlanAxis({ columns }: { readonly columns: readonly Column[] }) {
  const most = mostOf(columns);
  return (
    <svg width="100%" height={HEIGHT} className="figures block text-[11px]">
      {[0, 0.5, 1]
        .filter((share) => Number.isInteger(share * most))
        .map((share) => (
          <text key={share} x="100%" y={heightOf(share) + 4} textAnchor="end" fill="var(--ink-2)">
            {numberWords(share * most)}
          </text>
        ))}
    </svg>
  );
}

/** The same in words: where each of them ends. */
export function PlanWords({ columns }: { readonly columns: readonly Column[] }) {
  const last = columns.at(-1);
  if (!last) return null;
  return (
    <p className="sticky left-0 mt-2 text-note text-ink-2">
      Planned at launch: <strong className="figures">{numberWords(last.launchedSoFar)}</strong> (dashed).
      Sent: <strong className="figures">{numberWords(last.sentSoFar)}</strong> (solid). As things are it comes
      to <strong className="figures">{numberWords(last.comesTo)}</strong> (dotted).
    </p>
  );
}

/** The plan of the launch dashed, what left solid, what is to come dotted: all from 0, over the days below it. */
export function PlanLine({ columns }: { readonly columns: readonly Column[] }) {
  const most = mostOf(columns);
  const x = (n: number) => (n + 0.5) * 10;
  const y = (n: number) => heightOf(n / most);
  const now = columns.findLastIndex(({ when }) => when !== 'future');
  const line = (of: (column: Column) => number, from: number, to: number) =>
    columns
      .slice(from, to + 1)
      .map((column, n) => `${x(from + n)},${y(of(column))}`)
      .join(' ');
  const look = { fill: 'none', vectorEffect: 'non-scaling-stroke' } as const;
  const last = columns.length - 1;
  return (
    <svg
      width="100%"
      height={HEIGHT}
      viewBox={`0 0 ${columns.length * 10} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block"
    >
      {[0, 0.5, 1].map((share) => (
        <line
          key={share}
          x1="0"
          x2={columns.length * 10}
          y1={y(share * most)}
          y2={y(share * most)}
          stroke="var(--grid)"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      <polyline
        points={line(({ launchedSoFar }) => launchedSoFar, 0, last)}
        {...look}
        stroke="var(--ink-3)"
        strokeDasharray="5 4"
      />
      {now >= 0 && (
        <polyline
          points={line(({ sentSoFar }) => sentSoFar, 0, now)}
          {...look}
          stroke="var(--bar)"
          strokeWidth="2"
        />
      )}
      <polyline
        points={line(({ comesTo }) => comesTo, Math.max(0, now), last)}
        {...look}
        stroke="var(--bar)"
        strokeWidth="1.5"
        strokeDasharray="2 3"
      />
    </svg>
  );
}
