import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ofAccounts, ofAccountsStanding } from '../../api/accounts';
import type { AccountsStanding } from '../../api/types';
import { buttonLook } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { useWide } from '../../parts/media';
import { numberWords } from '../../parts/number-words';
import { Pager } from '../../parts/pager';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { useMay } from '../../session';
import { TopBar } from '../../shell/top-bar';
import { AccountCards } from './cards';
import { Pace } from './pace';
import { rowsOf, type AccountRow } from './rows';
import { AccountTable } from './table';
import { useRowKeys } from './use-row-keys';

const AddAccount = () => (
  <Link to="/accounts/$accountId" params={{ accountId: 'new' }} className={buttonLook('primary')}>
    Add account
  </Link>
);

/** Who may send now, who is full, rests or is paused, and why. */
export function AccountList({ cursor }: { readonly cursor: string | undefined }) {
  const list = useQuery(ofAccounts(cursor));
  const standing = useQuery(ofAccountsStanding());
  const admin = useMay('admin');
  const error = list.error ?? standing.error;
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
          standing.data && <AccountsPlate standing={standing.data} />
        )}
        {list.data ? (
          list.data.items.length === 0 ? (
            <Empty title="No account yet." {...(admin && { actions: <AddAccount /> })}>
              An account is who mail leaves as: an address, and the server that takes it.
            </Empty>
          ) : (
            <Rows rows={rowsOf(list.data.items, standing.data?.items)} />
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

function Rows({ rows }: { readonly rows: readonly AccountRow[] }) {
  const wide = useWide();
  return wide ? <WideRows rows={rows} /> : <AccountCards rows={rows} />;
}

/** One row is looked at: the one that was pointed to last, else the first that has limits to show. */
function WideRows({ rows }: { readonly rows: readonly AccountRow[] }) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string>();
  const present =
    rows.find(({ key }) => key === chosen) ?? rows.find(({ day }) => day?.guarded === true) ?? rows[0];
  useRowKeys({
    keys: rows.map(({ key }) => key),
    present: present?.key,
    onMove: setChosen,
    onOpen: () => {
      if (present) void navigate({ to: '/accounts/$accountId', params: { accountId: present.account.id } });
    },
  });
  return (
    <>
      <AccountTable rows={rows} present={present?.key} onPresent={setChosen} />
      {present && <Pace row={present} door />}
    </>
  );
}

function AccountsPlate({ standing }: { readonly standing: AccountsStanding }) {
  const { level, sentence, evidence, today, stopped } = standing;
  return (
    <Plate
      {...{ level, sentence, evidence }}
      {...(stopped !== null && {
        action: (
          <Link
            to="/accounts/$accountId"
            params={{ accountId: stopped }}
            search={{ tab: 'activity' }}
            className={buttonLook()}
          >
            Look at the bounces
          </Link>
        ),
      })}
      cells={today === null ? [] : [<LeftToday key="today" {...today} />]}
    />
  );
}

const LeftToday = ({ used, limit }: { readonly used: number; readonly limit: number }) => (
  <span className="whitespace-nowrap text-note text-ink-2 max-sm:flex max-sm:items-baseline max-sm:justify-between">
    <span className="block">Left today</span>
    <strong className="figures block text-title text-ink">
      {numberWords(used)} of {numberWords(limit)}
    </strong>
    <span className="max-sm:hidden">emails that keep hours</span>
  </span>
);
