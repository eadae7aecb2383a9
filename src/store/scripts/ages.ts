import { askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';
import type { Tables } from '../tables.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/** Rows that end by their age and by nothing else. Whatever is asked of them looks back less far. */
interface Aged {
  readonly table: keyof Tables;
  readonly key: readonly string[];
  /** Null has no age. */
  readonly column: string;
  readonly keptMs: number;
  /** Of what is counted in `column`: a millisecond unless it says otherwise. */
  readonly unitMs?: number;
  /** Its instants are real time, which no virtual clock moves. */
  readonly real?: boolean;
}

/** Of the whole installation; each has an index by age, or is small. */
export const AGED: readonly Aged[] = [
  // The window in which they add up is a week.
  {
    table: 'soft_bounces',
    key: ['workspace_id', 'address', 'message_id'],
    column: 'bounced_at',
    keptMs: 8 * DAY_MS,
  },
  // A week, wherever on earth it begins.
  {
    table: 'deaths',
    key: ['workspace_id', 'fingerprint', 'hour', 'channel_id'],
    column: 'hour',
    keptMs: 8 * DAY_MS,
  },
  // The longest that a workspace can look back at an account's health.
  { table: 'account_harm', key: ['account_id', 'message_id', 'kind'], column: 'at', keptMs: 91 * DAY_MS },
  { table: 'login_failures', key: ['subject', 'failed_at'], column: 'failed_at', keptMs: DAY_MS, real: true },
  // Whoever reports what comes back does not do so again after so long.
  { table: 'inbound', key: ['workspace_id', 'key'], column: 'at', keptMs: 90 * DAY_MS },
  // They end after two weeks at the latest.
  { table: 'sessions', key: ['hash'], column: 'created_at', keptMs: 15 * DAY_MS, real: true },
  // One that has run out opens nothing. By the hash: whoever was invited anew meanwhile keeps the new one.
  { table: 'invitations', key: ['hash'], column: 'expires_at', keptMs: 0, real: true },
  // Long enough to see in the list of keys, and in the audit log, which one it was that somebody still uses.
  { table: 'api_keys', key: ['id'], column: 'revoked_at', keptMs: 90 * DAY_MS },
  // Longer than any window of a key; who asks again later is a new event.
  {
    table: 'dedupe_windows',
    key: ['workspace_id', 'dedupe_key'],
    column: 'opened_at',
    keptMs: 60 * MINUTE_MS,
  },
  // Nobody passes dead letters on any more; they are still to be seen where they died.
  { table: 'announcements', key: ['id'], column: 'died_at', keptMs: 30 * DAY_MS },
];

/** Of one workspace at a time: their keys begin with it. */
export const AGED_IN_WORKSPACE: readonly Aged[] = [
  // As long as "today" can reach back, wherever on earth, and a day of history beside it.
  {
    table: 'minutes',
    key: ['workspace_id', 'minute', 'channel_id', 'state'],
    column: 'minute',
    unitMs: MINUTE_MS,
    keptMs: 3 * DAY_MS,
  },
  // A year, and the month beside it with which people compare.
  { table: 'totals', key: ['workspace_id', 'hour', 'state'], column: 'hour', keptMs: 400 * DAY_MS },
];

/** One step, the oldest first. True: there is more. */
export function* forgetAged(
  store: Store,
  { table, key, column, keptMs, unitMs = 1, real = false }: Aged,
  now: number,
  limit: number,
  workspaceId?: number,
): Script<boolean> {
  const before = Math.floor(((real ? Date.now() : now) - keptMs) / unitMs);
  const parameters = [before, limit, ...(workspaceId === undefined ? [] : [workspaceId])];
  const mark = (n: number) => (store.dialect === 'postgres' ? `$${String(n)}` : `?${String(n)}`);
  const within = workspaceId === undefined ? '' : `workspace_id = ${mark(3)} and`;
  const gone = yield* askCompiled({
    sql: `delete from ${store.at(table)} where (${key.join(', ')}) in (
        select ${key.join(', ')} from ${store.at(table)} where ${within} ${column} < ${mark(1)}
        order by ${column} limit ${mark(2)}) returning 1 as gone`,
    parameters,
  });
  return gone.length >= limit;
}
