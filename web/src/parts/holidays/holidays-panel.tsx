import { ChevronDown, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { dateWords, monthWords } from '../../time/dates';
import { useFromNow } from '../../time/clock';
import { Button } from '../button';
import { counted } from '../number-words';
import { Panel } from '../panel';
import { CountryDialog } from './country-dialog';
import { MonthGrid } from './month-grid';
import { monthAfter, monthOf, withDates } from './month';

/** The dates of all countries weigh more than all pages together: they come when somebody asks for them. */
const CountryChoice = lazy(() =>
  import('./country-choice').then(({ CountryChoice: component }) => ({ default: component })),
);

interface Props {
  readonly holidays: readonly string[];
  /** What is stored: others are marked as new. */
  readonly saved: readonly string[];
  /** Those that hold as well, and are changed elsewhere. */
  readonly also?: readonly string[];
  readonly timezone: string;
  readonly error?: string | undefined;
  /** Undefined: they are only looked at. */
  readonly onChange: ((holidays: readonly string[]) => void) | undefined;
}

const MOST_SHOWN = 24;
const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;
const TURN =
  'grid size-7 place-items-center rounded-control text-ink-2 hover:bg-hover hover:text-ink coarse:size-11';

/** Days on which nothing leaves: chosen in a month, typed, or taken from a country. */
export function HolidaysPanel({ holidays, saved, also = [], timezone, error, onChange }: Props) {
  const today = useFromNow((now) => localDate(now, timezone));
  const [month, setMonth] = useState(monthOf(today));
  const [asking, setAsking] = useState(false);
  const coming = holidays.filter((date) => date >= today);
  const past = holidays.length - coming.length;
  const toggle = (date: string) =>
    onChange?.(
      holidays.includes(date) ? holidays.filter((each) => each !== date) : withDates(holidays, [date]),
    );
  return (
    <Panel
      title="Holidays"
      note={monthWords(month)}
      aside={
        <span className="flex">
          <button
            type="button"
            aria-label="The month before"
            className={TURN}
            onClick={() => setMonth(monthAfter(month, -1))}
          >
            <ChevronDown {...ICON} className="rotate-90" />
          </button>
          <button
            type="button"
            aria-label="The month after"
            className={TURN}
            onClick={() => setMonth(monthAfter(month, 1))}
          >
            <ChevronDown {...ICON} className="-rotate-90" />
          </button>
        </span>
      }
    >
      <div className="px-3.5 pt-1 pb-2">
        <MonthGrid {...{ month, holidays, also, today }} onMonth={setMonth} onToggle={onChange && toggle} />
      </div>
      <div className="flex flex-wrap items-center gap-1.5 border-t border-line px-3.5 py-2.5">
        {error !== undefined && <p className="w-full text-note font-semibold text-dead">{error}</p>}
        {coming.slice(0, MOST_SHOWN).map((date) => (
          <span
            key={date}
            className={`inline-flex h-[26px] items-center gap-1 rounded-control border pl-2 text-note coarse:h-11 ${
              saved.includes(date) ? 'border-line-strong' : 'border-retry font-semibold'
            }`}
          >
            {dateWords(date)}
            {!saved.includes(date) && <span className="text-retry">new</span>}
            {onChange ? (
              <button
                type="button"
                aria-label={`Remove ${dateWords(date)}`}
                onClick={() => toggle(date)}
                className="grid h-full min-w-6 place-items-center text-ink-2 hover:text-ink disabled:hidden coarse:min-w-11"
              >
                <X size={11} strokeWidth={2} aria-hidden />
              </button>
            ) : (
              <span className="w-2" />
            )}
          </span>
        ))}
        {coming.length > MOST_SHOWN && (
          <span className="text-note text-ink-2">and {coming.length - MOST_SHOWN} more</span>
        )}
        {coming.length === 0 && <span className="text-note text-ink-2">None to come.</span>}
        {past > 0 && <span className="text-note text-ink-2">{counted(past, 'day')} are past.</span>}
        {also.length > 0 && (
          <span className="w-full text-note text-ink-2">
            {counted(also.length, 'day')} of the workspace hold as well.
          </span>
        )}
        {onChange && (
          <>
            <AddDate onAdd={(date) => onChange(withDates(holidays, [date]))} />
            <Button className="min-h-[26px]! text-note!" onClick={() => setAsking(true)}>
              Public holidays…
            </Button>
          </>
        )}
      </div>
      {asking && onChange && (
        <Suspense>
          <CountryChoice from={today}>
            {(choice) => (
              <CountryDialog
                choice={choice}
                present={[...holidays, ...also]}
                onAdd={(dates) => onChange(withDates(holidays, dates))}
                onClose={() => setAsking(false)}
              />
            )}
          </CountryChoice>
        </Suspense>
      )}
    </Panel>
  );
}

function AddDate({ onAdd }: { readonly onAdd: (date: string) => void }) {
  const [typed, setTyped] = useState<string>();
  if (typed === undefined)
    return (
      <button
        type="button"
        onClick={() => setTyped('')}
        className="inline-flex h-[26px] items-center gap-1 rounded-control border border-dashed border-line-strong px-2 text-note text-ink-2 hover:text-ink disabled:hidden coarse:h-11"
      >
        <X size={12} strokeWidth={2} aria-hidden className="rotate-45" />
        Date
      </button>
    );
  const take = () => {
    if (typed !== '') onAdd(typed);
    setTyped(undefined);
  };
  return (
    <input
      type="date"
      autoFocus
      aria-label="Date of a holiday"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          take();
        } else if (event.key === 'Escape') {
          event.preventDefault();
          setTyped(undefined);
        }
      }}
      className="h-[26px] rounded-control border border-line-strong bg-surface px-1.5 text-note coarse:h-11"
    />
  );
}

const localDate = (instant: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  );
