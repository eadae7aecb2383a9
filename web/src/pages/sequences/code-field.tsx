import { useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../../parts/class-names';
import { numberWords } from '../../parts/number-words';
import { visible } from '../../parts/visible';
import { askedAt, completed, offersFor, type Asked, type Variable } from './completion';
import { piecesOf, withoutUnseen } from './marks';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: ((value: string) => void) | undefined;
  readonly variables: readonly Variable[];
  /** Lines that something is wrong with. */
  readonly faulty: ReadonlySet<number>;
  /** What stands below it and is about it. */
  readonly describedBy?: string | undefined;
  readonly id: string;
}

/** One line, without numbers: for subjects. */
export const CODE = 'font-mono text-mono whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]';

/** A textarea over a coloured copy of its text: lines have numbers and marks, variables are offered while one types. */
export function CodeField({ label, value, onChange, variables, faulty, describedBy, id }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [asked, setAsked] = useState<Asked>();
  const [at, setAt] = useState(0);
  const list = useId();
  const caret = useRef<number>(undefined);
  useLayoutEffect(() => {
    // What was put in by choice moves the caret behind it.
    if (caret.current === undefined) return;
    area.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });
  const offers = asked && onChange ? offersFor(asked.word, variables) : [];
  const open = offers.length > 0;
  const look = (element: HTMLTextAreaElement) => {
    setAsked(askedAt(element.value, element.selectionStart));
    setAt(0);
  };
  const take = (variable: Variable | undefined) => {
    if (!variable || !asked || !onChange) return;
    const next = completed(value, asked, variable.name);
    caret.current = next.caret;
    onChange(next.text);
    setAsked(undefined);
    area.current?.focus();
  };
  const press = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      const { value: text, selectionStart } = event.currentTarget;
      setAsked(askedAt(text, selectionStart) ?? { from: selectionStart, word: '' });
      setAt(0);
      return;
    }
    if (!open || event.altKey) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((present) => (present + step + offers.length) % offers.length);
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault();
      take(offers[at]);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      setAsked(undefined);
    }
  };
  return (
    <div className="relative">
      <div className="relative max-h-[60dvh] min-h-48 overflow-y-auto rounded-control border border-line-strong bg-surface focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus">
        <Copy value={value} faulty={faulty} />
        <textarea
          ref={area}
          id={id}
          aria-label={label}
          aria-describedby={describedBy}
          aria-invalid={faulty.size > 0 || undefined}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={open ? list : undefined}
          aria-activedescendant={open ? `${list}-${String(at)}` : undefined}
          spellCheck
          readOnly={!onChange}
          value={value}
          onChange={(event) => {
            onChange?.(event.target.value);
            look(event.target);
          }}
          onKeyDown={press}
          onClick={() => setAsked(undefined)}
          onBlur={() => setAsked(undefined)}
          className={`${CODE} absolute inset-0 block size-full min-h-full resize-none overflow-hidden bg-transparent py-2 pr-2.5 pl-11 text-transparent caret-ink outline-none`}
        />
      </div>
      {open && (
        <ul
          id={list}
          role="listbox"
          aria-label="Variables"
          className="absolute inset-x-2 top-full z-20 mt-1 max-h-56 overflow-y-auto rounded-panel border border-line bg-surface p-1 text-table shadow-float"
        >
          {offers.map((variable, n) => (
            <li
              key={variable.name}
              id={`${list}-${String(n)}`}
              role="option"
              aria-selected={n === at}
              // Before the field loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                take(variable);
              }}
              className={classNames(
                'flex flex-wrap items-baseline justify-between gap-x-4 rounded-control px-2.5 py-1 coarse:py-3',
                n === at && 'bg-sel',
              )}
            >
              <code className="wrap-anywhere">{visible(variable.name)}</code>
              <span className="text-note text-ink-2 wrap-anywhere">
                {variable.of > 0 && `${numberWords(variable.filled)} of ${numberWords(variable.of)}`}
                {variable.example !== null && ` · “${visible(variable.example)}”`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Gives the field its height, its numbers and its colours. What nobody sees is told below the field. */
const Copy = ({ value, faulty }: Pick<Props, 'value' | 'faulty'>) => (
  <div aria-hidden className={`${CODE} pointer-events-none py-2`}>
    {value.split('\n').map((line, n) => (
      <div
        key={n}
        className={classNames('relative min-h-[18px] pr-2.5 pl-11', faulty.has(n + 1) && 'bg-tint-dead')}
      >
        <span className="absolute top-0 left-0 w-8 text-right text-ink-3">{n + 1}</span>
        {piecesOf(withoutUnseen(line)).map(({ text, liquid }, place) => (
          <span
            key={place}
            className={classNames(
              liquid && 'text-link',
              liquid && faulty.has(n + 1) && 'underline decoration-dead decoration-wavy underline-offset-2',
            )}
          >
            {text}
          </span>
        ))}
      </div>
    ))}
  </div>
);
