import { dayWords } from '../core/account-day.js';
import { isOfItself, judgeAccount, judgeAccounts, type Verdict } from '../core/account-standing.js';
import { startOfDay } from '../core/day.js';
import type { AttemptOutcome } from '../core/message.js';
import { FAILED, sumBy } from './dashboard.js';
import { MOST_WAITING, readAccountQueues, type AccountQueue } from '../store/scripts/account-queues.js';
import { presentAccounts } from '../store/scripts/accounts.js';
import { QUARTER_MINUTES, readRecent } from '../store/scripts/recent.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { readSending } from '../store/scripts/openings.js';
import { readAccountsToday, type AccountToday } from './accounts-today.js';

export interface AccountStanding extends Verdict, Omit<AccountToday, 'guardedOnly'> {
  readonly id: number;
  /** What of its limits is used today, in a few words. */
  readonly limits: string;
  readonly sentToday: number;
  readonly failedToday: number;
  /** Up to one more than is counted. */
  readonly waiting: number;
  readonly lastTry: { readonly at: number; readonly outcome: AttemptOutcome } | null;
}

export interface AccountsStanding extends Verdict {
  /** Guarded emails of all accounts, today; null: no account sends any. */
  readonly today: { readonly used: number; readonly limit: number } | null;
  /** The first that stopped itself: somebody should look why. */
  readonly stopped: number | null;
  readonly items: readonly AccountStanding[];
}

const MINUTE_MS = 60_000;

/** Who may send now, and what each account has done today, from counters and one look into an index each. */
export function* readAccountsStanding(
  store: Store,
  workspaceId: number,
  now: number,
): Script<AccountsStanding> {
  const { timezone, dailyQuota } = yield* readSending(store, workspaceId);
  const today = startOfDay(now, timezone) / MINUTE_MS;
  const known = yield* presentAccounts(store, workspaceId);
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
  const days = yield* readAccountsToday(store, workspaceId, { accounts: known, queues, now });
  const facts = known.map((account) => {
    const today = days.get(account.id);
    if (!today) throw new Error('of an account that was asked for, nothing was read');
    const { guardedOnly, ...rest } = today;
    return {
      ...account,
      ...sumOf(queues, account.id),
      ...rest,
      ...(guardedOnly && { guarded: standingOf(rest.rows) }),
    };
  });
  return {
    ...judgeAccounts({ ...when, accounts: facts }),
    today: todayOf(facts, dailyQuota),
    stopped: facts.find((account) => account.pausedAt !== null && isOfItself(account))?.id ?? null,
    items: facts.map((account) => ({
      ...judgeAccount(account, when),
      ...{ id: account.id, rows: account.rows, window: account.window, bounced: account.bounced },
      limits: dayWords(account.rows),
      sentToday: sent.get(account.id) ?? 0,
      failedToday: failed.get(account.id) ?? 0,
      waiting: account.waiting,
      lastTry: account.lastTry,
    })),
  };
}

/** Of an account that does several things: the best of them, since that is what it may do. */
function standingOf(rows: AccountToday['rows']): {
  standing: 'open' | 'full' | 'shut';
  until: number | null;
} {
  const guarded = rows.filter((row) => row.guarded);
  const firsts = ['open', 'full', 'shut'] as const;
  for (const standing of firsts) {
    const [first] = guarded
      .filter((row) => row.standing === standing)
      .sort((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity));
    if (first) return { standing, until: first.until };
  }
  return { standing: 'open', until: null };
}

/** What all accounts together may send is the workspace's to say. */
function todayOf(
  accounts: readonly Pick<AccountToday, 'rows'>[],
  dailyQuota: number,
): AccountsStanding['today'] {
  const emails = accounts
    .flatMap(({ rows }) => rows)
    .filter(({ guarded, action }) => guarded && action === 'email');
  if (emails.length === 0) return null;
  const sum = (of: (row: (typeof emails)[number]) => number) =>
    emails.reduce((total, row) => total + of(row), 0);
  return {
    used: sum(({ used }) => used),
    limit: Math.min(
      dailyQuota,
      sum(({ limit }) => limit),
    ),
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
