import type { Workers } from '../core/workers.js';
import { startOfDay } from '../core/day.js';
import { judgeHealth, type Health } from '../core/health.js';
import { ALL_STATES, FINISHED_STATES, type State } from '../core/lifecycle.js';
import { LANES, type Lane } from '../core/message.js';
import { presentAccounts, type Account } from '../store/scripts/accounts.js';
import { countSending, countWaiting, readCauseCounts, readCounts } from '../store/scripts/counts.js';
import {
  oldestDue,
  QUARTER_MINUTES,
  readHours,
  readRecent,
  type Happening,
} from '../store/scripts/recent.js';
import { readWorkers } from '../store/scripts/workers.js';
import { oldestHeld, readUpcoming, type Upcoming } from '../store/scripts/upcoming.js';
import type { Script } from '../store/script.js';
import { listChannels } from '../store/scripts/channels.js';
import { readTimezone } from '../store/scripts/settings.js';
import type { Store } from '../store/store.js';

export const RANGES = ['1h', '24h', '7d'] as const;
/** Of the series: the last hour by minutes, the last day or week by hours. */
export type Range = (typeof RANGES)[number];

export interface AccountToday {
  readonly account: Account;
  readonly sentToday: number;
  readonly failedToday: number;
}

export interface SeriesPoint {
  readonly at: number;
  readonly sent: number;
  /** Tries that failed, whether or not there will be another one. */
  readonly failed: number;
}

export interface Dashboard {
  readonly now: number;
  readonly pending: number;
  readonly states: Readonly<Record<State, number>>;
  readonly sentToday: number;
  readonly sentTodayByLane: Readonly<Record<Lane, number>>;
  readonly oldestDueMs: number | null;
  readonly next: Upcoming;
  /** How long the oldest held one waits for a decision; null: none is held. */
  readonly oldestHeldMs: number | null;
  /** Those that died today, whatever became of them since. */
  readonly deadToday: number;
  readonly health: Health;
  readonly workers: Workers;
  readonly accounts: readonly AccountToday[];
  readonly series: readonly SeriesPoint[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The busiest ones; more than a page can show. */
const MOST_ACCOUNTS = 200;

/** Everything about one workspace at a glance, from counters: it costs the same with ten mails and with millions. */
export function* readDashboard(
  store: Store,
  workspaceId: number,
  range: Range,
  now: number,
): Script<Dashboard> {
  const today = startOfDay(now, yield* readTimezone(store, workspaceId));
  const states = yield* readStates(store, workspaceId);
  const pending = states.scheduled + states.retry_scheduled + states.queued + states.sending;
  const causes = yield* readCauseCounts(store, workspaceId);
  const oldest = yield* oldestDue(store, workspaceId, now);
  const oldestDueMs = oldest === undefined ? null : now - oldest;
  const workers = yield* readWorkers(store);
  const next = yield* readUpcoming(store, workspaceId, now);
  const heldSince = yield* oldestHeld(store, workspaceId);
  const channels = yield* listChannels(store, workspaceId);
  const known = yield* presentAccounts(store, workspaceId);
  const { recent, series } = yield* readSeries(store, workspaceId, range, now, today);
  const sent = recent.filter((each) => isSince(each, today) && each.state === 'sent');
  const failed = recent.filter((each) => isSince(each, today) && FAILED.has(each.state));
  const accountOf = new Map(channels.map((channel) => [channel.id, channel.accountId]));
  const laneOf = new Map(channels.map((channel) => [channel.id, channel.lane]));
  const byAccount = sumBy(sent, ({ channelId }) => accountOf.get(channelId));
  const failedByAccount = sumBy(failed, ({ channelId }) => accountOf.get(channelId));
  const byLane = sumBy(sent, ({ channelId }) => laneOf.get(channelId) ?? 'outbox');
  return {
    now,
    pending,
    states,
    sentToday: sent.reduce((sum, { n }) => sum + n, 0),
    sentTodayByLane: Object.fromEntries(LANES.map((lane) => [lane, byLane.get(lane) ?? 0])) as Record<
      Lane,
      number
    >,
    oldestDueMs,
    next,
    oldestHeldMs: heldSince === null ? null : Math.max(0, now - heldSince),
    deadToday: failed.filter(({ state }) => state === 'dead').reduce((sum, { n }) => sum + n, 0),
    health: judgeHealth({
      ...{ now, oldestDueMs, pending, dead: states.dead, deadCauses: causes.size, held: states.held },
      accounts: known,
      workers: workers.senders,
    }),
    workers,
    accounts: known
      .map((account) => ({
        account,
        sentToday: byAccount.get(account.id) ?? 0,
        failedToday: failedByAccount.get(account.id) ?? 0,
      }))
      .sort((a, b) => urgency(b.account, now) - urgency(a.account, now) || b.sentToday - a.sentToday)
      .slice(0, MOST_ACCOUNTS),
    series,
  };
}

/** What a try came to that ended nothing, and the end of the last one. */
export const FAILED = new Set(['failed', 'dead']);

const isSince = ({ minute }: Happening, instant: number): boolean => minute * MINUTE_MS >= instant;

/** Those first that a person must look at. */
const urgency = ({ pausedAt, cooldownUntil }: Account, now: number): number =>
  pausedAt !== null ? 2 : cooldownUntil > now ? 1 : 0;

export function sumBy<Key>(
  happenings: readonly Happening[],
  keyOf: (each: Happening) => Key,
): Map<Key, number> {
  const sums = new Map<Key, number>();
  for (const each of happenings) sums.set(keyOf(each), (sums.get(keyOf(each)) ?? 0) + each.n);
  return sums;
}

/** How many there are of each state. Beyond 100,000 retries the rest is taken for scheduled. */
function* readStates(store: Store, workspaceId: number): Script<Record<State, number>> {
  const lanes = yield* readCounts(store, workspaceId);
  const sending = yield* countSending(store, workspaceId);
  const { retryScheduled, queued } = yield* countWaiting(store, workspaceId);
  const states = Object.fromEntries(ALL_STATES.map((state) => [state, 0])) as Record<State, number>;
  for (const state of FINISHED_STATES)
    states[state] = lanes.reduce((sum, { finished }) => sum + finished[state], 0);
  const pending = lanes.reduce((sum, lane) => sum + lane.pending, 0);
  // Read one after the other while mail moves: never more parts than the whole.
  states.sending = Math.min(pending, sending);
  states.queued = Math.min(pending - states.sending, queued);
  states.retry_scheduled = Math.min(pending - states.sending - states.queued, retryScheduled);
  states.scheduled = pending - states.sending - states.queued - states.retry_scheduled;
  return states;
}

function* readSeries(
  store: Store,
  workspaceId: number,
  range: Range,
  now: number,
  today: number,
): Script<{ recent: readonly Happening[]; series: readonly SeriesPoint[] }> {
  const thisMinute = Math.floor(now / MINUTE_MS);
  const thisHour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const aDayAgo = thisHour - 23 * HOUR_MS;
  const since = Math.floor(Math.min(today, aDayAgo) / MINUTE_MS / QUARTER_MINUTES) * QUARTER_MINUTES;
  const recent = yield* readRecent(store, workspaceId, since, thisMinute - 59);
  if (range === '1h') {
    const at = recent.map(({ minute, ...each }) => ({ ...each, at: minute * MINUTE_MS }));
    return { recent, series: pointsOf(at, (thisMinute - 59) * MINUTE_MS, 60, MINUTE_MS) };
  }
  if (range === '24h') {
    const at = recent.map(({ minute, ...each }) => ({
      ...each,
      at: Math.floor((minute * MINUTE_MS) / HOUR_MS) * HOUR_MS,
    }));
    return { recent, series: pointsOf(at, aDayAgo, 24, HOUR_MS) };
  }
  const aWeekAgo = thisHour - (7 * 24 - 1) * HOUR_MS;
  const hours = yield* readHours(store, workspaceId, aWeekAgo);
  const at = hours.map(({ hour, ...each }) => ({ ...each, at: hour }));
  return { recent, series: pointsOf(at, aWeekAgo, 7 * 24, HOUR_MS) };
}

function pointsOf(
  happened: readonly { readonly at: number; readonly state: string; readonly n: number }[],
  first: number,
  points: number,
  stepMs: number,
): readonly SeriesPoint[] {
  const sums = (states: ReadonlySet<string>) => {
    const at = new Map<number, number>();
    for (const each of happened) if (states.has(each.state)) at.set(each.at, (at.get(each.at) ?? 0) + each.n);
    return at;
  };
  const [sent, failed] = [sums(new Set(['sent'])), sums(FAILED)];
  return Array.from({ length: points }, (_, n) => first + n * stepMs).map((at) => ({
    at,
    sent: sent.get(at) ?? 0,
    failed: failed.get(at) ?? 0,
  }));
}
