import type { AccountView } from '../accounts/view.js';
import { parseId } from '../core/ids.js';
import { PillarboxError } from '../core/errors.js';
import type { Pillarbox } from '../library/pillarbox.js';

const PAGE = 200;

/** All accounts of the workspace, the oldest first. */
export async function allAccounts({ home: { accounts } }: Pillarbox): Promise<readonly AccountView[]> {
  const all: AccountView[] = [];
  let cursor: string | undefined;
  do {
    const page = await accounts.list({ limit: PAGE, cursor });
    all.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

/** By its id, its name or its address: at night a person knows the address. Throws `not_found`. */
export async function accountNamed(box: Pillarbox, given: string): Promise<AccountView> {
  if (parseId('account', given) !== undefined) return box.home.accounts.get(given);
  const matching = (await allAccounts(box)).filter(
    ({ name, emailAddress }) => name === given || emailAddress === given,
  );
  const [only] = matching;
  if (matching.length > 1) {
    const ids = matching.map(({ id }) => id).join(', ');
    throw new PillarboxError('conflict', `${given} could be ${ids}; say which`);
  }
  if (!only) throw new PillarboxError('not_found', `there is no account ${given.slice(0, 100)}`);
  return only;
}
