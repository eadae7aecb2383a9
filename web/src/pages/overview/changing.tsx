import { useState } from 'react';

/** A number that shows for a moment that it changed. */
export function Changing({ value }: { readonly value: number }) {
  const [first] = useState(value);
  return (
    <span key={value} className={value === first ? undefined : 'animate-changed'}>
      {value.toLocaleString('en-GB')}
    </span>
  );
}
