import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ofDeadGroups } from '../../api/queries';
import type { DeadGroup } from '../../api/types';
import { usePhone } from '../../parts/media';
import { counted, numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { SkeletonRows } from '../../parts/skeleton';
import { Untrusted } from '../../parts/untrusted';
import { useMay } from '../../session';
import { useNow } from '../../time/clock';
import { whenWords } from '../../time/words';
import { useZone } from '../../time/zone';
import { useDeadActions, type DeadActions } from '../dead/actions';
import { GroupActions } from '../dead/group-actions';
import { OutlookGlyph } from '../dead/outlook';

const SHOWN = 5;

/** Causes that somebody died of lately, largest first. */
export function FailuresByCause({ dead }: { readonly dead: number }) {
  const { data, isError } = useQuery(ofDeadGroups({ since: '24h' }));
  const actions = useDeadActions();
  const recent = data?.items.filter(({ fingerprint }) => !actions.leaving.has(fingerprint));
  const [phone, may] = [usePhone(), useMay('operate')];
  return (
    <Panel
      title="Failures by cause"
      note="last 24 h"
      aside={
        dead > 0 && (
          <Link to="/dead" className="text-table no-underline hover:underline">
            All dead letters
          </Link>
        )
      }
    >
      {isError && !recent ? (
        <p className="px-3.5 py-4 text-ink-2">The server could not list the causes. It is asked again.</p>
      ) : !recent ? (
        <SkeletonRows rows={3} height={34} />
      ) : recent.length === 0 ? (
        <p className="px-3.5 py-4 text-ink-2">
          {dead > 0 ? 'No mail died in the last 24 hours. Older ones wait for a decision.' : 'No mail died.'}
        </p>
      ) : (
        <Causes groups={recent.slice(0, SHOWN)} actions={phone && may ? actions : undefined} />
      )}
    </Panel>
  );
}

interface CausesProps {
  readonly groups: readonly DeadGroup[];
  /** At hand where nobody has a larger page for them open: on a phone. */
  readonly actions: DeadActions | undefined;
}

const Causes = ({ groups, actions }: CausesProps) => (
  <table className="w-full text-table">
    <thead className="sr-only">
      <tr>
        <th scope="col">Code</th>
        <th scope="col">Cause</th>
        <th scope="col">Dead letters</th>
        <th scope="col">Last</th>
        {actions && <th scope="col">Action</th>}
      </tr>
    </thead>
    <tbody>
      {groups.map((group) => (
        <Cause key={group.fingerprint} group={group} actions={actions} />
      ))}
    </tbody>
  </table>
);

function Cause({ group, actions }: Pick<CausesProps, 'actions'> & { readonly group: DeadGroup }) {
  const { fingerprint, code, cause, count, lastAt } = group;
  const now = useNow();
  const zone = useZone();
  const last = `last ${whenWords(Date.parse(lastAt), now, zone)}`;
  return (
    <tr className="group border-line not-first:border-t hover:bg-hover">
      <th scope="row" className="min-w-24 py-2 pr-3 pl-3.5 text-left font-normal max-sm:hidden">
        <code className="block max-w-40 truncate">
          <Untrusted text={code} />
        </code>
      </th>
      <td className="w-full max-w-0 py-2 pr-2 max-sm:px-3.5">
        <Link
          to="/dead/$fingerprint"
          params={{ fingerprint }}
          className="flex items-center gap-3 text-ink no-underline group-hover:underline"
        >
          <span className="sm:hidden">
            <OutlookGlyph outlook={group.outlook} />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate">
              <strong className="sm:hidden">
                <Untrusted text={code} />{' '}
              </strong>
              <Untrusted text={cause} />
            </span>
            <span className="figures block text-note text-ink-2 sm:hidden">
              {counted(count, 'letter')}, {last}
            </span>
          </span>
        </Link>
      </td>
      <td className="py-2 pr-2 text-right max-sm:hidden">
        <Link
          to="/dead/$fingerprint"
          params={{ fingerprint }}
          aria-label={`${counted(count, 'dead letter')} of this cause`}
          className="figures text-ink no-underline hover:underline"
        >
          {numberWords(count)}
        </Link>
      </td>
      <td className="figures min-w-28 py-2 pr-3.5 text-right whitespace-nowrap text-ink-2 max-sm:hidden">
        {last}
      </td>
      {actions && (
        <td className="py-2 pr-3.5">
          <GroupActions group={group} actions={actions} current={false} only />
        </td>
      )}
    </tr>
  );
}
