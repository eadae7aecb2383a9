import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { numberWords } from './number-words';
import type { Selection } from './use-selection';

/** In the head of a table: all of its rows, or none. */
export const SelectPage = ({
  ids,
  selection,
}: {
  readonly ids: readonly string[];
  readonly selection: Selection;
}) => (
  <input
    type="checkbox"
    aria-label="Select the page"
    className="size-4 accent-primary"
    checked={ids.every((id) => selection.ids.has(id))}
    onChange={(event) => selection.toggle(ids, event.target.checked)}
  />
);

export const SelectBox = ({
  id,
  name,
  selection,
}: {
  readonly id: string;
  readonly name: string;
  readonly selection: Selection;
}) => (
  <label className="grid size-6 shrink-0 place-items-center coarse:-m-2.5 coarse:size-11">
    <input
      type="checkbox"
      aria-label={`Select ${name}`}
      checked={selection.ids.has(id)}
      onChange={(event) => selection.toggle([id], event.target.checked)}
      className="size-4 accent-primary"
    />
  </label>
);

interface BarProps {
  readonly count: number;
  readonly onClear: () => void;
  /** Where it floats. */
  readonly className?: string;
  readonly children: ReactNode;
}

/** What can be done with those that are chosen. Each button says how many it touches. */
export const SelectionBar = ({ count, onClear, className, children }: BarProps) => (
  <section
    aria-label="Selection"
    className={classNames(
      'z-30 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel bg-primary px-3.5 py-2.5 text-table text-on-primary shadow-float',
      className ?? 'sticky bottom-3.5 max-sm:bottom-16',
    )}
  >
    <strong>{numberWords(count)} selected</strong>
    <span className="ml-auto flex flex-wrap items-center gap-2">
      {children}
      <button type="button" className="min-h-8 px-1.5 coarse:min-h-11" onClick={onClear}>
        Clear
      </button>
    </span>
  </section>
);

export const BarButton = ({
  first = false,
  onClick,
  children,
}: {
  readonly first?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) => (
  <button
    type="button"
    onClick={onClick}
    className={classNames(
      'min-h-7 rounded-control border border-on-primary px-2.5 font-semibold whitespace-nowrap hover:opacity-85 coarse:min-h-11',
      first && 'bg-on-primary text-primary',
    )}
  >
    {children}
  </button>
);
