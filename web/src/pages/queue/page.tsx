import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useCounts } from '../../api/live';
import { usePhone, useWide } from '../../parts/media';
import { numberWords } from '../../parts/number-words';
import { TopBar } from '../../shell/top-bar';
import { useAccountNames } from './account-names';
import { BulkBar, isMeant } from './bulk-bar';
import { decideMany } from './decide';
import { DecideHeld } from './decide-held';
import { useMayDecide } from './drawer/actions';
import { FilterBar } from './filter-bar';
import { countedOf, filterOf, totalWords, withFilter, type FilterName, type QueueSearch } from './filters';
import { List } from './list';
import { rowId } from './row';
import { MessageTable } from './table';
import { useUntouched } from '../../parts/untouched';
import { useListKeys } from './use-list-keys';
import { usePaging } from './use-paging';
import { useRows } from './use-rows';
import { useSelection } from './use-selection';
import { without } from './without';

/** Half of what this page weighs: it comes when somebody turns to the list, and at the latest with the first mail. */
const drawer = () => import('./drawer/drawer');
/** Whoever opens one without a connection is told then. */
const soon = () => void drawer().catch(() => undefined);
const Drawer = lazy(async () => ({ default: (await drawer()).Drawer }));

/** Where is this mail, why has it not left, what can I do? */
export function QueuePage() {
  const search: QueueSearch = useSearch({ strict: false });
  const { messageId: openId } = useParams({ strict: false });
  const filter = filterOf(search);
  const key = JSON.stringify([filter, search.cursor]);
  const pane = useRef<HTMLDivElement>(null);
  const { untouched, touch } = useUntouched(pane);
  const [selecting, setSelecting] = useState(false);
  const rows = useRows(filter, search.cursor, untouched && openId === undefined && !selecting);
  const counts = useCounts();
  const selection = useSelection(key, rows.items, filter, counts, rows.nextCursor !== null);
  useEffect(() => {
    // Not answered from here: newer browsers answer a promise, which would be taken for what cleans up.
    pane.current?.scrollTo({ top: 0 });
  }, [key]);
  if (selecting !== selection.size > 0) setSelecting(selection.size > 0);
  const [deciding, setDeciding] = useState(false);
  const paging = usePaging(search);
  const accountNames = useAccountNames();
  const wide = useWide();
  const phone = usePhone();
  const may = useMayDecide();
  const { open, close, filterBy, clear, showTab } = useWays(search, openId);
  useListKeys({ items: rows.items, openId, selection, open, close, may });

  const counted = countedOf(filter, counts);
  const held = filter.state === 'held';
  const at = rows.items.findIndex(({ id }) => id === openId);
  const step = (by: 1 | -1) => {
    const next = at < 0 ? undefined : rows.items[at + by];
    return next && (() => open(next.id));
  };
  const select = selection.select;
  const onSelect = useCallbackOf(select);
  const narrow = openId !== undefined && !wide;
  const total = totalWords(counted, {
    shown: rows.items.length,
    more: rows.nextCursor !== null,
    older: search.cursor !== undefined,
  });
  const beyond = selection.all && counted === undefined;
  return (
    <>
      <TopBar
        title={narrow ? 'Message' : held ? 'Held' : 'Queue'}
        {...(narrow && { within: { label: held ? 'Held' : 'Queue', to: held ? '/held' : '/queue' } })}
        actions={
          <span className="figures text-table whitespace-nowrap text-ink-2">
            {narrow
              ? at >= 0 &&
                `${numberWords(at + 1)} of ${counted === undefined ? rows.items.length : numberWords(counted)}`
              : rows.query.data !== undefined && <span className="max-sm:hidden">{total}</span>}
          </span>
        }
      />
      <div className="flex min-h-0 flex-1 sm:h-[calc(100dvh-var(--spacing)*11)] sm:flex-none">
        {!narrow && (
          <List
            filter={filter}
            rows={rows}
            paging={paging}
            accountNames={accountNames}
            pane={pane}
            onDrop={(name) => filterBy(name, undefined)}
            onClear={clear}
            filterBar={
              <FilterBar search={search} accountNames={accountNames} onFilter={filterBy} onClear={clear} />
            }
            table={
              <div
                {...touch}
                className={rows.old ? 'opacity-60' : ''}
                onPointerOver={soon}
                onFocusCapture={soon}
              >
                <MessageTable
                  items={rows.items}
                  search={search}
                  openId={openId}
                  selection={selection.ids}
                  accountNames={accountNames}
                  phone={phone}
                  onOpen={open}
                  onSelect={may ? onSelect : undefined}
                  onSelectAll={selection.selectPage}
                />
              </div>
            }
            bulkBar={
              may &&
              selection.size > 0 && (
                <BulkBar
                  mix={selection.mix}
                  selected={selection.count}
                  beyond={beyond}
                  targetOf={selection.targetOf}
                  offer={selection.offer}
                  onDecideHeld={() => setDeciding(true)}
                  onDone={selection.clear}
                  onClear={selection.clear}
                />
              )
            }
          />
        )}
        {openId !== undefined && (
          <Suspense fallback={null}>
            <Drawer
              id={openId}
              tab={search.tab}
              accountNames={accountNames}
              onTab={showTab}
              onPrevious={step(-1)}
              onNext={step(1)}
              onClose={close}
            />
          </Suspense>
        )}
      </div>
      {deciding && (
        <DecideHeld
          count={beyond ? undefined : (selection.mix.held ?? 0)}
          onClose={() => setDeciding(false)}
          onDecide={(decision) => {
            const [mix, target] = [selection.mix, selection.targetOf(decision)];
            setDeciding(false);
            void isMeant(decision, beyond ? undefined : mix.held, mix).then((yes) => {
              if (!yes) return;
              decideMany(decision, target, mix.held);
              selection.clear();
            });
          }}
        />
      )}
    </>
  );
}

/** The same function for ever, so that rows are drawn only when they change. */
function useCallbackOf<Args extends readonly unknown[]>(
  call: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(call);
  useEffect(() => {
    latest.current = call;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}

/** All that changes the address. */
function useWays(search: QueueSearch, openId: string | undefined) {
  const navigate = useNavigate();
  const router = useRouter();
  const left = useRef(openId);
  useEffect(() => {
    // The focus goes back to where it came from.
    if (openId === undefined && left.current !== undefined)
      document.getElementById(rowId(left.current))?.focus({ preventScroll: true });
    left.current = openId;
  }, [openId]);
  const list = without(search, 'tab');
  const show = (next: QueueSearch) =>
    void navigate(
      openId === undefined
        ? { to: '/queue', search: next }
        : { to: '/queue/$messageId', params: { messageId: openId }, search: next },
    );
  const open = useCallbackOf((id: string) => {
    if (id === openId) return;
    void navigate({
      to: '/queue/$messageId',
      params: { messageId: id },
      search,
      replace: openId !== undefined,
      state: (state) => ({ ...state, fromList: openId === undefined || state.fromList === true }),
    });
  });
  return {
    open,
    close: () => {
      if (router.state.location.state.fromList === true) router.history.back();
      else void navigate({ to: '/queue', search: list });
    },
    filterBy: (name: FilterName | keyof typeof list, value: string | undefined) =>
      show(withFilter(search, name as FilterName, value)),
    clear: () => show(search.tab === undefined ? {} : { tab: search.tab }),
    showTab: (tab: string | undefined) => {
      if (openId === undefined) return;
      void navigate({
        to: '/queue/$messageId',
        params: { messageId: openId },
        search: tab === undefined ? list : { ...list, tab },
        replace: true,
        state: (state) => ({ ...state }),
      });
    },
  };
}
