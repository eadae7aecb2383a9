import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ofAccountsStanding } from '../../api/accounts';
import type { AccountStanding, AccountToday } from '../../api/types';
import { classNames } from '../../parts/class-names';
import { Panel } from '../../parts/panel';
import { transportLabel } from '../../parts/transport-label';
import { Untrusted } from '../../parts/untrusted';
import { useNow } from '../../time/clock';
import { timeOf, zoneName } from '../../time/words';
import { useZone } from '../../time/zone';
import { numberWords } from '../../parts/number-words';

/** Those that a person must look at come first, then the busiest: so the server orders them. */
const SHOWN = 7;

export function AccountsToday({ accounts }: { readonly accounts: readonly AccountToday[] }) {
  const more = accounts.length - SHOWN;
  const { data: standings } = useQuery(ofAccountsStanding());
  return (
    <Panel
      title="Accounts today"
      aside={
        <Link to="/accounts" className="text-table no-underline hover:underline">
          All accounts
        </Link>
      }
    >
      <table className="w-full text-table">
        <thead className="sr-only">
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Limits</th>
            <th scope="col">Sent and failed</th>
          </tr>
        </thead>
        {accounts.slice(0, SHOWN).map((account) => (
          <AccountRows
            key={account.id}
            account={account}
            standing={standings?.items.find(({ id }) => id === account.id)}
          />
        ))}
      </table>
      {accounts.length === 0 && (
        <p className="px-3.5 py-4 text-ink-2">No account yet. Mail needs one to leave from.</p>
      )}
      {more > 0 && (
        <p className="border-t border-line px-3.5 py-2 text-note text-ink-2">
          and {numberWords(more)} more, all of them quieter
        </p>
      )}
    </Panel>
  );
}

interface RowsProps {
  readonly account: AccountToday;
  readonly standing: AccountStanding | undefined;
}

function AccountRows({ account, standing }: RowsProps) {
  const trouble = useTrouble(account);
  return (
    <tbody className={classNames('border-b border-line last:border-b-0', trouble && 'bg-tint-retry')}>
      <tr>
        <th scope="row" className="py-2 pr-2 pl-3.5 text-left font-normal wrap-anywhere">
          <Link
            to="/accounts/$accountId"
            params={{ accountId: account.id }}
            className="font-semibold text-ink no-underline hover:underline"
          >
            <Untrusted text={account.name} />
          </Link>{' '}
          <span className="text-ink-2">{transportLabel(account.transport)}</span>
        </th>
        <td className="py-2 pr-2 text-ink-2">
          {trouble ? <strong className="font-semibold text-retry">{trouble.word}</strong> : standing?.limits}
        </td>
        <td className="py-2 pr-3.5 text-right whitespace-nowrap">
          <Counts account={account} />
        </td>
      </tr>
      {trouble?.reason != null && (
        <tr>
          <td colSpan={3} className="px-3.5 pb-2 text-note wrap-anywhere text-ink-2">
            <Untrusted text={trouble.reason} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Counts({ account: { id, sentToday, failedToday } }: { readonly account: AccountToday }) {
  return (
    <span className="flex items-baseline justify-end max-xl:flex-col max-xl:items-end">
      {failedToday > 0 && (
        <Link
          to="/accounts/$accountId"
          params={{ accountId: id }}
          search={{ tab: 'activity' }}
          className="mr-2 text-note text-ink-2 no-underline hover:underline max-xl:order-2 max-xl:mr-0"
        >
          {numberWords(failedToday)} failed
        </Link>
      )}
      <Link
        to="/queue"
        search={{ accountId: id, state: 'sent' }}
        aria-label={`${numberWords(sentToday)} sent`}
        className="figures text-ink no-underline hover:underline"
      >
        {numberWords(sentToday)}
      </Link>
    </span>
  );
}

interface Trouble {
  readonly word: string;
  readonly reason: string | null;
}

/** Why an account does not send now. A pause outlasts a rest. */
function useTrouble(account: AccountToday): Trouble | undefined {
  const zone = useZone();
  const now = useNow();
  if (account.status === 'paused') return { word: 'Paused', reason: account.pauseReason };
  const until = account.cooldownUntil === null ? 0 : Date.parse(account.cooldownUntil);
  if (until <= now) return undefined;
  return {
    word: `Rests until ${timeOf(until, zone)} ${zoneName(zone, until)}`,
    reason: account.cooldownReason,
  };
}
