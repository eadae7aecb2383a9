import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ofAccounts, ofAccountsStanding, type AccountStanding } from '../../api/accounts';
import type { Account } from '../../api/types';
import { buttonLook } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { AttemptGlyph } from '../../parts/glyphs';
import { Pager } from '../../parts/pager';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { Untrusted } from '../../parts/untrusted';
import { useMay, useMe } from '../../session';
import { TopBar } from '../../shell/top-bar';
import { Time } from '../../time/time';
import { QueueCount, TryCount } from './count';
import { AccountStatus } from './status';
import { kindLabel } from './transport-draft';

const WAITING = 'scheduled,queued,retry_scheduled';

const AddAccount = () => (
  <Link to="/accounts/$accountId" params={{ accountId: 'new' }} className={buttonLook('primary')}>
    Add account
  </Link>
);

/** Who may send now, who rests, who is paused and why. */
export function AccountList({ cursor }: { readonly cursor: string | undefined }) {
  const list = useQuery(ofAccounts(cursor));
  const standing = useQuery(ofAccountsStanding());
  const admin = useMay('admin');
  const error = list.error ?? standing.error;
  const of = new Map(standing.data?.items.map((item) => [item.id, item]));
  return (
    <>
      <TopBar title="Accounts" actions={admin && <AddAccount />} />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        {error && !(list.data && standing.data) ? (
          <Failure
            error={error}
            what="the accounts"
            onRetry={() => void Promise.all([list.refetch(), standing.refetch()])}
          />
        ) : (
          standing.data && <Plate {...standing.data} />
        )}
        {list.data ? (
          list.data.items.length === 0 ? (
            <Empty title="No account yet." {...(admin && { actions: <AddAccount /> })}>
              An account is who mail leaves as: an address, and the server that takes it.
            </Empty>
          ) : (
            <Table accounts={list.data.items} of={of} />
          )
        ) : (
          !error && <SkeletonRows rows={6} />
        )}
        {list.data && (
          <Pager to="/accounts" cursor={cursor} next={list.data.nextCursor} words={['First', 'Next']} />
        )}
      </div>
    </>
  );
}

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
const CELL = 'px-3.5 py-1.5 align-middle';
const FIGURE = 'text-right figures';

const Table = ({
  accounts,
  of,
}: {
  readonly accounts: readonly Account[];
  readonly of: ReadonlyMap<string, AccountStanding>;
}) => (
  <div className="overflow-hidden rounded-panel border border-line bg-surface">
    <table className="w-full text-table max-lg:block">
      <thead className="max-lg:sr-only">
        <tr>
          <th className={HEAD}>Account</th>
          <th className={HEAD}>Transport</th>
          <th className={HEAD}>Status</th>
          <th className={`${HEAD} ${FIGURE}`}>Sent today</th>
          <th className={`${HEAD} ${FIGURE}`}>Failed today</th>
          <th className={`${HEAD} ${FIGURE}`}>Waiting</th>
          <th className={HEAD}>Last try</th>
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {accounts.map((account) => (
          <Row key={account.id} account={account} standing={of.get(account.id)} />
        ))}
      </tbody>
    </table>
  </div>
);

/** On a small screen the same cells stand below each other, each with its name. */
function Row({
  account,
  standing,
}: {
  readonly account: Account;
  readonly standing: AccountStanding | undefined;
}) {
  const { installation } = useMe();
  const { id, name, emailAddress, isDefault, transport } = account;
  return (
    <tr className="border-t border-line hover:bg-hover max-lg:grid max-lg:grid-cols-3 max-lg:gap-y-1 max-lg:px-3.5 max-lg:py-2.5">
      <td className={`${CELL} wrap-anywhere max-lg:col-span-2 max-lg:p-0`}>
        <Link
          to="/accounts/$accountId"
          params={{ accountId: id }}
          className="block font-semibold break-all text-ink no-underline hover:underline"
        >
          <Untrusted text={emailAddress ?? name} />
        </Link>
        <span className="text-note text-ink-2">
          {emailAddress !== null && <Untrusted text={name} />}
          {isDefault && ` · ${installation.inbox ? 'the built-in catcher' : 'from SMTP_URL'}`}
        </span>
      </td>
      <td className={`${CELL} max-lg:p-0 max-lg:text-right`}>{kindLabel(transport.kind)}</td>
      <td className={`${CELL} max-lg:col-span-3 max-lg:p-0 lg:max-w-80`}>
        <AccountStatus account={account} />
      </td>
      <Figure label="Sent today">
        <QueueCount
          n={standing?.sentToday}
          accountId={id}
          state="sent"
          label={['sent today', 'sent today']}
        />
      </Figure>
      <Figure label="Failed today">
        <TryCount
          n={standing?.failedToday}
          accountId={id}
          label={['try failed today', 'tries failed today']}
        />
      </Figure>
      <Figure label="Waiting">
        <QueueCount
          n={standing?.waiting}
          accountId={id}
          state={WAITING}
          label={['mail waits', 'mails wait']}
        />
      </Figure>
      <td className={`${CELL} whitespace-nowrap max-lg:col-span-3 max-lg:p-0`}>
        <span className="mr-1.5 text-note text-ink-2 lg:hidden">Last try</span>
        {standing?.lastTry ? (
          <span className="inline-flex items-center gap-1.5 align-middle">
            <AttemptGlyph outcome={standing.lastTry.outcome} />
            <Time at={standing.lastTry.at} label={TRY_WORDS[standing.lastTry.outcome]} />
          </span>
        ) : (
          standing && <span className="text-ink-3">never</span>
        )}
      </td>
    </tr>
  );
}

const TRY_WORDS = {
  success: 'Sent',
  failed: 'Failed',
  rate_limited: 'Told to slow down',
  in_doubt: 'In doubt since',
};

const Figure = ({ label, children }: { readonly label: string; readonly children: React.ReactNode }) => (
  <td className={`${CELL} ${FIGURE} max-lg:p-0 max-lg:text-left`}>
    <span className="mr-1.5 text-note text-ink-2 lg:hidden">{label}</span>
    {children}
  </td>
);
