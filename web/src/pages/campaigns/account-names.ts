import { useQuery } from '@tanstack/react-query';
import { ofAccounts } from '../../api/queries';
import type { Account } from '../../api/types';

/** What people call an account; until it is known, its id. */
export function useAccounts(): (id: string) => Pick<Account, 'name' | 'status'> & Partial<Account> {
  const { data } = useQuery({ ...ofAccounts(), staleTime: 60_000 });
  return (id) => data?.items.find((each) => each.id === id) ?? { name: id, status: 'active' };
}
