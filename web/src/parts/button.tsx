import type { ButtonHTMLAttributes } from 'react';
import { classNames } from './class-names';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** Printed small on the button. */
  readonly hint?: string;
  /** Its work goes on: it can't be pressed again, and says so. */
  readonly busy?: boolean;
}

const KINDS = {
  primary: 'bg-primary text-on-primary border-primary hover:opacity-90',
  plain: 'bg-surface text-ink border-line-strong hover:bg-hover',
  quiet: 'border-transparent text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-dead border-dead hover:bg-tint-dead',
};

/** Says its consequence: "Retry 163". An ellipsis means that a question follows. */
export function Button({ kind = 'plain', hint, busy = false, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      disabled={busy || rest.disabled}
      {...rest}
      className={classNames(buttonLook(kind), busy && 'opacity-60', className)}
    >
      {children}
      {hint !== undefined && (
        <kbd aria-hidden className="ml-2 text-note opacity-75 coarse:hidden">
          {hint}
        </kbd>
      )}
    </button>
  );
}

/** For links that look like buttons. */
export const buttonLook = (kind: keyof typeof KINDS = 'plain'): string =>
  `inline-flex min-h-8 items-center justify-center gap-1.5 rounded-control border px-3 text-table font-semibold whitespace-nowrap no-underline coarse:min-h-11 ${KINDS[kind]}`;
