import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ofNearness } from '../../api/limits';
import { ofAccounts } from '../../api/queries';
import type { AccountAction, NearAccount, PeriodUse } from '../../api/types';
import { Button } from '../../parts/button';
import { UseBar } from '../../parts/charts/use-bar';
import { Failure } from '../../parts/failure';
import { numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';
import { gapWords } from './limit-words';

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
const CELL = 'px-3.5 py-1.5 align-middle max-lg:p-0';
const SHOWN = 12;

const PERIODS = [
  ['hour', 'This hour'],
  ['day', 'Today'],
  ['week', 'This week'],
  ['month', 'This month'],
] as const;

const DOES: Record<AccountAction, string> = {
  email: '',
  message: ', messages',
  connection_request: ', requests',
  inmail: ', InMails',
};

/** Sent and planned against each limit of each account, the nearest first. */
export function Near() {
  const { data, error, refetch } = useQuery(ofNearness());
  const [all, setAll] = useState(false);
  if (error && !data)
    return <Failure error={error} what="how near the accounts are" onRetry={() => void refetch()} />;
  if (!data || data.items.length === 0) return null;
  const items = all ? data.items : data.items.slice(0, SHOWN);
  return (
    <Panel
      title="How near"
      note="sent and planned against each limit"
      aside={
        <Link to="/settings/sending" className="text-table no-underline hover:underline">
          Edit limits
        </Link>
      }
    >
      <table className="w-full text-table max-lg:block">
        <thead className="max-lg:sr-only">
          <tr>
            <th className={HEAD}>Account</th>
            {PERIODS.map(([period, label]) => (
              <th key={period} className={HEAD}>
                {label}
              </th>
            ))}
            <th className={HEAD}>Closest two today</th>
          </tr>
        </thead>
        <tbody className="max-lg:block">
          {items.map((item) => (
            <Row key={`${item.accountId} ${item.action}`} item={item} />
          ))}
        </tbody>
      </table>
      {data.items.length > items.length && (
        <div className="border-t border-line px-3.5 py-2">
          <Button onClick={() => setAll(true)}>Show all {numberWords(data.items.length)}</Button>
        </div>
      )}
    </Panel>
  );
}

/** On a small screen the same cells stand below each other, each with its name. */
function Row({ item: { accountId, action, periods, closestMs } }: { readonly item: NearAccount }) {
  const { data } = useQuery({ ...ofAccounts(), staleTime: 60_000 });
  const name = data?.items.find(({ id }) => id === accountId)?.name ?? accountId;
  return (
    <tr className="border-t border-line max-lg:grid max-lg:gap-y-1 max-lg:px-3.5 max-lg:py-2.5">
      <td className={`${CELL} wrap-anywhere`}>
        <Link
          to="/accounts/$accountId"
          params={{ accountId }}
          search={{ tab: 'limits' }}
          className="font-semibold text-ink no-underline hover:underline"
        >
          <Untrusted text={name} />
        </Link>
        {DOES[action]}
      </td>
      {PERIODS.map(([period, label]) => (
        <td key={period} className={`${CELL} ${periods[period] === null ? 'max-lg:hidden' : ''}`}>
          <span className="flex items-center gap-2">
            <span className="w-20 text-note text-ink-2 lg:hidden">{label}</span>
            <Use use={periods[period]} />
          </span>
        </td>
      ))}
      <td className={`${CELL} figures ${closestMs === null ? 'max-lg:hidden' : ''}`}>
        <span className="mr-2 text-note text-ink-2 lg:hidden">Closest two today</span>
        {closestMs === null ? <span className="text-ink-3">no two yet</span> : gapWords(closestMs)}
      </td>
    </tr>
  );
}

function Use({ use }: { readonly use: PeriodUse | null }) {
  if (!use) return <span className="text-ink-2">no limit</span>;
  const { used, planned, max } = use;
  const over = used + planned > max;
  return (
    <>
      <UseBar used={used} planned={planned} max={max} full={used > max} className="w-22 shrink-0" />
      <span className={`figures whitespace-nowrap ${over ? 'font-semibold text-retry' : ''}`}>
        {numberWords(used + planned)} / {numberWords(max)}
      </span>
    </>
  );
}
