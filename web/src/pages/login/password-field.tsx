import { useId, useState, type InputHTMLAttributes } from 'react';

export const FIELD =
  'mt-1 block h-10 w-full rounded-control border border-line-strong bg-surface px-3 font-normal';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly hint?: string;
}

/** Called `password` in its form. Can be shown, for whoever types on glass. */
export function PasswordField({ label, hint, ...rest }: Props) {
  const [shown, setShown] = useState(false);
  const id = useId();
  return (
    <div className="mb-4">
      <div className="relative">
        <label className="block font-semibold">
          {label}
          <input
            name="password"
            type={shown ? 'text' : 'password'}
            required
            aria-describedby={hint === undefined ? undefined : id}
            {...rest}
            className={`${FIELD} pr-16`}
          />
        </label>
        <button
          type="button"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute right-2 bottom-2 rounded-control px-2 py-0.5 font-normal text-ink-2 hover:bg-hover"
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      </div>
      {hint !== undefined && (
        <p id={id} className="mt-1 text-note text-ink-2">
          {hint}
        </p>
      )}
    </div>
  );
}
