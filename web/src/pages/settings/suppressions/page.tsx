import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { ofSuppressions, ofSuppressionStanding } from '../../../api/suppressions';
import { buttonLook } from '../../../parts/button';
import { Empty } from '../../../parts/empty';
import { Failure } from '../../../parts/failure';
import { FindField } from '../../../parts/find-field';
import { Choice } from '../../../parts/form/inputs';
import { numberWords } from '../../../parts/number-words';
import { Pager } from '../../../parts/pager';
import { Plate } from '../../../parts/plate';
import { useRowKeys } from '../../../parts/row-keys';
import { SkeletonRows } from '../../../parts/skeleton';
import { visible } from '../../../parts/visible';
import { useMe } from '../../../session';
import { useMayAct } from '../../../shell/may-act';
import { AddSuppressions } from './add';
import { WouldWeWrite } from './ask';
import { Counts } from './counts';
import { REASONS, type Reason } from './reasons';
import { SuppressionTable } from './table';

const SINCE = [
  { value: '', label: 'Since any time' },
  { value: 'day', label: 'Since yesterday' },
  { value: 'week', label: 'In 7 days' },
  { value: 'month', label: 'In 30 days' },
] as const;

/** Do we write to this address, and if not, why not? */
export function SuppressionsSection() {
  const { q, reason, since, cursor } = useSearch({ strict: false });
  const { workspaceId } = useMe();
  const may = useMayAct('operate');
  const navigate = useNavigate();
  const standing = useQuery(ofSuppressionStanding());
  const list = useQuery(ofSuppressions({ q, reason, since, cursor }));
  useRowKeys('address');
  const kept = {
    ...(q !== undefined && { q }),
    ...(reason !== undefined && { reason }),
    ...(since !== undefined && { since }),
  };
  const filter = (next: Readonly<Record<string, string>>) =>
    void navigate({
      to: '/settings/suppressions',
      search: Object.fromEntries(Object.entries({ ...kept, ...next }).filter(([, value]) => value !== '')),
    });
  const { data, error } = list;
  const none = data?.items.length === 0 && data.nextCursor === null && !list.isPlaceholderData;
  const isAll = Object.keys(kept).length === 0 && cursor === undefined;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {standing.data ? (
        <>
          <Plate
            {...standing.data.plate}
            cells={[
              <span key="week" className="text-note text-ink-2">
                <span className="block">Added in 7 days</span>
                <strong className="figures block text-title text-ink">
                  {numberWords(standing.data.lastWeek)}
                </strong>
                {numberWords(standing.data.weekBefore)} the week before
              </span>,
            ]}
          />
          <Counts counts={standing.data.counts} reason={reason} />
        </>
      ) : standing.error ? (
        <Failure
          error={standing.error}
          what="how many are suppressed"
          onRetry={() => void standing.refetch()}
        />
      ) : (
        <SkeletonRows rows={2} />
      )}
      {error && !data ? (
        <Failure error={error} what="the suppressions" onRetry={() => void list.refetch()} />
      ) : (
        <section
          aria-label="Suppressed addresses"
          className="min-w-0 rounded-panel border border-line bg-surface"
        >
          <div
            role="search"
            aria-label="Filters"
            className="flex flex-wrap items-center gap-2 border-b border-line px-3.5 py-2"
          >
            <Choice
              aria-label="Since"
              className="w-40"
              value={since ?? ''}
              options={[...SINCE]}
              onChange={(value) => filter({ since: value })}
            />
            <FindField
              label="Beginning of an address"
              value={q ?? ''}
              onFind={(text) => filter({ q: text })}
            />
            <a
              href={`/api/suppressions/all.csv?workspace=${encodeURIComponent(workspaceId)}`}
              download
              className={`${buttonLook('quiet')} ml-auto`}
            >
              <Download size={15} strokeWidth={1.75} aria-hidden />
              CSV
            </a>
          </div>
          {data === undefined ? (
            <SkeletonRows rows={6} />
          ) : none ? (
            isAll ? (
              <Empty title="Nobody is suppressed.">
                <p>Who bounces, complains or unsubscribes comes here by itself; others you add below.</p>
              </Empty>
            ) : (
              <Empty title={nobodyWords(q, reason)} />
            )
          ) : (
            <SuppressionTable items={data.items} />
          )}
        </section>
      )}
      {data && (
        <Pager
          to="/settings/suppressions"
          search={kept}
          cursor={cursor}
          next={data.nextCursor}
          {...(q !== undefined && { words: ['First', 'More'] as const })}
        />
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        <WouldWeWrite />
        {may && <AddSuppressions />}
      </div>
    </div>
  );
}

function nobodyWords(q: string | undefined, reason: string | undefined): string {
  const why = reason !== undefined && reason in REASONS ? `, ${REASONS[reason as Reason].many}` : '';
  return q === undefined
    ? `No address is suppressed here${why}.`
    : `No suppressed address begins with “${visible(q)}”${why}.`;
}
