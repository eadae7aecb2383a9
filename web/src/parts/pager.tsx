import { Link } from '@tanstack/react-router';
import { buttonLook } from './button';

interface Props {
  readonly to: string;
  /** What else the address says. */
  readonly search?: Readonly<Record<string, string>>;
  readonly cursor: string | undefined;
  readonly next: string | null;
  readonly words?: readonly [first: string, next: string];
}

/** Only the next page is known, and the first: no page numbers, no invented totals. */
export const Pager = ({ to, search = {}, cursor, next, words = ['Newest', 'Older'] }: Props) =>
  cursor === undefined && next === null ? null : (
    <nav aria-label="Pages" className="flex justify-end gap-2">
      {cursor !== undefined && (
        <Link to={to} search={search} activeOptions={EXACTLY} className={buttonLook()}>
          {words[0]}
        </Link>
      )}
      {next !== null && (
        <Link to={to} search={{ ...search, cursor: next }} activeOptions={EXACTLY} className={buttonLook()}>
          {words[1]}
        </Link>
      )}
    </nav>
  );

/** The same list at another place is not the page that one is on. */
const EXACTLY = { exact: true, includeSearch: true };
