import { useState } from 'react';
import { numberWords } from '../../parts/number-words';

/** A number that shows for a moment that it changed. */
export function Changing({ value }: { readonly value: number }) {
  const [first] = useState(value);
  return (
    <span key={value} className={value === first ? undefined : 'animate-changed'}>
      {numberWords(value)}
    </span>
  );
}
