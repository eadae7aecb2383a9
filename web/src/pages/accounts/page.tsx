import { useParams, useSearch } from '@tanstack/react-router';
import { AccountDetail } from './detail';
import { AccountList } from './list';
import { NewAccount } from './new';

export function AccountsPage() {
  const { accountId } = useParams({ strict: false });
  const { tab, cursor } = useSearch({ strict: false });
  if (accountId === undefined) return <AccountList cursor={cursor} />;
  if (accountId === 'new') return <NewAccount />;
  return <AccountDetail key={accountId} id={accountId} tab={tab} cursor={cursor} />;
}
