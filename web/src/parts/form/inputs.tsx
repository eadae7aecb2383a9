import { ChevronDown } from 'lucide-react';
import { useState, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react';
import { classNames } from '../class-names';
import { CONTROL, useFieldNames } from './field';

type Given<E> = Omit<E, 'value' | 'onChange'>;

interface TextProps extends Given<InputHTMLAttributes<HTMLInputElement>> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const TextInput = ({ value, onChange, className, ...rest }: TextProps) => (
  <input
    type="text"
    {...useFieldNames()}
    {...rest}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className={classNames(CONTROL, className)}
  />
);

interface LinesProps extends Given<TextareaHTMLAttributes<HTMLTextAreaElement>> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const LinesInput = ({ value, onChange, className, ...rest }: LinesProps) => (
  <textarea
    rows={3}
    {...useFieldNames()}
    {...rest}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className={classNames(CONTROL, className)}
  />
);

interface NumberProps extends Given<InputHTMLAttributes<HTMLInputElement>> {
  readonly value: number | null;
  /** Null: it is empty, which `required` refuses. */
  readonly onChange: (value: number | null) => void;
}

/** Keeps what is typed until it is a number again: "0." on the way to "0.5". */
export function NumberInput({ value, onChange, className, ...rest }: NumberProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      type="number"
      inputMode="decimal"
      {...useFieldNames()}
      {...rest}
      value={typed ?? value ?? ''}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(event.target.value === '' ? null : event.target.valueAsNumber);
      }}
      onBlur={() => setTyped(undefined)}
      className={classNames(CONTROL, 'figures max-w-32', className)}
    />
  );
}

interface ChoiceProps<Value extends string> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly disabled?: boolean;
  readonly className?: string;
  readonly 'aria-label'?: string;
}

/** The browser's own list: it works with every key, every reader and every thumb. */
export const Choice = <Value extends string>({
  value,
  onChange,
  options,
  className,
  ...rest
}: ChoiceProps<Value>) => (
  <span className={classNames('relative block', className)}>
    <select
      {...useFieldNames()}
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value as Value)}
      className={classNames(CONTROL, 'appearance-none pr-8')}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
    <ChevronDown
      size={16}
      strokeWidth={1.75}
      aria-hidden
      className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-ink-2"
    />
  </span>
);

interface CheckboxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly disabled?: boolean;
}

export const CheckboxRow = ({ checked, onChange, label, hint, disabled }: CheckboxProps) => (
  <label className="flex min-h-6 items-start gap-2.5 coarse:min-h-11">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
      className="mt-0.5 size-4 shrink-0 accent-primary"
    />
    <span>
      <span className="font-semibold">{label}</span>
      {hint !== undefined && <span className="block text-note text-ink-2">{hint}</span>}
    </span>
  </label>
);
