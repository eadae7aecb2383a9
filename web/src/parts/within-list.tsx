import { useRef } from 'react';
import { useShortcuts } from '../keys/keys';

/** Searches within the other filters. */
export function WithinList({
  onFind,
  label,
}: {
  readonly onFind: (text: string) => void;
  readonly label: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: 'f', does: 'filters', run: () => input.current?.focus() }]);
  return (
    <input
      ref={input}
      type="search"
      aria-label={label}
      placeholder="Search in this list"
      maxLength={200}
      onKeyDown={(event) => {
        const field = event.currentTarget;
        if (event.key === 'Enter' && field.value.trim() !== '') {
          onFind(field.value.trim());
          field.value = '';
        } else if (event.key === 'Escape') field.blur();
      }}
      className="h-[26px] min-w-16 flex-1 basis-16 rounded-control bg-transparent px-1.5 text-table placeholder:text-ink-3 coarse:h-11"
    />
  );
}
