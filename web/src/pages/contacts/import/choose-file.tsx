import { useRef, type ReactNode } from 'react';
import { Button } from '../../../parts/button';

interface Props {
  readonly onChoose: (file: File | undefined) => void;
  readonly kind?: 'primary' | 'plain';
  readonly busy: boolean;
  readonly children: ReactNode;
}

export function ChooseFile({ onChoose, kind = 'plain', busy, children }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label="CSV file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          onChoose(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Button kind={kind} busy={busy} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
