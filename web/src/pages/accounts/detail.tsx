import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client';
import { ofAccount, ofAccountsStanding, verifyAccount } from '../../api/accounts';
import { buttonLook } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { showToast } from '../../parts/toast';
import { useMay } from '../../session';
import { TopBar } from '../../shell/top-bar';
import { serviceNow } from '../../time/clock';
import { AccountActions } from './actions';
import { ActivityTab } from './activity';
import { LimitsTab } from './limits-tab';
import { Pace } from './pace';
import { ACTIONS_OF } from './limits-draft';
import { EditTab, SenderPanel } from './sender';
import { SignaturePanel } from './signature';
import { VerificationPanel, type Verified } from './verification';

const WITHIN = { label: 'Accounts', to: '/accounts' };
const TABS = [
  { tab: undefined, label: 'Today' },
  { tab: 'limits', label: 'Limits' },
  { tab: 'activity', label: 'Activity' },
] as const;

interface Props {
  readonly id: string;
  readonly tab: string | undefined;
  readonly cursor: string | undefined;
}

export function AccountDetail({ id, tab, cursor }: Props) {
  const { data: account, error, refetch } = useQuery(ofAccount(id));
  const { data: standings } = useQuery(ofAccountsStanding());
  const standing = standings?.items.find((item) => item.id === id);
  const admin = useMay('admin');
  const [editing, setEditing] = useState(false);
  const [verifying, setVerifying] = useState(false);
  const [verified, setVerified] = useState<Verified>();
  const verify = () => {
    setVerifying(true);
    verifyAccount(id)
      .then((answer) => setVerified({ at: new Date(serviceNow()).toISOString(), answer }))
      .catch((fault: unknown) => showToast({ text: (fault as Error).message, tone: 'fault' }))
      .finally(() => setVerifying(false));
  };
  if (!account)
    return (
      <>
        <TopBar title={error ? 'Not found' : ''} within={WITHIN} />
        <div className="p-5 max-sm:p-3.5">
          {error instanceof ApiError && error.status === 404 ? (
            <Gone />
          ) : error ? (
            <Failure error={error} what="this account" onRetry={() => void refetch()} />
          ) : (
            <SkeletonRows rows={6} />
          )}
        </div>
      </>
    );
  const first = tab !== 'activity' && tab !== 'limits';
  return (
    <>
      <TopBar title={account.emailAddress ?? account.name} within={WITHIN} />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        {standing && <Plate {...standing} />}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <nav aria-label="Parts of this account" className="flex gap-1">
            {TABS.map(({ tab: each, label }) => (
              <Link
                key={label}
                to="/accounts/$accountId"
                params={{ accountId: id }}
                search={each === undefined ? {} : { tab: each }}
                // A page of the list is still the list; any tab is not the first one.
                activeOptions={{ includeSearch: true, exact: each === undefined }}
                className="flex min-h-8 items-center rounded-control border border-transparent px-3 text-ink-2 no-underline hover:bg-hover aria-[current]:border-line aria-[current]:bg-surface aria-[current]:font-bold aria-[current]:text-ink coarse:min-h-11"
              >
                {label}
              </Link>
            ))}
          </nav>
          <AccountActions
            account={account}
            standing={standing}
            verifying={verifying}
            onVerify={verify}
            onEdit={admin && !editing && first && !account.isDefault ? () => setEditing(true) : undefined}
          />
        </div>
        {verified && <VerificationPanel verified={verified} />}
        {tab === 'activity' ? (
          <ActivityTab id={id} cursor={cursor} />
        ) : tab === 'limits' ? (
          <LimitsTab account={account} />
        ) : editing && admin ? (
          <EditTab account={account} onDone={() => setEditing(false)} />
        ) : (
          <>
            {ACTIONS_OF[account.type].map((action) => (
              <Pace key={action} row={{ account, action }} />
            ))}
            <SenderPanel account={account} />
            <SignaturePanel account={account} />
          </>
        )}
      </div>
    </>
  );
}

const Gone = () => (
  <Empty
    title="There is no such account."
    actions={
      <Link to="/accounts" className={buttonLook('primary')}>
        Show all accounts
      </Link>
    }
  >
    It was deleted, or it belongs to another workspace.
  </Empty>
);
