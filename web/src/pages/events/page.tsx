import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ofEvents, ofEventsStanding, type EventFilter } from '../../api/notifications';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { useLater } from '../../parts/later';
import { usePhone, useWide } from '../../parts/media';
import { MenuItem } from '../../parts/menu';
import { counted, numberWords } from '../../parts/number-words';
import { Pager } from '../../parts/pager';
import { SkeletonRows } from '../../parts/skeleton';
import { useBeside } from '../../parts/use-beside';
import { visible } from '../../parts/visible';
import { WithinList } from '../../parts/within-list';
import { TopBar } from '../../shell/top-bar';
import { MenuChip, TextChip } from '../queue/filter-chip';
import { FirstEvent } from './first-event';
import { EventCards, EventTable } from './table';

/** It comes when somebody turns to the list, and at the latest with the first one that is opened. */
const drawer = () => import('./drawer');
/** Whoever opens one without a connection is told then. */
const soon = () => void drawer().catch(() => undefined);
const Drawer = lazy(async () => ({ default: (await drawer()).Drawer }));

/** Who was told, who not, and why? */
export function EventsPage() {
  const search: EventFilter & { readonly cursor?: string; readonly tab?: string } = useSearch({
    strict: false,
  });
  const { eventId: openId } = useParams({ strict: false });
  const { topic, type, q, cursor, tab } = search;
  const filter = {
    ...(topic !== undefined && { topic }),
    ...(type !== undefined && { type }),
    ...(q !== undefined && { q }),
  };
  const list = useQuery(ofEvents({ ...filter, cursor }));
  const { data: standing } = useQuery(ofEventsStanding());
  const wide = useWide();
  const phone = usePhone();
  const framed = useLater();
  const items = list.data?.items ?? [];
  const beside = useBeside({
    ...{ list: '/events', thing: 'event', openId, search },
    ids: items.map(({ id }) => id),
  });
  const narrow = openId !== undefined && !wide;
  const none = list.data !== undefined && !list.isPlaceholderData && items.length === 0;
  const filtered = Object.keys(filter).length > 0;
  if (none && !filtered && cursor === undefined && openId === undefined)
    return (
      <>
        <TopBar title="Events" />
        <FirstEvent />
      </>
    );
  return (
    <>
      <TopBar
        title={narrow ? 'Event' : 'Events'}
        {...(narrow && { within: { label: 'Events', to: '/events' } })}
        actions={
          standing &&
          !narrow && (
            <span className="figures text-table whitespace-nowrap text-ink-2 max-sm:hidden">
              {numberWords(standing.events)}
              {!standing.isAll && '+'} in {counted(standing.days, 'day')}
            </span>
          )
        }
      />
      <div className="flex min-h-0 flex-1 sm:h-[calc(100dvh-var(--spacing)*11)] sm:flex-none">
        {!narrow && (
          <section aria-label="Events" className="relative flex min-w-0 flex-1 flex-col bg-surface">
            <div
              role="search"
              aria-label="Filters"
              className="flex flex-wrap items-center gap-2 border-b border-line px-5 py-2 max-lg:px-4 max-sm:px-3.5"
            >
              {(['topic', 'type'] as const).map((name) => (
                <MenuChip
                  key={name}
                  name={name === 'topic' ? 'Topic' : 'Type'}
                  value={filter[name] === undefined ? undefined : visible(filter[name])}
                  onRemove={() => beside.filter({ [name]: '' })}
                >
                  {(name === 'topic' ? standing?.topics : standing?.types)?.map((value) => (
                    <MenuItem key={value} onSelect={() => beside.filter({ [name]: value })}>
                      <bdi className="max-w-72 truncate">{visible(value)}</bdi>
                    </MenuItem>
                  ))}
                </MenuChip>
              ))}
              {q !== undefined && (
                <TextChip name="Search" value={q} onChange={(text) => beside.filter({ q: text ?? '' })} />
              )}
              <WithinList
                label="Search by topic, type, key or id"
                onFind={(text) => beside.filter({ q: text })}
              />
            </div>
            <div className="min-h-0 flex-1 overflow-x-hidden sm:overflow-y-auto">
              {list.data && framed ? (
                none ? (
                  <NoMatch
                    beyond={cursor !== undefined}
                    onClear={() => beside.filter({ topic: '', type: '', q: '' })}
                  />
                ) : (
                  <div
                    className={list.isPlaceholderData ? 'opacity-60' : ''}
                    onPointerOver={soon}
                    onFocusCapture={soon}
                  >
                    {phone ? (
                      <EventCards items={items} search={search} openId={openId} onOpen={beside.open} />
                    ) : (
                      <EventTable items={items} search={search} openId={openId} onOpen={beside.open} />
                    )}
                    <div className="px-5 py-3 empty:hidden">
                      <Pager to="/events" search={filter} cursor={cursor} next={list.data.nextCursor} />
                    </div>
                  </div>
                )
              ) : list.error && !list.data ? (
                <div className="p-5 max-sm:p-3.5">
                  <Failure error={list.error} what="the events" onRetry={() => void list.refetch()} />
                </div>
              ) : (
                <SkeletonRows />
              )}
            </div>
          </section>
        )}
        {openId !== undefined && (
          <Suspense fallback={null}>
            <Drawer id={openId} tab={tab} onTab={beside.show} ways={beside.ways} />
          </Suspense>
        )}
      </div>
    </>
  );
}

const NoMatch = ({ beyond, onClear }: { readonly beyond: boolean; readonly onClear: () => void }) => (
  <Empty
    title={beyond ? 'Nothing is older than this.' : 'No event matches.'}
    actions={<Button onClick={onClear}>Show all events</Button>}
  >
    {!beyond && 'Topics and types are found by how they begin, keys and ids as a whole.'}
  </Empty>
);
