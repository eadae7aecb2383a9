import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ofPeople, setPerson, takeOut, type PeopleFilter } from '../../api/campaigns';
import type { CampaignDetail, PersonInCampaign } from '../../api/types';
import { useShortcuts } from '../../keys/keys';
import { buttonLook } from '../../parts/button';
import { classNames } from '../../parts/class-names';
import { confirm } from '../../parts/confirm';
import { Failure } from '../../parts/failure';
import { faultWords } from '../../parts/fault-words';
import { useWide } from '../../parts/media';
import { counted, numberWords } from '../../parts/number-words';
import { Pager } from '../../parts/pager';
import { SkeletonRows } from '../../parts/skeleton';
import { BarButton, SelectionBar } from '../../parts/selection';
import { showToast } from '../../parts/toast';
import { useSelection } from '../../parts/use-selection';
import { visible } from '../../parts/visible';
import { useMay } from '../../session';
import { useOffline } from '../../shell/live-indicator';
import { PeopleCards, PeopleTable } from './people-rows';

interface Props {
  readonly campaign: CampaignDetail;
  readonly filter: PeopleFilter;
}

const STATUSES = [
  ['active', 'in sequence'],
  ['replied', 'replied'],
  ['unsubscribed', 'unsubscribed'],
  ['bounced', 'bounced'],
  ['complained', 'complained'],
  ['paused', 'paused'],
  ['stopped', 'taken out'],
] as const;

/** How far each person is, and why. */
export function PeopleTab({ campaign, filter }: Props) {
  const { id, peopleBy } = campaign;
  const { data, error, refetch } = useQuery(ofPeople(id, filter));
  const operator = useMay('operate');
  const offline = useOffline();
  const wide = useWide();
  const may = operator && offline === undefined && campaign.state !== 'stopped';
  const items = data?.items ?? [];
  const selection = useSelection(
    'person',
    items.map(({ contactId }) => contactId),
    filter.cursor,
    may,
  );
  usePeopleKeys();
  const rows = { items, campaign, selection };
  const search = {
    ...(filter.status !== undefined && { status: filter.status }),
    ...(filter.q !== undefined && { q: filter.q }),
    ...(filter.concern !== undefined && { concern: filter.concern }),
  };
  return (
    <div className="flex flex-col gap-4">
      <nav
        aria-label="People by status"
        className="grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] overflow-hidden rounded-panel border border-line bg-surface"
      >
        {STATUSES.filter(
          ([status]) => peopleBy[status] > 0 || status === filter.status || status === 'active',
        ).map(([status, words]) => (
          <Link
            key={status}
            to="/campaigns/$campaignId/$part"
            params={{ campaignId: id, part: 'people' }}
            search={filter.status === status ? {} : { status }}
            aria-current={filter.status === status ? 'true' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
            className="min-h-9 border-l border-line px-3.5 py-2 text-table text-ink no-underline first:border-l-0 hover:bg-hover aria-[current]:bg-sel aria-[current]:font-bold"
          >
            <strong className="figures">{numberWords(peopleBy[status])}</strong> {words}
          </Link>
        ))}
      </nav>
      <section aria-label="People" className="min-w-0 rounded-panel border border-line bg-surface">
        <div className="flex flex-wrap items-center gap-3 border-b border-line px-3.5 py-2">
          <SearchPeople id={id} filter={filter} />
          {filter.concern !== undefined && <ConcernChip id={id} concern={filter.concern} />}
          {may && (
            <Link
              to={
                campaign.state === 'draft'
                  ? '/campaigns/$campaignId/launch/$step'
                  : '/campaigns/$campaignId/$part'
              }
              params={{ campaignId: id, step: 'people', part: 'add' }}
              search={{}}
              className={classNames(buttonLook(), 'ml-auto')}
            >
              Add people
            </Link>
          )}
        </div>
        {error && !data ? (
          <Failure error={error} what="the people" onRetry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={6} />
        ) : items.length === 0 ? (
          <p className="px-3.5 py-6 text-ink-2">
            {campaign.people === 0
              ? 'Nobody is in it yet.'
              : 'Nobody matches. Drop the filter to see everybody.'}
          </p>
        ) : wide ? (
          <PeopleTable {...rows} />
        ) : (
          <PeopleCards {...rows} />
        )}
      </section>
      {data && (
        <Pager
          to={`/campaigns/${id}/people`}
          search={search}
          cursor={filter.cursor}
          next={data.nextCursor}
          words={['First', 'Next']}
        />
      )}
      {selection && selection.ids.size > 0 && (
        <Bulk
          id={id}
          chosen={items.filter(({ contactId }) => selection.ids.has(contactId))}
          onDone={selection.clear}
        />
      )}
    </div>
  );
}

function usePeopleKeys(): void {
  const step = (by: 1 | -1) => {
    const rows = [...document.querySelectorAll<HTMLElement>('[data-choice]')];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))];
    next?.querySelector<HTMLElement>('input, a, [tabindex]')?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts([
    { keys: 'j', does: 'next person', run: () => step(1) },
    { keys: 'k', does: 'previous person', run: () => step(-1) },
  ]);
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

function SearchPeople({ id, filter: { status, q } }: { readonly id: string; readonly filter: PeopleFilter }) {
  const [text, setText] = useState(q ?? '');
  const navigate = useNavigate();
  return (
    <form
      role="search"
      aria-label="People"
      onSubmit={(event) => {
        event.preventDefault();
        const words = text.trim().slice(0, 100);
        void navigate({
          to: '/campaigns/$campaignId/$part',
          params: { campaignId: id, part: 'people' },
          search: { ...(status !== undefined && { status }), ...(words !== '' && { q: words }) },
        });
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

interface BulkProps {
  readonly id: string;
  readonly chosen: readonly PersonInCampaign[];
  readonly onDone: () => void;
}

/** Each says how many it touches; what cannot be undone asks. */
function Bulk({ id, chosen, onDone }: BulkProps) {
  const active = chosen.filter(({ status }) => status === 'active');
  const paused = chosen.filter(({ status }) => status === 'paused');
  const open = [...active, ...paused];
  const turn = async (people: readonly PersonInCampaign[], status: 'active' | 'paused') => {
    try {
      for (const { contactId } of people) await setPerson(id, contactId, status);
      showToast({
        text: `${status === 'paused' ? 'Paused' : 'Resumed'} ${counted(people.length, 'person').replace('persons', 'people')}.`,
      });
      onDone();
    } catch (error) {
      showToast({ text: faultWords(error), tone: 'fault' });
    }
  };
  const remove = async () => {
    const n = numberWords(open.length);
    const sure = await confirm({
      title: `Take ${n} out?`,
      text: 'What waits of theirs is cancelled and never leaves; what has left stays left. They can’t be put back.',
      action: `Take ${n} out`,
    });
    if (!sure) return;
    try {
      const { removed } = await takeOut(
        id,
        open.map(({ contactId }) => contactId),
      );
      showToast({ text: `Took ${numberWords(removed)} out.` });
      onDone();
    } catch (error) {
      showToast({ text: faultWords(error), tone: 'fault' });
    }
  };
  return (
    <SelectionBar count={chosen.length} onClear={onDone}>
      {active.length > 0 && (
        <BarButton first onClick={() => void turn(active, 'paused')}>
          Pause {numberWords(active.length)}
        </BarButton>
      )}
      {paused.length > 0 && (
        <BarButton onClick={() => void turn(paused, 'active')}>Resume {numberWords(paused.length)}</BarButton>
      )}
      {open.length > 0 && (
        <BarButton onClick={() => void remove()}>Take {numberWords(open.length)} out…</BarButton>
      )}
    </SelectionBar>
  );
}
