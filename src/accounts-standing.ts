import { judgeAccount, judgeAccounts, type Verdict } from './core/account-standing.js';
import { startOfDay } from './core/day.js';
import type { AttemptOutcome } from './core/message.js';
import { FAILED, sumBy } from './dashboard.js';
import { MOST_WAITING, readAccountQueues, type AccountQueue } from './store/scripts/account-queues.js';
import { accounts } from './store/scripts/accounts.js';
import { QUARTER_MINUTES, readRecent } from './store/scripts/recent.js';
import { ask, type Script } from './store/script.js';
import type { Store } from './store/store.js';
import { readTimezone } from './store/scripts/settings.js';

export interface AccountStanding extends Verdict {
  readonly id: number;
  readonly sentToday: number;
  readonly failedToday: number;
  /** Up to one more than is counted. */
  readonly waiting: number;
  readonly lastTry: { readonly at: number; readonly outcome: AttemptOutcome } | null;
}

export interface AccountsStanding extends Verdict {
  readonly items: readonly AccountStanding[];
}

const MINUTE_MS = 60_000;

/** Who may send now, and what each account has done today, from counters and one look into an index each. */
export function* readAccountsStanding(
  store: Store,
  workspaceId: number,
  now: number,
): Script<AccountsStanding> {
  const timezone = yield* readTimezone(store, workspaceId);
  const today = startOfDay(now, timezone) / MINUTE_MS;
  const known = yield* ask(
    accounts(store).where('workspace_id', '=', workspaceId).where('removed_at', 'is', null).orderBy('id'),
  );
  const queues = yield* readAccountQueues(store, workspaceId);
  const since = Math.floor(today / QUARTER_MINUTES) * QUARTER_MINUTES;
  const recent = (yield* readRecent(store, workspaceId, since, since)).filter(
    ({ minute }) => minute >= today,
  );
  const accountOf = new Map(queues.map(({ channelId, accountId }) => [channelId, accountId]));
  const byAccount = (some: typeof recent) => sumBy(some, ({ channelId }) => accountOf.get(channelId));
  const sent = byAccount(recent.filter(({ state }) => state === 'sent'));
  const failed = byAccount(recent.filter(({ state }) => FAILED.has(state)));
  const when = { now, timezone, mostCounted: MOST_WAITING };
  const facts = known.map((account) => ({ ...account, ...sumOf(queues, account.id) }));
  return {
    ...judgeAccounts({ ...when, accounts: facts }),
    items: facts.map((account) => ({
      ...judgeAccount(account, when),
      id: account.id,
      sentToday: sent.get(account.id) ?? 0,
      failedToday: failed.get(account.id) ?? 0,
      waiting: account.waiting,
      lastTry: account.lastTry,
    })),
  };
}

/** An account has a channel for each kind of mail. */
function sumOf(
  queues: readonly AccountQueue[],
  accountId: number,
): Pick<AccountStanding, 'waiting' | 'lastTry'> {
  const own = queues.filter((queue) => queue.accountId === accountId);
  const tries = own.flatMap(({ lastTryAt, lastOutcome }) =>
    lastTryAt === null || lastOutcome === null ? [] : [{ at: lastTryAt, outcome: lastOutcome }],
  );
  const waiting = own.reduce((sum, queue) => sum + queue.waiting, 0);
  return {
    waiting: Math.min(waiting, MOST_WAITING + 1),
    lastTry: tries.reduce<AccountStanding['lastTry']>(
      (latest, each) => (latest && latest.at >= each.at ? latest : each),
      null,
    ),
  };
}
