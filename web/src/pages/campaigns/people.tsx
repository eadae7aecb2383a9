import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
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
import { useMay } from '../../session';
import { useOffline } from '../../shell/live-indicator';
import { PeopleFilters, searchOf, STATUSES } from './people-filter';
import { PeopleCards, PeopleTable } from './people-rows';

interface Props {
  readonly campaign: CampaignDetail;
  readonly filter: PeopleFilter;
}

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
  const withStatus = (status?: string) => searchOf({ ...filter, concern: undefined, status });
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
            search={withStatus(filter.status === status ? undefined : status)}
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
          <PeopleFilters campaign={campaign} filter={filter} />
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
              : data.nextCursor === null
                ? 'Nobody matches. Drop a filter to see more.'
                : 'Nobody up to here. Press Next to look on.'}
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
          search={searchOf(filter)}
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
