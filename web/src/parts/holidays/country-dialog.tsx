import { useState } from 'react';
import { Button } from '../button';
import { Dialog } from '../dialog';
import { counted } from '../number-words';
import { Field } from '../form/field';
import { Choice } from '../form/inputs';
import type { Choice as CountryChoice } from './country-choice';

interface Props {
  readonly choice: CountryChoice;
  readonly present: readonly string[];
  readonly onAdd: (dates: readonly string[]) => void;
  readonly onClose: () => void;
}

const WHOLE = { value: '', label: 'The whole country' };
const options = (known: CountryChoice['countries']) =>
  known.map(({ code, name }) => ({ value: code, label: name }));

/** The public holidays of a country or of a part of it, this year's and the next: all ticked that are not there yet. */
export function CountryDialog({ choice, present, onAdd, onClose }: Props) {
  const { country, state, states, days } = choice;
  // By country, since what is not wanted of one says nothing about another.
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const mark = (date: string) => `${country} ${date}`;
  const added = days.filter(({ date }) => !present.includes(date) && !unticked.has(mark(date)));
  const tick = (date: string, on: boolean) => {
    const next = new Set(unticked);
    if (on) next.delete(mark(date));
    else next.add(mark(date));
    setUnticked(next);
  };
  return (
    <Dialog
      title="Public holidays"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Back</Button>
          {added.length > 0 && (
            <Button
              kind="primary"
              onClick={() => {
                onAdd(added.map(({ date }) => date));
                onClose();
              }}
            >
              Add {counted(added.length, 'day')}
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Country">
          <Choice value={country} options={options(choice.countries)} onChange={choice.onCountry} />
        </Field>
        {states.length > 0 && (
          <Field label="Part of it">
            <Choice value={state} options={[WHOLE, ...options(states)]} onChange={choice.onState} />
          </Field>
        )}
      </div>
      <ul
        tabIndex={0}
        aria-label="Public holidays"
        className="mt-3 max-h-72 overflow-y-auto rounded-control border border-line"
      >
        {days.map(({ date, name, words }) => (
          <li key={date} className="border-t border-line first:border-t-0">
            <label className="flex items-center gap-3 px-3 py-1 coarse:min-h-11">
              <input
                type="checkbox"
                checked={present.includes(date) || !unticked.has(mark(date))}
                disabled={present.includes(date)}
                onChange={(event) => tick(date, event.target.checked)}
                className="size-4 shrink-0 accent-primary"
              />
              <span className="w-24 shrink-0 whitespace-nowrap">{words}</span>
              <span className="min-w-0 flex-1 text-ink-2">
                {name}
                {present.includes(date) && ', is one already'}
              </span>
            </label>
          </li>
        ))}
        {days.length === 0 && <li className="px-3 py-2 text-ink-2">None are known from here on.</li>}
      </ul>
      <p className="mt-2 text-note text-ink-2">
        Nothing is saved yet. Dates of the date-holidays project, after Wikipedia (CC BY-SA 3.0); look at them
        before you rely on them.
      </p>
    </Dialog>
  );
}
