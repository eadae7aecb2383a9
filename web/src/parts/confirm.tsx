import { useState, type ReactNode } from 'react';
import { createStore } from '../store';
import { Button } from './button';
import { Dialog } from './dialog';

interface Question {
  readonly title: string;
  /** The count, the effect, and what cannot be undone. */
  readonly text: ReactNode;
  /** A verb with its count: "Send it again". */
  readonly action: string;
  /** To be typed, where a slip would cost too much. */
  readonly type?: string;
}

const asked = createStore<(Question & { readonly answer: (yes: boolean) => void }) | undefined>(undefined);

/** Resolves true if the person means it. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    asked.get()?.answer(false);
    asked.set({
      ...question,
      answer: (yes) => {
        asked.set(undefined);
        resolve(yes);
      },
    });
  });

export function Confirmations() {
  const question = asked.use();
  return question && <Asked key={question.title} {...question} />;
}

function Asked({
  title,
  text,
  action,
  type,
  answer,
}: Question & { readonly answer: (yes: boolean) => void }) {
  const [typed, setTyped] = useState('');
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      footer={
        <>
          {/* The safe way out has the focus. */}
          <Button autoFocus onClick={() => answer(false)}>
            Back
          </Button>
          <Button
            kind="primary"
            disabled={type !== undefined && typed !== type}
            onClick={() => answer(true)}
            className="whitespace-normal! wrap-anywhere"
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="max-w-prose wrap-anywhere">{text}</div>
      {type !== undefined && (
        <label className="mt-4 block font-semibold wrap-anywhere">
          Type {type} to go on
          <input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className="mt-1 block w-full rounded-control border border-line-strong bg-surface px-2.5 py-1.5 font-normal"
          />
        </label>
      )}
    </Dialog>
  );
}
