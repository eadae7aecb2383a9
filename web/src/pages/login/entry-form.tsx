import { useState, type ReactNode } from 'react';
import { Button } from '../../parts/button';
import { Refusal } from './refusal';
import type { RefusalWords } from './refusal-words';

interface Props {
  /** What its button says. */
  readonly action: string;
  readonly enter: (form: FormData) => Promise<unknown>;
  readonly onEntered: () => void;
  readonly wordsFor: (error: unknown) => RefusalWords;
  readonly children: ReactNode;
}

/** By which somebody comes in, or is told why not. */
export function EntryForm({ action, enter, onEntered, wordsFor, children }: Props) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<RefusalWords>();
  const submit = async (form: FormData) => {
    setBusy(true);
    setFault(undefined);
    try {
      await enter(form);
      onEntered();
    } catch (error) {
      setFault(wordsFor(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <Refusal words={fault} />
      {children}
      <Button type="submit" kind="primary" busy={busy} className="min-h-10 w-full">
        {action}
      </Button>
    </form>
  );
}
