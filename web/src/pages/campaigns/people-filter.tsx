import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { PeopleFilter } from '../../api/campaigns';
import type { CampaignDetail } from '../../api/types';
import { MenuItem } from '../../parts/menu';
import { visible } from '../../parts/visible';
import { MenuChip } from '../queue/filter-chip';
import { useAccounts } from './account-names';

/** What people of a campaign are, in the words of its page. */
export const STATUSES = [
  ['active', 'in sequence'],
  ['replied', 'replied'],
  ['unsubscribed', 'unsubscribed'],
  ['bounced', 'bounced'],
  ['complained', 'complained'],
  ['paused', 'paused'],
  ['stopped', 'taken out'],
] as const;

/** As it stands in the address; where in the list somebody is belongs to no other filter. */
export const searchOf = (filter: PeopleFilter): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...filter, cursor: undefined }).filter(
      (each): each is [string, string] => each[1] !== undefined,
    ),
  );

interface Props {
  readonly campaign: CampaignDetail;
  readonly filter: PeopleFilter;
}

/** Status, step, account and name: each narrows what the others leave. */
export function PeopleFilters({ campaign, filter }: Props) {
  const { id, steps, accountIds } = campaign;
  const navigate = useNavigate();
  const accountOf = useAccounts();
  if (filter.concern !== undefined) return <ConcernChip id={id} concern={filter.concern} />;
  const turn = (change: PeopleFilter) =>
    void navigate({
      to: '/campaigns/$campaignId/$part',
      params: { campaignId: id, part: 'people' },
      search: searchOf({ ...filter, ...change }),
    });
  return (
    <>
      <MenuChip
        name="Status"
        value={STATUSES.find(([status]) => status === filter.status)?.[1]}
        onRemove={() => turn({ status: undefined })}
      >
        {STATUSES.map(([status, words]) => (
          <MenuItem key={status} onSelect={() => turn({ status })}>
            {words}
          </MenuItem>
        ))}
      </MenuChip>
      <MenuChip name="Next step" value={filter.step} onRemove={() => turn({ step: undefined })}>
        {steps.map(({ order, subject }) => (
          <MenuItem key={order} onSelect={() => turn({ step: String(order) })}>
            <bdi>
              {order}
              {subject !== null && `, ${visible(subject)}`}
            </bdi>
          </MenuItem>
        ))}
      </MenuChip>
      <MenuChip
        name="Account"
        value={filter.accountId === undefined ? undefined : visible(accountOf(filter.accountId).name)}
        onRemove={() => turn({ accountId: undefined })}
      >
        {accountIds.map((each) => (
          <MenuItem key={each} onSelect={() => turn({ accountId: each })}>
            <bdi>{visible(accountOf(each).name)}</bdi>
          </MenuItem>
        ))}
      </MenuChip>
      <SearchPeople q={filter.q} onSearch={(q) => turn({ q })} />
    </>
  );
}

const CONCERNS: Readonly<Record<string, string>> = {
  known: 'who have had this sequence',
  suppressed: 'who must not be written to',
  unreachable: 'who cannot be reached',
  others: 'who are in another campaign as well',
};

/** Whom a warning of the dry run is about. */
const ConcernChip = ({ id, concern }: { readonly id: string; readonly concern: string }) => (
  <span className="inline-flex min-h-8 items-center gap-1.5 rounded-control border border-line-strong pl-2.5 text-table wrap-anywhere">
    Only those{' '}
    <strong>{CONCERNS[concern] ?? `who have no ${visible(concern.replace(/^lacks:/, ''))}`}</strong>
    <Link
      to="/campaigns/$campaignId/$part"
      params={{ campaignId: id, part: 'people' }}
      search={{}}
      aria-label="Drop the filter"
      className="grid size-7 place-items-center text-ink-2 no-underline hover:text-ink coarse:size-11"
    >
      ×
    </Link>
  </span>
);

function SearchPeople({
  q,
  onSearch,
}: {
  readonly q: string | undefined;
  readonly onSearch: (q: string | undefined) => void;
}) {
  const [text, setText] = useState(q ?? '');
  return (
    <form
      role="search"
      aria-label="People"
      onSubmit={(event) => {
        event.preventDefault();
        const words = text.trim().slice(0, 100);
        onSearch(words === '' ? undefined : words);
      }}
    >
      <input
        type="search"
        aria-label="Search people by how a name or an address begins"
        placeholder="Name or address"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-8 w-56 max-w-full rounded-control border border-line-strong bg-surface px-2.5 text-table placeholder:text-ink-3 coarse:h-11"
      />
    </form>
  );
}
