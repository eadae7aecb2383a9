import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ofActivity } from '../../api/accounts';
import type { Activity, AttemptOutcome } from '../../api/types';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { AttemptGlyph } from '../../parts/glyphs';
import { Pager } from '../../parts/pager';
import { SkeletonRows } from '../../parts/skeleton';
import { Untrusted } from '../../parts/untrusted';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';

const OUTCOMES: Record<AttemptOutcome, string> = {
  success: 'Sent',
  failed: 'Failed',
  rate_limited: 'Told to slow down',
  in_doubt: 'In doubt',
};

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';

/** Every try of one account, newest first. */
export function ActivityTab({ id, cursor }: { readonly id: string; readonly cursor: string | undefined }) {
  const { data, error, refetch } = useQuery(ofActivity(id, cursor));
  if (error && !data) return <Failure error={error} what="its tries" onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={8} />;
  if (data.items.length === 0)
    return (
      <Empty title={cursor === undefined ? 'No try yet.' : 'No older tries.'}>
        Every try of this account to send a mail stands here, with what its server said.
      </Empty>
    );
  return (
    <>
      <div className="overflow-hidden rounded-panel border border-line bg-surface">
        <table className="w-full text-table max-sm:block">
          <thead className="max-sm:sr-only">
            <tr>
              <th className={HEAD}>When</th>
              <th className={HEAD}>Outcome</th>
              <th className={HEAD}>To and subject</th>
              <th className={`${HEAD} max-lg:hidden`}>What the server said</th>
            </tr>
          </thead>
          <tbody className="max-sm:block">
            {data.items.map((activity) => (
              <Try
                key={`${activity.message.id} ${activity.finishedAt} ${activity.startedAt ?? ''}`}
                activity={activity}
              />
            ))}
          </tbody>
        </table>
      </div>
      <Pager to={`/accounts/${id}`} search={{ tab: 'activity' }} cursor={cursor} next={data.nextCursor} />
    </>
  );
}

function Try({ activity }: { readonly activity: Activity }) {
  const { message, outcome, inline, finishedAt, errorCode, errorMessage } = activity;
  const reply = [errorCode, errorMessage].filter(Boolean).join(' ');
  return (
    <tr className="border-t border-line align-top hover:bg-hover max-sm:block max-sm:px-3.5 max-sm:py-2">
      <td className="px-3.5 py-2 whitespace-nowrap max-sm:float-right max-sm:p-0">
        <Time at={finishedAt} />
      </td>
      <td className="px-3.5 py-2 whitespace-nowrap max-sm:block max-sm:p-0">
        <span className="inline-flex items-center gap-1.5">
          <AttemptGlyph outcome={outcome} />
          {OUTCOMES[outcome]}
          {inline && <span className="text-note text-ink-2">inline</span>}
        </span>
      </td>
      <td className="px-3.5 py-2 max-sm:block max-sm:p-0">
        <Link
          to="/queue/$messageId"
          params={{ messageId: message.id }}
          className="font-semibold break-all text-ink no-underline hover:underline"
        >
          <Untrusted text={message.to.email} />
        </Link>
        <span className="block text-note break-words text-ink-2">
          <Untrusted text={message.subject ?? ''} />
        </span>
        {reply !== '' && <code className="block break-words lg:hidden">{visible(reply)}</code>}
      </td>
      <td className="max-w-md px-3.5 py-2 max-lg:hidden">
        <code className="break-words">{visible(reply)}</code>
      </td>
    </tr>
  );
}
