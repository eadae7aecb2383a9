import { Link } from '@tanstack/react-router';
import { Button, buttonLook } from '../../parts/button';
import { faultWords } from '../../parts/fault-words';
import { showToast } from '../../parts/toast';
import { Untrusted } from '../../parts/untrusted';
import { useMay } from '../../session';
import { useOffline } from '../../shell/live-indicator';
import { resume } from './actions';
import { Binds } from './binds';
import { QueueCount } from './count';
import type { AccountRow } from './rows';
import { AccountStatus } from './status';
import { AccountName, WAITING } from './table';
import { TodayBar } from './today-bar';

/** The same on a small screen; what needs a person first, with what he can do. */
export const AccountCards = ({ rows }: { readonly rows: readonly AccountRow[] }) => (
  <ul className="overflow-hidden rounded-panel border border-line bg-surface">
    {[...rows]
      .sort((a, b) => rank(a) - rank(b))
      .map((row) => (
        <Card key={row.key} row={row} />
      ))}
  </ul>
);

function rank({ account, day }: AccountRow): number {
  if (account.status === 'paused') return 0;
  if (day?.standing === 'full' && day.guarded) return 1;
  return account.cooldownUntil === null ? 3 : 2;
}

function Card({ row }: { readonly row: AccountRow }) {
  const { account, day, standing } = row;
  const paused = account.status === 'paused';
  return (
    <li
      className={`border-t border-line px-3.5 py-2.5 text-table first:border-t-0 ${paused ? 'bg-tint-retry' : ''}`}
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1 wrap-anywhere">
          <AccountName row={row} />
        </div>
        <span className="max-w-1/2 shrink-0">
          <AccountStatus account={account} day={day} zone={standing?.window.timezone} short />
        </span>
      </div>
      <div className="mt-1.5">
        <TodayBar wide account={account} day={day} standing={standing} />
      </div>
      <div className="mt-1 flex items-baseline gap-3 text-ink-2 wrap-anywhere">
        <div className="min-w-0 flex-1">
          {paused ? <Untrusted text={account.pauseReason ?? ''} /> : <Binds row={row} />}
        </div>
        <span className="figures shrink-0">
          <QueueCount
            n={standing?.waiting}
            accountId={account.id}
            state={WAITING}
            label={['mail waits', 'mails wait']}
          />{' '}
          wait
        </span>
      </div>
      {paused && <PausedActions row={row} />}
    </li>
  );
}

function PausedActions({ row: { account, standing } }: { readonly row: AccountRow }) {
  const may = useMay('operate');
  const offline = useOffline();
  return (
    <div className="mt-2.5 flex flex-wrap gap-2">
      <Link
        to="/accounts/$accountId"
        params={{ accountId: account.id }}
        search={{ tab: 'activity' }}
        className={`${buttonLook()} flex-1`}
      >
        See its tries
      </Link>
      {may && offline === undefined && (
        <Button
          className="flex-1"
          onClick={() =>
            void resume(account, standing?.waiting ?? 0).catch((error: unknown) =>
              showToast({ text: faultWords(error), tone: 'fault' }),
            )
          }
        >
          Resume
        </Button>
      )}
    </div>
  );
}
