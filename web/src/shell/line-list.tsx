import type { KeyboardEvent } from 'react';
import { classNames } from '../parts/class-names';

/** Something to go to or to do. */
export interface Line {
  readonly key: string;
  readonly label: string;
  /** The keys that do the same, or what kind of thing it is. */
  readonly aside: string;
  readonly run: () => void;
}

/** By how many lines a key goes down. */
export const stepOf = ({ key }: KeyboardEvent): 1 | -1 | 0 =>
  key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;

export const lineId = (list: string, n: number): string => `${list}-${n}`;

interface Props {
  readonly id: string;
  readonly label: string;
  readonly lines: readonly Line[];
  /** The chosen one; the field above says so by its id. */
  readonly at: number;
  readonly onRun: (line: Line) => void;
  readonly className?: string;
}

/** What a field offers while somebody types. */
export const LineList = ({ id, label, lines, at, onRun, className }: Props) => (
  <ul id={id} role="listbox" aria-label={label} className={classNames('overflow-y-auto', className)}>
    {lines.map((line, n) => (
      <li
        key={line.key}
        id={lineId(id, n)}
        role="option"
        aria-selected={n === at}
        onClick={() => onRun(line)}
        className={classNames(
          'flex cursor-default items-center justify-between gap-4 rounded-control px-2.5 py-1.5 hover:bg-hover coarse:min-h-11',
          n === at && 'bg-sel',
        )}
      >
        <bdi className="min-w-0 wrap-anywhere first-letter:uppercase">{line.label}</bdi>
        <kbd className="shrink-0 text-ink-2">{line.aside}</kbd>
      </li>
    ))}
  </ul>
);
