import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Shield } from 'lucide-react';
import { useEffect } from 'react';
import { ApiError, ask } from '../../api/client';
import { ofInbox } from '../../api/queries';
import { outdated } from '../../api/query-client';
import type { Answers, CaughtPage } from '../../api/types';
import { useShortcuts } from '../../keys/keys';
import { Button } from '../../parts/button';
import { classNames } from '../../parts/class-names';
import { confirm } from '../../parts/confirm';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { faultWords } from '../../parts/fault-words';
import { useMedia } from '../../parts/media';
import { counted, numberWords } from '../../parts/number-words';
import { SkeletonRows } from '../../parts/skeleton';
import { showToast } from '../../parts/toast';
import { useMay } from '../../session';
import { TopBar } from '../../shell/top-bar';
import { CaughtList } from './caught-list';
import { CaughtMailView } from './caught-mail';
import { NothingCaught } from './nothing-caught';

/** What would the recipient have seen? */
export function InboxPage() {
  const { cursor } = useSearch({ strict: false });
  const { data, error, refetch } = useQuery(ofInbox(cursor));
  const empty = useEmptying();
  const may = useMay('operate');
  const total = data?.total ?? 0;
  return (
    <>
      <TopBar
        title="Dev inbox"
        {...(may &&
          total > 0 && {
            actions: <Button onClick={() => void empty(total)}>Empty the inbox…</Button>,
          })}
      />
      <div className="airmail" />
      {data ? (
        <Caught page={data} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Empty title="No catcher runs here.">{faultWords(error)}</Empty>
      ) : error ? (
        <div className="p-5">
          <Failure error={error} what="the caught mails" onRetry={() => void refetch()} />
        </div>
      ) : (
        <SkeletonRows />
      )}
    </>
  );
}

function Caught({ page }: { readonly page: CaughtPage }) {
  const navigate = useNavigate();
  const { caughtId } = useParams({ strict: false });
  const { cursor, part } = useSearch({ strict: false });
  const wide = useMedia('(width >= 1024px)');
  const { items } = page;
  const first = items[0]?.id;
  const within = cursor === undefined ? {} : { cursor };
  const open = (id: string, replace: boolean) =>
    void navigate({ to: '/inbox/$caughtId', params: { caughtId: id }, search: within, replace });
  useEffect(() => {
    if (wide && caughtId === undefined && first !== undefined) open(first, true);
  });
  const walk = (by: 1 | -1) => {
    const next = items[items.findIndex(({ id }) => id === caughtId) + by];
    if (!next) return;
    open(next.id, caughtId !== undefined);
    document.getElementById(`caught-${next.id}`)?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts([
    { keys: 'j', does: 'next mail', run: () => walk(1) },
    { keys: 'k', does: 'previous mail', run: () => walk(-1) },
  ]);
  return (
    <>
      <p
        className={classNames(
          'flex items-start gap-2.5 border-b border-line bg-surface px-5 py-2 text-table max-sm:px-3.5',
          caughtId !== undefined && 'max-lg:hidden',
        )}
      >
        <Shield size={16} strokeWidth={1.75} aria-hidden className="mt-px shrink-0" />
        <span>
          <strong className="mr-2">Nothing here leaves this machine.</strong>
          <span className="text-ink-2">
            The built-in catcher{page.smtpUrl !== null && ` on ${page.smtpUrl}`}{' '}
            {page.total >= KEPT
              ? `keeps the newest ${numberWords(KEPT)} mails`
              : `took ${counted(page.total, 'mail')}`}
            .
          </span>
        </span>
      </p>
      {page.total === 0 ? (
        <NothingCaught smtpUrl={page.smtpUrl} />
      ) : (
        <div className="flex flex-1 items-stretch">
          <div
            className={classNames(
              'shrink-0 border-line bg-surface max-lg:w-full lg:sticky lg:top-11 lg:h-[calc(100dvh-44px)] lg:w-[372px] lg:border-r max-xl:lg:w-[300px]',
              caughtId !== undefined && 'max-lg:hidden',
            )}
          >
            <CaughtList page={page} cursor={cursor} openId={caughtId} />
          </div>
          {caughtId !== undefined && (
            <div className="flex min-w-0 flex-1 flex-col">
              <CaughtMailView id={caughtId} part={part} cursor={cursor} />
            </div>
          )}
        </div>
      )}
    </>
  );
}

/** Older ones make room. */
const KEPT = 1_000;

function useEmptying(): (total: number) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (total) => {
    const sure = await confirm({
      title: 'Empty the inbox?',
      text: `${counted(total, 'caught mail')} will be forgotten and cannot be brought back. Messages in the queue stay as they are.`,
      action: `Forget ${counted(total, 'mail')}`,
    });
    if (!sure) return;
    try {
      const { done } = await ask<Answers['clearInbox']>('DELETE', '/api/inbox');
      client.removeQueries({ queryKey: ['caught'] });
      await outdated(['inbox']);
      await navigate({ to: '/inbox', search: {} });
      showToast({ text: `Forgot ${counted(done, 'mail')}.` });
    } catch (error) {
      showToast({
        text: `The inbox could not be emptied. ${faultWords(error)}`,
        tone: 'fault',
      });
    }
  };
}
