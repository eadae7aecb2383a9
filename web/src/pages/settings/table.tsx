import type { ReactNode } from 'react';
import { Button } from '../../parts/button';

export const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
export const CELL = 'px-3.5 py-1.5 align-middle';

/** What each row is about under its head, and what can be done with it in a last column without one. */
export const Table = ({
  heads,
  children,
}: {
  readonly heads: readonly string[];
  readonly children: ReactNode;
}) => (
  <table className="w-full text-table max-sm:block">
    <thead className="max-sm:sr-only">
      <tr>
        {heads.map((head) => (
          <th key={head} className={HEAD}>
            {head}
          </th>
        ))}
        <th className={HEAD}>
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody className="max-sm:block">{children}</tbody>
  </table>
);

/** Lists of people and keys are short; this is for those that are not. */
export const MoreLink = ({
  next,
  onNext,
}: {
  readonly next: string | null;
  readonly onNext: (cursor: string) => void;
}) =>
  next === null ? null : (
    <div className="border-t border-line px-3.5 py-2">
      <Button onClick={() => onNext(next)}>Older</Button>
    </div>
  );
