import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CampaignList, CampaignState } from '../../api/types';
import { useHatch } from '../../parts/charts/hatch';
import { numberWords } from '../../parts/number-words';
import { CAMPAIGN_LABELS } from './campaign-state';

interface Props {
  readonly counts: CampaignList['counts'];
  readonly state: string | undefined;
  readonly q: string | undefined;
}

const CHIP =
  'flex min-h-8 items-center gap-1.5 rounded-control border border-line-strong px-2.5 text-table text-ink no-underline hover:bg-hover aria-[current]:border-primary aria-[current]:bg-primary aria-[current]:font-bold aria-[current]:text-on-primary coarse:min-h-11';
const STATES: readonly CampaignState[] = ['running', 'paused', 'draft', 'completed', 'stopped'];

/** The states that there are, each with its number, and words of a name. */
export function ListFilter({ counts, state, q }: Props) {
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const search = q === undefined ? {} : { q };
  const chip = (each: CampaignState | undefined, label: string, n: number) => (
    <Link
      key={label}
      to="/campaigns"
      search={each === undefined ? search : { ...search, state: each }}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={state === each ? 'page' : undefined}
      className={CHIP}
    >
      {label} <span className="figures">{numberWords(n)}</span>
    </Link>
  );
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-3.5 py-2">
      <nav aria-label="States" className="flex flex-wrap gap-2">
        {chip(undefined, 'All', all)}
        {STATES.filter((each) => counts[each] > 0 || state === each).map((each) =>
          chip(each, CAMPAIGN_LABELS[each], counts[each]),
        )}
      </nav>
      <SearchList key={q ?? ''} state={state} q={q} />
      <Legend />
    </div>
  );
}

function Legend() {
  const [pattern, hatch] = useHatch();
  return (
    <span aria-hidden className="ml-auto flex items-center gap-1.5 text-note text-ink-2 max-xl:hidden">
      <span className="size-3 rounded-[2px] bg-(--bar)" /> sent
      <svg width="12" height="12" className="ml-1.5 rounded-[2px]">
        {pattern}
        <rect width="12" height="12" fill={hatch} />
      </svg>{' '}
      to come
      <span className="ml-1.5 h-3 w-0.5 bg-ink" /> the plan today
    </span>
  );
}

function SearchList({ state, q }: Pick<Props, 'state' | 'q'>) {
  const [text, setText] = useState(q ?? '');
  const navigate = useNavigate();
  return (
    <form
      role="search"
      aria-label="This list"
      onSubmit={(event) => {
        event.preventDefault();
        const words = text.trim().slice(0, 100);
        void navigate({
          to: '/campaigns',
          search: { ...(state !== undefined && { state }), ...(words !== '' && { q: words }) },
        });
      }}
    >
      <input
        type="search"
        aria-label="Search in this list"
        placeholder="Search in this list"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-8 w-48 rounded-control border border-line-strong bg-surface px-2.5 text-table placeholder:text-ink-3 coarse:h-11"
      />
    </form>
  );
}
