import { useQuery } from '@tanstack/react-query';
import { ofAccounts } from '../../api/queries';
import type { Account } from '../../api/types';

/** "bookings@" where the address says enough, else the name that a person gave. */
const nameOf = ({ name, emailAddress }: Account): string =>
  emailAddress !== null && name === emailAddress
    ? emailAddress.slice(0, emailAddress.indexOf('@') + 1)
    : name;

export function useAccountNames(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    ...ofAccounts(),
    select: ({ items }) => new Map(items.map((account) => [account.id, nameOf(account)])),
    // Names hardly ever change, and the list must not wait for them.
    staleTime: 60_000,
  });
  return data ?? NONE;
}

const NONE: ReadonlyMap<string, string> = new Map();
