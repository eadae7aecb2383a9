import { useQuery } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import { ofDashboard, type MessageFilter } from '../../api/queries';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { StateGlyph } from '../../parts/glyphs';
import { useLater } from '../../parts/later';
import { numberWords } from '../../parts/number-words';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { FirstRun } from './first-run';
import { namesIn } from './filters';
import { NoMatch } from './no-match';
import type { useRows } from './use-rows';
import type { usePaging } from './use-paging';

interface Props {
  readonly filter: MessageFilter;
  readonly rows: ReturnType<typeof useRows>;
  readonly paging: ReturnType<typeof usePaging>;
  readonly accountNames: ReadonlyMap<string, string>;
  readonly pane: RefObject<HTMLDivElement | null>;
  readonly filterBar: ReactNode;
  readonly table: ReactNode;
  readonly bulkBar: ReactNode;
  readonly onDrop: (name: keyof MessageFilter) => void;
  readonly onClear: () => void;
}

/** The list with what is around it, or what stands in its place. */
export function List(props: Props) {
  const { filter, rows, paging, pane } = props;
  const none = rows.query.data !== undefined && !rows.old && rows.items.length === 0;
  if (none && paging.first && namesIn(filter).length === 0 && rows.nextCursor === null) return <FirstRun />;
  return (
    <section aria-label="Messages" className="@container relative flex min-w-0 flex-1 flex-col bg-surface">
      {props.filterBar}
      {rows.waiting > 0 && (
        <button
          type="button"
          onClick={() => {
            rows.showNew();
            pane.current?.scrollTo({ top: 0 });
          }}
          className="absolute top-[52px] left-1/2 z-10 min-h-7 -translate-x-1/2 rounded-full bg-primary px-3.5 text-note font-bold text-on-primary shadow-float coarse:min-h-11"
        >
          {numberWords(rows.waiting)} new
        </button>
      )}
      <div ref={pane} className="min-h-0 flex-1 overflow-x-hidden sm:overflow-y-auto">
        {filter.state === 'held' && namesIn(filter).length === 1 && <HeldPlate />}
        <Body {...props} none={none} />
      </div>
      {props.bulkBar}
    </section>
  );
}

function Body(props: Props & { readonly none: boolean }) {
  const { rows, paging, filter, none } = props;
  const { query } = rows;
  const framed = useLater();
  if (query.isError && query.data === undefined)
    return (
      <div className="p-5 max-sm:p-3.5">
        <Failure error={query.error} what="the messages" onRetry={() => void query.refetch()} />
      </div>
    );
  if (query.data === undefined || !framed) return <SkeletonRows />;
  if (!none)
    return (
      <>
        {props.table}
        <Pager paging={paging} nextCursor={rows.nextCursor} />
      </>
    );
  if (rows.nextCursor !== null)
    return (
      <Empty
        title="None among those looked at so far."
        actions={<Button onClick={() => paging.older(rows.nextCursor ?? '')}>Look further back</Button>}
      >
        The filter was asked of the newest 10,000.
      </Empty>
    );
  if (!paging.first)
    return (
      <Empty
        title="Nothing is older than this."
        actions={<Button onClick={paging.newest}>Go to the newest</Button>}
      />
    );
  const only = namesIn(filter).length === 1 ? filter.state : undefined;
  if (only === 'held')
    return (
      <Empty title="Nothing is held." drawing={<StateGlyph state="sent" size={32} />}>
        Mail that may have left, without an answer, waits here until a person decides.
      </Empty>
    );
  if (only === 'dead')
    return (
      <Empty title="No dead letters." drawing={<StateGlyph state="sent" size={32} />}>
        Mail that ran out of tries, or was refused for good, comes here.
      </Empty>
    );
  return (
    <NoMatch
      filter={filter}
      accountNames={props.accountNames}
      onDrop={props.onDrop}
      onClear={props.onClear}
    />
  );
}

function HeldPlate() {
  const { data } = useQuery(ofDashboard());
  const need = data?.health.needs.find(({ kind }) => kind === 'held');
  if (!need) return null;
  return (
    <div className="p-5 pb-3 max-sm:p-3.5">
      <Plate
        glyph={<StateGlyph state="held" size={26} />}
        sentence={need.advice ?? need.sentence}
        evidence={
          need.count === 1
            ? 'It was handed over, and the answer never came. It is not sent twice by itself.'
            : 'They were handed over, and the answer never came. None is sent twice by itself.'
        }
      />
    </div>
  );
}

function Pager({
  paging,
  nextCursor,
}: {
  readonly paging: Props['paging'];
  readonly nextCursor: string | null;
}) {
  if (paging.first && nextCursor === null) return null;
  return (
    <nav aria-label="Pages" className="flex justify-center gap-2 px-5 py-4 pb-20">
      {!paging.first && <Button onClick={paging.newer}>{paging.knowsNewer ? 'Newer' : 'Newest'}</Button>}
      {nextCursor !== null && <Button onClick={() => paging.older(nextCursor)}>Older</Button>}
    </nav>
  );
}
