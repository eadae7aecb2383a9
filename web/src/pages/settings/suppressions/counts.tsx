import { Link } from '@tanstack/react-router';
import type { Answers } from '../../../api/types';
import { numberWords } from '../../../parts/number-words';
import { ORDER, REASONS } from './reasons';

interface Props {
  readonly counts: Answers['getSuppressionStanding']['counts'];
  readonly reason: string | undefined;
}

/** How many there are of each reason; each is a filter, and once more it is none. */
export const Counts = ({ counts, reason }: Props) => (
  <nav
    aria-label="Reasons"
    className="grid grid-cols-5 gap-px overflow-hidden rounded-panel border border-line bg-line max-xl:grid-cols-3 max-sm:grid-cols-2"
  >
    {ORDER.map((each) => (
      <Link
        key={each}
        to="/settings/suppressions"
        search={reason === each ? {} : { reason: each }}
        activeOptions={{ exact: true, includeSearch: true }}
        aria-current={reason === each ? 'true' : undefined}
        className="flex min-h-9 items-center gap-2 bg-surface px-3.5 py-1.5 text-table text-ink no-underline hover:bg-hover aria-[current]:bg-sel coarse:min-h-11"
      >
        {REASONS[each].glyph}
        <span className="figures font-[680]">
          {numberWords(counts.find((known) => known.reason === each)?.count ?? 0)}
        </span>
        <span className="text-ink-2">{REASONS[each].many}</span>
      </Link>
    ))}
  </nav>
);
