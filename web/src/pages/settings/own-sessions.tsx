import { useQuery } from '@tanstack/react-query';
import { endOwnSession, ofSessions } from '../../api/settings';
import type { OwnSession } from '../../api/types';
import { Button } from '../../parts/button';
import { Failure } from '../../parts/failure';
import { Panel } from '../../parts/panel';
import { SkeletonRows } from '../../parts/skeleton';
import { showToast } from '../../parts/toast';
import { Time } from '../../time/time';
import { CELL, HEAD } from './table';

/** Where one is signed in: whoever forgot a browser somewhere ends it here. */
export function OwnSessions() {
  const { data, error, refetch } = useQuery(ofSessions());
  if (error && !data) return <Failure error={error} what="your sessions" onRetry={() => void refetch()} />;
  return (
    <Panel title="Sessions" note="where you are signed in, last used first">
      {data ? (
        <table className="w-full text-table">
          <thead>
            <tr>
              <th className={HEAD}>Last used</th>
              <th className={HEAD}>Signed in</th>
              <th className={HEAD}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((session) => (
              <Session key={session.id} session={session} />
            ))}
          </tbody>
        </table>
      ) : (
        <SkeletonRows rows={2} height={34} />
      )}
    </Panel>
  );
}

function Session({ session: { id, createdAt, lastSeenAt, current } }: { readonly session: OwnSession }) {
  const end = () => {
    endOwnSession(id)
      .then(() => showToast({ text: 'That session has ended.' }))
      .catch((error: unknown) => showToast({ text: (error as Error).message, tone: 'fault' }));
  };
  return (
    <tr className="border-t border-line">
      <td className={CELL}>
        <Time at={lastSeenAt} label="Last used" />
      </td>
      <td className={CELL}>
        <Time at={createdAt} label="Signed in" />
      </td>
      <td className={`${CELL} text-right`}>
        {current ? <span className="text-ink-2">this one</span> : <Button onClick={end}>End it</Button>}
      </td>
    </tr>
  );
}
