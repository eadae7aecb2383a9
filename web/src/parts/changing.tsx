import { useState, type ReactNode } from 'react';

interface Props {
  readonly value: string | number;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Shows for a moment that a value changed while someone looked; not that it came. */
export function Changing({ value, className = '', children }: Props) {
  const [first] = useState(value);
  return (
    <span key={value} className={value === first ? className : `animate-changed ${className}`}>
      {children}
    </span>
  );
}
