import { Link } from '@tanstack/react-router';
import type { DryRun, Limit } from '../../../api/types';
import { numberWords } from '../../../parts/number-words';
import { Panel } from '../../../parts/panel';
import { Untrusted } from '../../../parts/untrusted';
import { dateWords } from '../../../time/dates';
import { useAccounts } from '../account-names';

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
const CELL = 'px-3.5 py-1.5 align-top';

const PERIODS = { hour: 'an hour', day: 'a day', week: 'a week', month: 'a month' } as const;

function bindWords({ kind, period = 'day', max }: Limit): string {
  const many = max === null ? 'nothing' : numberWords(max);
  if (kind === 'window') return 'its hours';
  if (kind === 'ramp_up') return `ramp-up, ${many} a day now`;
  if (kind === 'total') return `the workspace, ${many} a day`;
  if (kind === 'spacing') return `spacing, ${many} fit in a day`;
  return `its own ${many} ${PERIODS[period]}`;
}

/** What binds each account, what would next, and when it is done; the one that ends the campaign is marked. */
export function Capacity({ run: { capacity } }: { readonly run: DryRun }) {
  const accountOf = useAccounts();
  const last = capacity
    .map(({ doneOn }) => doneOn ?? '')
    .sort()
    .at(-1);
  const several = capacity.length > 1;
  return (
    <Panel
      title="Capacity"
      note="what binds, by account"
      aside={
        <Link to="/limits" className="text-table no-underline hover:underline">
          Limits
        </Link>
      }
    >
      <div className="relative overflow-x-auto">
        <table className="w-full text-table">
          <thead>
            <tr>
              <th className={HEAD}>Account</th>
              <th className={`${HEAD} text-right`}>A day</th>
              <th className={HEAD}>What binds it</th>
              <th className={HEAD}>Done</th>
            </tr>
          </thead>
          <tbody>
            {capacity.map(({ accountId, perDay, binding, next, doneOn }) => {
              const ends = several && doneOn !== null && doneOn === last;
              return (
                <tr key={accountId} className="border-t border-line">
                  <td className={`${CELL} wrap-anywhere`}>
                    <Link
                      to="/accounts/$accountId"
                      params={{ accountId }}
                      search={{ tab: 'limits' }}
                      className="font-semibold text-ink no-underline hover:underline"
                    >
                      <Untrusted text={accountOf(accountId).name} />
                    </Link>
                  </td>
                  <td className={`${CELL} figures text-right`}>{numberWords(perDay)}</td>
                  <td className={CELL}>
                    <span className={ends ? 'font-semibold text-retry' : ''}>{bindWords(binding)}</span>
                    {next && <span className="block text-note text-ink-2">next: {bindWords(next)}</span>}
                  </td>
                  <td className={`${CELL} whitespace-nowrap`}>
                    {doneOn === null ? <span className="text-ink-2">sends none</span> : dateWords(doneOn)}
                    {ends && <span className="block text-note text-ink-2">ends it</span>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
