import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import {
  exportHref,
  ofSubscriptions,
  ofSubscriptionsStanding,
  type SubscriptionFilter,
} from '../../api/notifications';
import type { SubscriptionState } from '../../api/types';
import { Button, buttonLook } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { useLater } from '../../parts/later';
import { usePhone, useWide } from '../../parts/media';
import { MenuItem } from '../../parts/menu';
import { counted, numberWords } from '../../parts/number-words';
import { Pager } from '../../parts/pager';
import { SkeletonRows } from '../../parts/skeleton';
import { useBeside } from '../../parts/use-beside';
import { useSelection } from '../../parts/use-selection';
import { visible } from '../../parts/visible';
import { WithinList } from '../../parts/within-list';
import { useMe } from '../../session';
import { useMayAct } from '../../shell/may-act';
import { TopBar } from '../../shell/top-bar';
import { MenuChip, TextChip } from '../queue/filter-chip';
import { BulkBar } from './bulk-bar';
import { FirstSubscription } from './first-subscription';
import { ImportDialog } from './import-dialog';
import { SUBSCRIPTION_LABELS } from './state';
import { SubscriptionCards, SubscriptionTable } from './table';

/** It comes when somebody turns to the list, and at the latest with the first one that is opened. */
const drawer = () => import('./drawer');
/** Whoever opens one without a connection is told then. */
const soon = () => void drawer().catch(() => undefined);
const Drawer = lazy(async () => ({ default: (await drawer()).Drawer }));

const isState = (word: string): word is SubscriptionState => Object.hasOwn(SUBSCRIPTION_LABELS, word);

/** Is this person told, when last, and if not, why not? */
export function SubscriptionsPage() {
  const search: SubscriptionFilter & { readonly cursor?: string; readonly tab?: string } = useSearch({
    strict: false,
  });
  const { subscriptionId: openId } = useParams({ strict: false });
  const { topic, q, cursor, tab } = search;
  // A word that the API would refuse is no filter.
  const status = search.status !== undefined && isState(search.status) ? search.status : undefined;
  const filter = {
    ...(topic !== undefined && { topic }),
    ...(status !== undefined && { status }),
    ...(q !== undefined && { q }),
  };
  const list = useQuery(ofSubscriptions({ ...filter, cursor }));
  const { data: standing } = useQuery(ofSubscriptionsStanding());
  const wide = useWide();
  const phone = usePhone();
  const framed = useLater();
  const may = useMayAct('send');
  const [importing, setImporting] = useState(false);
  const items = list.data?.items ?? [];
  // Before the drawer's keys: Escape closes that first.
  const selection = useSelection(
    'subscription',
    items.map(({ id }) => id),
    cursor,
    may,
  );
  const beside = useBeside({
    ...{ list: '/subscriptions', thing: 'subscription', openId, search },
    ids: items.map(({ id }) => id),
  });
  const rows = { items, search, openId, onOpen: beside.open, selection };
  const narrow = openId !== undefined && !wide;
  const none = list.data !== undefined && !list.isPlaceholderData && items.length === 0;
  const first = none && Object.keys(filter).length === 0 && cursor === undefined && openId === undefined;
  const importButton = may && <Button onClick={() => setImporting(true)}>Import CSV</Button>;
  const importer = importing && <ImportDialog topic={topic} onClose={() => setImporting(false)} />;
  if (first)
    return (
      <>
        <TopBar title="Subscriptions" />
        <FirstSubscription may={may} onImport={() => setImporting(true)} />
        {importer}
      </>
    );
  return (
    <>
      <TopBar
        title={narrow ? 'Subscription' : 'Subscriptions'}
        {...(narrow && { within: { label: 'Subscriptions', to: '/subscriptions' } })}
        actions={
          !narrow && (
            <span className="flex items-center gap-3">
              {standing && (
                <span className="figures text-table whitespace-nowrap text-ink-2 max-lg:hidden">
                  {numberWords(standing.active)}
                  {!standing.isAll && '+'} active, {counted(standing.topics.length, 'topic')}
                  {!standing.topicsAreAll && ' and more'}
                </span>
              )}
              {!phone && importButton}
            </span>
          )
        }
      />
      <div className="flex min-h-0 flex-1 sm:h-[calc(100dvh-var(--spacing)*11)] sm:flex-none">
        {!narrow && (
          <section aria-label="Subscriptions" className="relative flex min-w-0 flex-1 flex-col bg-surface">
            <div
              role="search"
              aria-label="Filters"
              className="flex flex-wrap items-center gap-2 border-b border-line px-5 py-2 max-lg:px-4 max-sm:px-3.5"
            >
              <MenuChip
                name="Topic"
                value={topic === undefined ? undefined : visible(topic)}
                onRemove={() => beside.filter({ topic: '' })}
              >
                {standing?.topics.map((each) => (
                  <MenuItem key={each} onSelect={() => beside.filter({ topic: each })}>
                    <bdi className="max-w-72 truncate">{visible(each)}</bdi>
                  </MenuItem>
                ))}
              </MenuChip>
              <MenuChip
                name="State"
                value={status === undefined ? undefined : SUBSCRIPTION_LABELS[status].toLowerCase()}
                onRemove={() => beside.filter({ status: '' })}
              >
                {Object.entries(SUBSCRIPTION_LABELS).map(([state, label]) => (
                  <MenuItem key={state} onSelect={() => beside.filter({ status: state })}>
                    {label}
                  </MenuItem>
                ))}
              </MenuChip>
              {q !== undefined && (
                <TextChip name="Address" value={q} onChange={(text) => beside.filter({ q: text ?? '' })} />
              )}
              <WithinList
                label="Search by how an address begins"
                onFind={(text) => beside.filter({ q: text })}
              />
              <Export topic={topic} />
              {phone && importButton}
            </div>
            <div className="min-h-0 flex-1 overflow-x-hidden sm:overflow-y-auto">
              {list.data && framed ? (
                none ? (
                  <NoMatch
                    beyond={cursor !== undefined}
                    q={q}
                    onClear={() => beside.filter({ topic: '', status: '', q: '' })}
                  />
                ) : (
                  <div
                    className={list.isPlaceholderData ? 'opacity-60' : ''}
                    onPointerOver={soon}
                    onFocusCapture={soon}
                  >
                    {phone ? <SubscriptionCards {...rows} /> : <SubscriptionTable {...rows} />}
                    <div className="px-5 py-3 empty:hidden">
                      <Pager
                        to="/subscriptions"
                        search={filter}
                        cursor={cursor}
                        next={list.data.nextCursor}
                      />
                    </div>
                  </div>
                )
              ) : list.error && !list.data ? (
                <div className="p-5 max-sm:p-3.5">
                  <Failure error={list.error} what="the subscriptions" onRetry={() => void list.refetch()} />
                </div>
              ) : (
                <SkeletonRows />
              )}
            </div>
            {selection && selection.ids.size > 0 && (
              <BulkBar chosen={items.filter(({ id }) => selection.ids.has(id))} onDone={selection.clear} />
            )}
          </section>
        )}
        {openId !== undefined && (
          <Suspense fallback={null}>
            <Drawer id={openId} tab={tab} onTab={beside.show} ways={beside.ways} />
          </Suspense>
        )}
      </div>
      {importer}
    </>
  );
}

function Export({ topic }: { readonly topic: string | undefined }) {
  const { workspaceId } = useMe();
  return (
    <a
      href={exportHref(workspaceId, topic)}
      download
      className={`${buttonLook('quiet')} px-1.5! max-sm:hidden`}
    >
      Export CSV
    </a>
  );
}

const NoMatch = ({
  beyond,
  q,
  onClear,
}: {
  readonly beyond: boolean;
  readonly q: string | undefined;
  readonly onClear: () => void;
}) => (
  <Empty
    title={
      beyond
        ? 'Nobody is older than this.'
        : q === undefined
          ? 'Nobody matches.'
          : `No address begins with “${visible(q)}”.`
    }
    actions={<Button onClick={onClear}>Show all subscriptions</Button>}
  />
);
