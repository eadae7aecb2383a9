import { useState } from 'react';
import { ApiError } from '../../api/client';
import { faultWords, sentence } from '../fault-words';

export interface Submit {
  readonly busy: boolean;
  /** What the server says about one field, or about what is inside it. */
  readonly faultOf: (field: string) => string | undefined;
  /** What it says about none of these. */
  readonly faultBesides: (...fields: readonly string[]) => string | undefined;
  readonly run: (work: () => Promise<void>) => void;
  readonly forget: () => void;
}

/** One request at a time, and its refusal where it belongs: under the field that it names. */
export function useSubmit(): Submit {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const field = error instanceof ApiError ? error.field : undefined;
  const isAbout = (name: string) => field === name || (field?.startsWith(`${name}.`) ?? false);
  const words = error === undefined ? undefined : wordsUnder(field, faultWords(error));
  return {
    busy,
    faultOf: (name) => (isAbout(name) ? words : undefined),
    faultBesides: (...fields) => (fields.some(isAbout) ? undefined : words),
    run: (work) => {
      setBusy(true);
      setError(undefined);
      work()
        .catch(setError)
        .finally(() => setBusy(false));
    },
    forget: () => setError(undefined),
  };
}

/** Under its field the name of the field is one word too many. */
function wordsUnder(field: string | undefined, words: string): string {
  if (field === undefined || !words.toLowerCase().startsWith(`${field.toLowerCase()}: `)) return words;
  return sentence(words.slice(field.length + 2));
}
