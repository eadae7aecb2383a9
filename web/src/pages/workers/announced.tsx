import { Link } from '@tanstack/react-router';
import type { WorkForce } from '../../api/types';
import { numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';
import { useMe } from '../../session';
import { secondsOf } from '../../time/words';
import { useZone } from '../../time/zone';

type Announcements = WorkForce['announcements'];

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
const CELL = 'px-3.5 py-1 align-middle';

/** Dead letters that the broker was told of last; each a door where it belongs to this workspace. */
export function Announced({ announcements: { waiting, last } }: { readonly announcements: Announcements }) {
  return (
    <Panel
      title="Announced dead"
      note={waiting === 0 ? 'none waits to be told' : `${numberWords(waiting)} wait to be told`}
      aside={
        <Link to="/dead" className="text-table no-underline hover:underline">
          Dead letters
        </Link>
      }
    >
      {last.length === 0 ? (
        <p className="px-3.5 py-4 text-table text-ink-2">
          What dies from now on is announced on <code className="wrap-anywhere">email.dispatcher.dead</code>.
        </p>
      ) : (
        <table className="w-full text-table">
          <thead>
            <tr>
              <th className={HEAD}>Announced</th>
              <th className={HEAD}>Mail and last error</th>
              <th className={HEAD}>Reason</th>
            </tr>
          </thead>
          <tbody>
            {last.map((each) => (
              <Told key={each.id} told={each} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Told({
  told: { id, workspaceId, at, deadReason, error },
}: {
  readonly told: Announcements['last'][number];
}) {
  const zone = useZone();
  const here = useMe().workspaceId === workspaceId;
  return (
    <tr className="border-t border-line">
      <td className={`${CELL} figures`}>
        <time dateTime={at}>{secondsOf(Date.parse(at), zone)}</time>
      </td>
      <td className={`${CELL} max-w-56 min-w-0 wrap-anywhere`}>
        {here ? (
          <Link
            to="/queue/$messageId"
            params={{ messageId: id }}
            className="font-mono font-semibold text-ink"
          >
            {id}
          </Link>
        ) : (
          <span className="font-mono">{id}</span>
        )}
        {error !== null && (
          <span className="line-clamp-2 text-note text-ink-2">
            <Untrusted text={error} />
          </span>
        )}
      </td>
      <td className={CELL}>{deadReason ?? 'tried again since'}</td>
    </tr>
  );
}
