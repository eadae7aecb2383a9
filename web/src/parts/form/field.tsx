import { createContext, useContext, useEffect, useId, type ReactNode } from 'react';
import { classNames } from '../class-names';

interface Props {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with it, in the server's words. */
  readonly error?: string | undefined;
  /** One control of this folder. */
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

interface Names {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

const Control = createContext<Names | undefined>(undefined);

/** What a control inside a field is known by. */
export const useFieldNames = (): Partial<Names> => useContext(Control) ?? {};

/** A second control in a field: the label is the first one's. */
export const Beside = ({ children }: { readonly children: ReactNode }) => (
  <Control value={undefined}>{children}</Control>
);

export const CONTROL =
  'block w-full min-h-8 rounded-control border border-line-strong bg-surface px-2.5 py-1 font-normal text-ink text-ellipsis placeholder:text-ink-3 aria-[invalid]:border-dead aria-[invalid]:outline-1 aria-[invalid]:outline-dead disabled:bg-sunken disabled:text-ink-2 coarse:min-h-11';

/**
 * A label, its control, what it does, and what is wrong with it: all of it told to whoever cannot see it. A refusal
 * leads to the field that it names.
 */
export function Field({ label, hint, error, children, className }: Props) {
  const id = useId();
  useEffect(() => {
    if (error !== undefined) document.getElementById(id)?.focus();
  }, [error, id]);
  const described = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(
    Boolean,
  );
  const names = {
    id,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
    'aria-invalid': error === undefined ? undefined : (true as const),
  };
  return (
    <div className={classNames('min-w-0', className)}>
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      <Control value={names}>{children}</Control>
      {error !== undefined && (
        <p id={`${id}-error`} className="mt-1 text-note font-semibold break-words text-dead">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <div id={`${id}-hint`} className="mt-1 text-note text-ink-2">
          {hint}
        </div>
      )}
    </div>
  );
}
