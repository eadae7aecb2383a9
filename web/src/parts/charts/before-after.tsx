import { useState } from 'react';
import { Button } from '../button';
import { numberWords } from '../number-words';
import { Panel } from '../panel';
import { dateWords, shortDateWords } from '../../time/dates';
import { useHatch } from './hatch';
import { SeriesTable } from './series-table';

export interface DayChange {
  /** `2026-11-17`, or a word where there is no date. */
  readonly date: string;
  readonly now: number;
  readonly then: number;
  /** What may be at most, drawn as a line; what is above it now is over. */
  readonly room?: number;
}

interface Props {
  readonly title: string;
  readonly note: string;
  readonly days: readonly DayChange[];
  readonly words: readonly [now: string, then: string];
  /** Where there is little room: what is now as a line over what would be. */
  readonly narrow?: boolean;
  readonly children?: React.ReactNode;
}

const MOST_DRAWN = 10;
const HEIGHT = 92;

/** What a change does, by day: outlined as it is, hatched as it would be. The same as a table for who asks. */
export function BeforeAfter({ title, note, days, words, narrow = false, children }: Props) {
  const [asTable, setAsTable] = useState(false);
  const withRoom = days.some(({ room }) => room !== undefined);
  return (
    <Panel
      title={title}
      note={note}
      aside={
        <>
          {!narrow && <Legend words={words} narrow={narrow} withRoom={withRoom} />}
          <Button aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            Table
          </Button>
        </>
      }
    >
      {asTable ? (
        <SeriesTable
          label={title}
          heads={['Day', ...words, ...(withRoom ? ['room'] : [])]}
          rows={days.map(({ date, now, then, room }) => ({
            key: date,
            head: dateWords(date),
            cells: [now, then, ...(room === undefined ? [] : [room])],
          }))}
        />
      ) : (
        <DayBars days={days} words={words} narrow={narrow} />
      )}
      {narrow && !asTable && (
        <div className="px-3.5 pb-2.5">
          <Legend words={words} narrow={narrow} withRoom={withRoom} />
        </div>
      )}
      {children}
    </Panel>
  );
}

const Legend = ({
  words: [now, then],
  narrow,
  withRoom,
}: Pick<Props, 'words'> & { readonly narrow: boolean; readonly withRoom: boolean }) => {
  const [pattern, hatch] = useHatch();
  return (
    <span
      aria-hidden
      className={`flex items-center gap-1.5 text-note text-ink-2 ${narrow ? '' : 'max-sm:hidden'}`}
    >
      <svg width="12" height="10">
        {narrow ? (
          <path d="M0 5H12" stroke="var(--retry)" strokeWidth="2" />
        ) : (
          <rect x="0.5" y="0.5" width="11" height="9" fill="var(--grid)" stroke="var(--line-strong)" />
        )}
      </svg>
      {now}
      {withRoom && (
        <>
          <svg width="12" height="10" className="ml-1.5">
            <rect width="12" height="10" fill="var(--retry)" />
          </svg>
          over
        </>
      )}
      <svg width="12" height="10" className="ml-1.5">
        {pattern}
        <rect x="0.5" y="0.5" width="11" height="9" fill={hatch} stroke="var(--bar)" />
      </svg>
      {then}
      {withRoom && (
        <>
          <svg width="12" height="10" className="ml-1.5">
            <path d="M0 5H12" stroke="var(--ink)" strokeWidth="2" />
          </svg>
          room
        </>
      )}
    </span>
  );
};

function DayBars({
  days,
  words: [now, then],
  narrow,
}: Pick<Props, 'days' | 'words'> & { readonly narrow: boolean }) {
  const drawn = days.slice(0, MOST_DRAWN);
  const most = Math.max(1, ...drawn.flatMap((day) => [day.now, day.then, day.room ?? 0]));
  const high = (n: number) => Math.round(((HEIGHT - 4) * n) / most);
  return (
    <div className="px-3.5 py-3">
      <ol className="flex gap-1">
        {drawn.map((day) => (
          <li key={day.date} className="max-w-36 min-w-0 flex-1 text-center">
            {narrow ? <Overlaid day={day} high={high} /> : <Beside day={day} high={high} />}
            {!narrow && (
              <span className="figures mt-1 block text-note">
                <span className="sr-only">{now} </span>
                <span className={isOver(day) ? 'font-semibold text-retry' : undefined}>
                  {numberWords(day.now)}
                </span>
                {day.now !== day.then && (
                  <>
                    <span aria-hidden> → </span>
                    <strong>
                      <span className="sr-only">, {then} </span>
                      {numberWords(day.then)}
                    </strong>
                  </>
                )}
              </span>
            )}
            <span className="block text-note text-ink-2">
              {narrow ? (
                <>
                  <span aria-hidden>{shortDateWords(day.date)}</span>
                  <span className="sr-only">
                    {dateWords(day.date)}: {now} {numberWords(day.now)}, {then} {numberWords(day.then)}
                  </span>
                </>
              ) : (
                dateWords(day.date)
              )}
            </span>
          </li>
        ))}
      </ol>
      {days.length > drawn.length && (
        <p className="mt-1.5 text-note text-ink-2">
          and {numberWords(days.length - drawn.length)} more days, in the table
        </p>
      )}
    </div>
  );
}

interface BarProps {
  readonly day: DayChange;
  readonly high: (n: number) => number;
}

const isOver = ({ now, room }: DayChange): boolean => room !== undefined && now > room;

function Beside({ day, high }: BarProps) {
  const [pattern, hatch] = useHatch();
  const within = Math.min(day.now, day.room ?? Infinity);
  return (
    <svg aria-hidden width="100%" height={HEIGHT} className="block">
      {pattern}
      <line x1="0" x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke="var(--line)" />
      <rect
        {...{ x: '8%', width: '40%', y: HEIGHT - high(within), height: high(within) }}
        {...{ fill: 'var(--grid)', stroke: 'var(--line-strong)' }}
      />
      {isOver(day) && (
        <rect
          {...{
            x: '8%',
            width: '40%',
            y: HEIGHT - high(day.now),
            height: Math.max(3, high(day.now) - high(within)),
          }}
          fill="var(--retry)"
        />
      )}
      <rect
        {...{ x: '52%', width: '40%', y: HEIGHT - high(day.then), height: high(day.then) }}
        {...{ fill: hatch, stroke: 'var(--bar)' }}
      />
      {day.room !== undefined && (
        <line
          {...{ x1: '4%', x2: '96%', y1: HEIGHT - high(day.room), y2: HEIGHT - high(day.room) }}
          {...{ stroke: 'var(--ink)', strokeWidth: 2 }}
        />
      )}
    </svg>
  );
}

function Overlaid({ day, high }: BarProps) {
  const [pattern, hatch] = useHatch();
  return (
    <svg aria-hidden width="100%" height={HEIGHT} className="block">
      {pattern}
      <line x1="0" x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke="var(--line)" />
      <rect
        {...{ x: '10%', width: '80%', y: HEIGHT - high(day.then), height: high(day.then) }}
        {...{ fill: hatch, stroke: 'var(--bar)' }}
      />
      <line
        {...{ x1: '0', x2: '100%', y1: HEIGHT - high(day.now) - 1, y2: HEIGHT - high(day.now) - 1 }}
        {...{ stroke: 'var(--retry)', strokeWidth: 2 }}
      />
    </svg>
  );
}
