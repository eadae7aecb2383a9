import { useState } from 'react';
import { Button } from '../button';
import { numberWords } from '../number-words';
import { Panel } from '../panel';
import { SeriesTable } from './series-table';
import { useHatch } from './hatch';

export interface PlanColumn {
  readonly key: string;
  readonly label: string;
  readonly sent: number;
  readonly planned: number;
  readonly quota: number;
  readonly now?: boolean;
}

interface Props {
  readonly title: string;
  readonly note: string;
  readonly columns: readonly PlanColumn[];
  /** What the line of quotas is, in words. */
  readonly words: string;
  /** A limit above all of them. */
  readonly line?: { readonly at: number; readonly words: string } | undefined;
  readonly caption: React.ReactNode;
  /** What the columns are, as the head of a table. */
  readonly head: string;
}

/** Solid what left, hatched what is to come, a step line for what may. The same as a table for who asks. */
export function PlanColumns({ title, note, columns, words, line, caption, head }: Props) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Panel
      title={title}
      note={note}
      aside={
        <>
          <Legend />
          <Button aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            Table
          </Button>
        </>
      }
    >
      {asTable ? (
        <SeriesTable
          label={title}
          heads={[head, 'sent', 'planned', 'quota']}
          rows={columns.map(({ key, label, sent, planned, quota }) => ({
            key,
            head: label,
            cells: [sent, planned, quota],
          }))}
        />
      ) : (
        <Columns columns={columns} line={line} words={words} />
      )}
      <p className="px-3.5 pb-2.5 text-note text-ink-2">{caption}</p>
    </Panel>
  );
}

function Legend() {
  const [pattern, hatch] = useHatch();
  return (
    <span aria-hidden className="flex items-center gap-1.5 text-note text-ink-2 max-sm:hidden">
      <svg width="12" height="10">
        <rect width="12" height="10" fill="var(--bar)" />
      </svg>
      sent
      <svg width="12" height="10" className="ml-1.5">
        {pattern}
        <rect x="0.5" y="0.5" width="11" height="9" fill={hatch} stroke="var(--bar)" />
      </svg>
      planned
      <svg width="12" height="10" className="ml-1.5">
        <path d="M0 5H12" stroke="var(--ink)" strokeWidth="2" />
      </svg>
      quota
    </span>
  );
}

const HEIGHT = 176;
const TOP = 20;
const FOOT = 20;
const LEFT_PX = 34;

function Columns({ columns, line, words }: Pick<Props, 'columns' | 'line' | 'words'>) {
  const [pattern, hatch] = useHatch();
  const most = Math.max(
    1,
    line?.at ?? 0,
    ...columns.map(({ quota, sent, planned }) => Math.max(quota, sent + planned)),
  );
  const grid = gridOf(most);
  const high = Math.max(most, grid.at(-1) ?? 1);
  const y = (n: number) => TOP + (HEIGHT - TOP - FOOT) * (1 - n / high);
  const width = 100 / columns.length;
  const at = (place: number, share = 0) => `${width * (place + share)}%`;
  const sum = columns.map(
    ({ label, sent, planned, quota }) => `${label}: ${sent} sent, ${planned} planned of ${quota}`,
  );
  return (
    <div className="flex px-3.5 pt-2" role="img" aria-label={`${words}. ${sum.join('; ')}.`}>
      <svg aria-hidden width={LEFT_PX} height={HEIGHT} className="shrink-0" fontSize="12">
        {grid.map((n) => (
          <text key={n} x={LEFT_PX - 8} y={y(n) + 4} textAnchor="end" fill="var(--ink-2)" className="figures">
            {numberWords(n)}
          </text>
        ))}
      </svg>
      <svg aria-hidden height={HEIGHT} className="min-w-0 flex-1 overflow-visible" fontSize="12">
        {pattern}
        {grid.map((n) => (
          <line key={n} x1="0" x2="100%" y1={y(n)} y2={y(n)} stroke="var(--grid)" />
        ))}
        {columns.map(({ key, label, sent, planned, quota, now = false }, place) => (
          <g key={key}>
            <rect
              x={at(place, 0.1)}
              width={`${width * 0.8}%`}
              y={y(sent)}
              height={y(0) - y(sent)}
              fill="var(--bar)"
            />
            <rect
              x={at(place, 0.1)}
              width={`${width * 0.8}%`}
              y={y(sent + planned)}
              height={y(sent) - y(sent + planned)}
              fill={hatch}
            />
            <line
              x1={at(place)}
              x2={at(place, 1)}
              y1={y(quota)}
              y2={y(quota)}
              stroke="var(--ink)"
              strokeWidth="2"
            />
            {place > 0 && (
              <line
                x1={at(place)}
                x2={at(place)}
                y1={y(columns[place - 1]?.quota ?? quota)}
                y2={y(quota)}
                stroke="var(--ink)"
                strokeWidth="2"
              />
            )}
            <text
              x={at(place, 0.5)}
              y={HEIGHT - 5}
              textAnchor="middle"
              fill={now ? 'var(--ink)' : 'var(--ink-2)'}
              fontWeight={now ? 700 : 400}
              className="figures"
            >
              {label}
            </text>
          </g>
        ))}
        {line && (
          <>
            <line
              x1="0"
              x2="100%"
              y1={y(line.at)}
              y2={y(line.at)}
              stroke="var(--ink-3)"
              strokeDasharray="4 3"
            />
            <text x="100%" y={y(line.at) + 14} textAnchor="end" fill="var(--ink-2)">
              {line.words}
            </text>
          </>
        )}
        <text
          x="100%"
          y={y(Math.max(...columns.map(({ quota }) => quota))) - 6}
          textAnchor="end"
          fill="var(--ink)"
          fontWeight="660"
          className="max-sm:hidden"
        >
          {words}
        </text>
      </svg>
    </div>
  );
}

/** At most five lines, at round numbers, from 0 on. */
export function gridOf(most: number): number[] {
  const rough = most / 4;
  const size = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((n) => n * size).find((each) => each >= rough) ?? 10 * size;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
}
