import { useMemo, useState, type ReactNode } from 'react';
import { dayOf } from '../../time/words';
import { countries, publicHolidays, statesOf } from './countries';

interface Named {
  readonly code: string;
  readonly name: string;
}

/** A country, a part of it, and the public holidays that they have. */
export interface Choice {
  readonly countries: readonly Named[];
  readonly country: string;
  readonly onCountry: (code: string) => void;
  readonly states: readonly Named[];
  /** Empty: the whole country. */
  readonly state: string;
  readonly onState: (code: string) => void;
  readonly days: readonly { readonly date: string; readonly name: string; readonly words: string }[];
}

interface Props {
  /** Only those from this date on. */
  readonly from: string;
  readonly children: (choice: Choice) => ReactNode;
}

/**
 * The dates of all countries weigh more than all pages together, so this comes alone, when somebody asks. It knows nothing
 * of how it is shown: whatever it would share with the pages, they would have to load as files of their own.
 */
export function CountryChoice({ from, children }: Props) {
  const known = useMemo(() => countries(), []);
  const [country, setCountry] = useState(() => guessed(known));
  const [state, setState] = useState('');
  const states = useMemo(() => statesOf(country), [country]);
  const days = useMemo(
    () =>
      publicHolidays(country, state === '' ? undefined : state, from).map((day) => ({
        ...day,
        words: dayOf(Date.parse(`${day.date}T00:00:00Z`), 'UTC'),
      })),
    [country, state, from],
  );
  const onCountry = (code: string) => {
    setCountry(code);
    setState('');
  };
  return <>{children({ countries: known, country, onCountry, states, state, onState: setState, days })}</>;
}

/** Where the browser seems to be at home. */
function guessed(known: readonly Named[]): string {
  const region = navigator.languages.map((language) => new Intl.Locale(language).region).find(Boolean);
  return known.find(({ code }) => code === region)?.code ?? known[0]?.code ?? '';
}
