import type { Account, AccountAction, AccountDay, AccountStanding } from '../../api/types';

/** One line of the list: an account, and one of the things that it does. */
export interface AccountRow {
  readonly key: string;
  readonly account: Account;
  readonly standing: AccountStanding | undefined;
  readonly action: AccountAction;
  readonly day: AccountDay | undefined;
}

const USUAL: Record<Account['type'], AccountAction> = { email: 'email', linkedin: 'message' };

/** Those of each account together, an account that does several things as several. */
export function rowsOf(
  accounts: readonly Account[],
  standings: readonly AccountStanding[] | undefined,
): AccountRow[] {
  const of = new Map(standings?.map((standing) => [standing.id, standing]));
  return accounts.flatMap((account) => {
    const standing = of.get(account.id);
    const days: readonly (AccountDay | undefined)[] = standing?.rows ?? [undefined];
    return days.map((day) => {
      const action = day?.action ?? USUAL[account.type];
      return { key: `${account.id} ${action}`, account, standing, action, day };
    });
  });
}

export const ACTION_WORDS: Record<AccountAction, string> = {
  email: 'emails',
  message: 'messages',
  connection_request: 'requests',
  inmail: 'InMails',
};

/** What a row is called: an account that does several things, with what it does. */
export const rowName = ({ account, action }: Pick<AccountRow, 'account' | 'action'>): string =>
  `${account.name}${account.type === 'linkedin' ? `, ${ACTION_WORDS[action]}` : ''}`;
