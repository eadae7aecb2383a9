import { ChevronDown, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { classNames } from '../../parts/class-names';
import { Menu } from '../../parts/menu';
import { Untrusted } from '../../parts/untrusted';

const CHIP =
  'flex h-[26px] max-w-full items-center rounded-control border border-line-strong bg-surface text-table coarse:h-11';

const Remove = ({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) => (
  <button
    type="button"
    aria-label={`Drop the filter ${name}`}
    onClick={onRemove}
    className="grid h-full w-6 shrink-0 place-items-center rounded-control hover:bg-hover coarse:w-11"
  >
    <X size={12} aria-hidden />
  </button>
);

interface MenuChipProps {
  readonly name: string;
  /** Undefined: any. */
  readonly value: string | undefined;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}

/** A filter with few values: they stand in a menu. */
export const MenuChip = ({ name, value, onRemove, children }: MenuChipProps) => (
  <span className={CHIP}>
    <Menu
      trigger={
        <button
          type="button"
          className="flex h-full min-w-0 items-center gap-1.5 rounded-control px-2 hover:bg-hover"
        >
          {name}
          <strong className="truncate font-semibold">{value ?? 'any'}</strong>
          {value === undefined && <ChevronDown size={13} aria-hidden className="shrink-0" />}
        </button>
      }
    >
      {children}
    </Menu>
    {value !== undefined && <Remove name={name} onRemove={onRemove} />}
  </span>
);

interface TextChipProps {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string | undefined) => void;
  /** It was just added: there is nothing to show yet. */
  readonly begins?: boolean;
}

/** A filter that is typed; a press on its value edits it in place. */
export function TextChip({ name, value, onChange, begins = false }: TextChipProps) {
  const [editing, setEditing] = useState(begins);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (editing) input.current?.select();
  }, [editing]);
  const commit = () => {
    setEditing(false);
    const typed = input.current?.value.trim() ?? '';
    onChange(typed === '' ? undefined : typed);
  };
  return (
    <span className={CHIP}>
      {editing ? (
        <label className="flex items-center gap-1.5 pl-2">
          {name}
          <input
            ref={input}
            autoFocus
            defaultValue={value}
            onBlur={commit}
            onKeyDown={(event) => {
              if (event.key === 'Enter') commit();
              if (event.key === 'Escape') {
                event.stopPropagation();
                setEditing(false);
                if (begins) onChange(undefined);
              }
              if (event.key === 'Backspace' && event.currentTarget.value === '') onChange(undefined);
            }}
            className="h-full w-44 min-w-0 bg-transparent font-semibold"
          />
        </label>
      ) : (
        <button
          type="button"
          onClick={() => setEditing(true)}
          className="flex h-full min-w-0 items-center gap-1.5 rounded-control px-2 hover:bg-hover"
        >
          {name}
          <strong className="max-w-56 truncate font-semibold">
            <Untrusted text={value} />
          </strong>
        </button>
      )}
      <Remove name={name} onRemove={() => onChange(undefined)} />
    </span>
  );
}

export const dashed = classNames(CHIP, 'border-dashed px-2 text-ink-2 hover:bg-hover hover:text-ink');
