import { useId, useState } from 'react';
import { dayAfter, monthOf, weeksOf } from './month';

interface Props {
  readonly month: string;
  readonly onMonth: (month: string) => void;
  readonly holidays: readonly string[];
  /** Of the workspace: they hold as well, and are not changed here. */
  readonly also: readonly string[];
  readonly today: string;
  /** Undefined: it is only looked at. */
  readonly onToggle: ((date: string) => void) | undefined;
}

const HEADS = [
  ['M', 'Monday'],
  ['T', 'Tuesday'],
  ['W', 'Wednesday'],
  ['T', 'Thursday'],
  ['F', 'Friday'],
  ['S', 'Saturday'],
  ['S', 'Sunday'],
] as const;

const WORDS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
const wordsOf = (date: string): string => WORDS.format(Date.parse(`${date}T00:00:00Z`));

const MOVES: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A month in which each day is a switch. One of them is reached by Tab, the others by arrows. */
export function MonthGrid({ month, onMonth, holidays, also, today, onToggle }: Props) {
  const id = useId();
  const [at, setAt] = useState<string>();
  const first = today.startsWith(month) ? today : `${month}-01`;
  const present = at?.startsWith(month) === true ? at : first;
  const go = (date: string) => {
    setAt(date);
    onMonth(monthOf(date));
    requestAnimationFrame(() => document.getElementById(`${id}${date}`)?.focus());
  };
  return (
    <table className="w-full table-fixed text-center text-table">
      <thead>
        <tr>
          {HEADS.map(([letter, name]) => (
            <th key={name} scope="col" className="py-1 text-note font-normal text-ink-2">
              <abbr title={name} className="no-underline">
                {letter}
              </abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, row) => (
          <tr key={row}>
            {week.map((date, column) => (
              <td key={column} className="p-0">
                {date !== undefined && (
                  <button
                    type="button"
                    id={`${id}${date}`}
                    tabIndex={date === present ? 0 : -1}
                    aria-pressed={holidays.includes(date) || also.includes(date)}
                    aria-label={`${wordsOf(date)}${also.includes(date) ? ', a holiday of the workspace' : ', holiday'}`}
                    disabled={!onToggle || also.includes(date)}
                    onClick={() => {
                      setAt(date);
                      onToggle?.(date);
                    }}
                    onKeyDown={(event) => {
                      const by = MOVES[event.key];
                      if (by === undefined) return;
                      event.preventDefault();
                      go(dayAfter(date, by));
                    }}
                    className={`figures mx-auto grid h-6 w-full place-items-center rounded-mark border border-transparent hover:bg-hover aria-pressed:holiday aria-pressed:border-ink aria-pressed:font-bold coarse:h-11 ${
                      date === today ? 'underline underline-offset-3' : ''
                    } ${column > 4 ? 'text-ink-3' : ''}`}
                  >
                    {Number(date.slice(8))}
                  </button>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
