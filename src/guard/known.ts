import type { Use } from '../core/limits.js';
import { rulesOf, type Rules } from '../core/rules.js';
import type { AccountSending, SendingSettings } from '../core/sending.js';
import type { Script } from '../store/script.js';
import { findOwnAccount } from '../store/scripts/account-edits.js';
import type { Account } from '../store/scripts/accounts.js';
import { guardedAccounts, readUse, type GuardedAccount } from '../store/scripts/guard-use.js';
import type { Store } from '../store/store.js';

/** An account and one thing that it does: what holds for it, and what it has used. */
export interface Known {
  readonly account: GuardedAccount;
  readonly rules: Rules;
  readonly use: Use;
  /** When the account's own rules were last changed, or anything else of it. */
  readonly changedAt: number;
}

/** The same as the engine's draws only by chance; what is asked twice is answered alike. */
export const SEED = 1;
/** Whoever waits behind so many is not looked at by a preview. */
export const MOST_PREVIEWED = 10_000;

export const rulesFor = (settings: SendingSettings, { sending, type }: Account, now: number): Rules =>
  rulesOf(settings, { ...(JSON.parse(sending) as AccountSending), type }, now);

/** All that a workspace guards, as these settings would have it. */
export function* everybody(
  store: Store,
  workspaceId: number,
  settings: SendingSettings,
  now: number,
): Script<readonly Known[]> {
  const found: Known[] = [];
  for (const account of yield* guardedAccounts(store, workspaceId)) {
    const row = yield* findOwnAccount(store, workspaceId, account.accountId);
    if (!row) continue;
    const rules = rulesFor(settings, row, now);
    const use = yield* readUse(store, { ...account, workspaceId }, rules, now);
    found.push({ account, rules, use, changedAt: row.updatedAt });
  }
  return found;
}
