import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../keys/keys';
import { CONTROL } from './form/field';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onFind: (text: string) => void;
}

/** After so long without a key somebody has finished a word. */
const PAUSE_MS = 250;

/** Narrows a list while somebody types. */
export function FindField({ label, value, onFind }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  useShortcuts([{ keys: 'f', does: 'filter', run: () => input.current?.focus() }]);
  const find = useRef(onFind);
  useEffect(() => {
    find.current = onFind;
  });
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => find.current(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <input
      ref={input}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={320}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onFind(text.trim());
        if (event.key !== 'Escape') return;
        // A browser would empty it as well, and the list would be another while the next key is pressed.
        event.preventDefault();
        input.current?.blur();
      }}
      className={`${CONTROL} max-w-72`}
    />
  );
}
