import { causeWords } from '../core/cause-words.js';
import { startOfDay } from '../core/day.js';
import { judgeCause, summariseDead, type DeadSummary, type Judgement } from '../core/dead-letters.js';
import { groupedBy } from '../core/grouped.js';
import type { OptionNames } from '../core/known-options.js';
import type { ErrorClass } from '../core/report.js';
import { everyAccount, type Account } from '../store/scripts/accounts.js';
import {
  lastDismissal,
  newestLetters,
  readDeaths,
  type NewestLetter,
} from '../store/scripts/dead-history.js';
import { listDeadGroups, type DeadGroup } from '../store/scripts/dead-groups.js';
import { QUARTER_MINUTES, readRecent, type Happening } from '../store/scripts/recent.js';
import type { Script } from '../store/script.js';
import { listChannels } from '../store/scripts/channels.js';
import type { Store } from '../store/store.js';
import { timeWords } from '../core/time-words.js';
import { readTimezone } from '../store/scripts/settings.js';

export const DEAD_SINCE = ['1h', '24h', '7d', '30d'] as const;
/** Causes that something died of within this time. */
export type DeadSince = (typeof DEAD_SINCE)[number];

export interface DeadFilter {
  readonly transport?: string | undefined;
  readonly class?: ErrorClass | undefined;
  readonly since?: DeadSince | undefined;
}

export const DEAD_FILTER: OptionNames<DeadFilter> = { transport: true, class: true, since: true };

export interface JudgedGroup extends DeadGroup, Judgement {
  readonly cause: string;
  /** The names of those that it happened to within a week, or to the newest letters. */
  readonly accounts: readonly string[];
  /** Deaths on each of the last seven days of the workspace's zone, today last; also of what was retried since. */
  readonly days: readonly number[];
  /** What left through the same accounts since `lastAt`, of the last 24 hours. */
  readonly successesSince: number;
  readonly lastSuccessAt: number | null;
  readonly newest: readonly NewestLetter[];
  /** The server's words about the newest of them. */
  readonly lastReply: string;
}

export interface DeadLetters {
  readonly summary: DeadSummary;
  readonly groups: readonly JudgedGroup[];
  /** What can be asked for, whatever is asked for now. */
  readonly transports: readonly string[];
  readonly classes: readonly ErrorClass[];
  /** Told when there are none: when the last one was dismissed. */
  readonly lastDismissedAt: number | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WITHIN_MS: Record<DeadSince, number> = {
  '1h': DAY_MS / 24,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
};
/** Enough to show, and to know the accounts of what died before the counters remember. */
const NEWEST_READ = 5;
const NEWEST_SHOWN = 3;

/** Dead letters by cause with what a retry would do. From counters and a few rows of each cause: never all of them. */
export function* readDeadLetters(
  store: Store,
  workspaceId: number,
  filter: DeadFilter,
  now: number,
): Script<DeadLetters> {
  const all = yield* listDeadGroups(store, workspaceId);
  const wanted = all.filter((group) => matches(group, filter, now));
  const zone = yield* readTimezone(store, workspaceId);
  const days = lastDays(now, zone);
  const happened = yield* historyOf(store, workspaceId, wanted, days, now);
  const clock = (instant: number) => timeWords(instant, { now, timezone: zone });
  const groups = wanted.map((group) => judge(group, happened, days.length, now, clock));
  return {
    summary: summariseDead(groups),
    groups,
    transports: [...new Set(all.map(({ transport }) => transport))].sort(),
    classes: [...new Set(all.map((group) => group.class))].sort(),
    lastDismissedAt: all.length === 0 ? yield* lastDismissal(store, workspaceId) : null,
  };
}

const matches = (group: DeadGroup, { transport, class: kind, since }: DeadFilter, now: number): boolean =>
  (transport === undefined || group.transport === transport) &&
  (kind === undefined || group.class === kind) &&
  (since === undefined || group.lastAt >= now - WITHIN_MS[since]);

interface History {
  readonly deaths: ReadonlyMap<string, readonly { readonly day: number; readonly n: number }[]>;
  readonly newest: ReadonlyMap<string, readonly NewestLetter[]>;
  readonly accountsOf: ReadonlyMap<string, readonly Account[]>;
  readonly channelsOf: ReadonlyMap<number, ReadonlySet<number>>;
  readonly sent: readonly Happening[];
}

function* historyOf(
  store: Store,
  workspaceId: number,
  groups: readonly DeadGroup[],
  days: readonly number[],
  now: number,
): Script<History> {
  const deaths = groupedBy(yield* readDeaths(store, workspaceId, days), ({ fingerprint }) => fingerprint);
  const fingerprints = groups.map(({ fingerprint }) => fingerprint);
  const letters = yield* newestLetters(store, workspaceId, fingerprints, NEWEST_READ);
  const newest = groupedBy(letters, ({ fingerprint }) => fingerprint);
  const channels = yield* listChannels(store, workspaceId);
  const known = yield* everyAccount(store, workspaceId);
  const accountById = new Map(known.map((account) => [account.id, account]));
  const accountByChannel = new Map(channels.map(({ id, accountId }) => [id, accountById.get(accountId)]));
  const accountsOf = new Map(
    fingerprints.map((fingerprint) => {
      const seen = [...(deaths.get(fingerprint) ?? []), ...(newest.get(fingerprint) ?? [])];
      const found = new Set(seen.flatMap(({ channelId }) => accountByChannel.get(channelId) ?? []));
      return [fingerprint, [...found]];
    }),
  );
  const channelsOf = new Map(
    [...groupedBy(channels, ({ accountId }) => accountId)].map(([id, own]) => [
      id,
      new Set(own.map((channel) => channel.id)),
    ]),
  );
  const oldest = Math.max(now - DAY_MS, Math.min(now, ...groups.map(({ lastAt }) => lastAt)));
  const since = Math.floor(oldest / MINUTE_MS / QUARTER_MINUTES) * QUARTER_MINUTES;
  const recent =
    groups.length === 0 ? [] : yield* readRecent(store, workspaceId, since, Math.floor(now / MINUTE_MS) - 59);
  return { deaths, newest, accountsOf, channelsOf, sent: recent.filter(({ state }) => state === 'sent') };
}

function judge(
  group: DeadGroup,
  history: History,
  days: number,
  now: number,
  clock: (instant: number) => string,
): JudgedGroup {
  const { fingerprint, lastAt } = group;
  const own = history.accountsOf.get(fingerprint) ?? [];
  const newest = history.newest.get(fingerprint) ?? [];
  // Counters know minutes and quarters of an hour: one that began before the last death says nothing.
  const since = own.flatMap((account) =>
    history.sent.filter(
      ({ channelId, minute }) =>
        minute * MINUTE_MS > lastAt && history.channelsOf.get(account.id)?.has(channelId) === true,
    ),
  );
  const facts = {
    ...group,
    accounts: own.map(({ name }) => name),
    paused: own.filter(({ pausedAt }) => pausedAt !== null).map(({ name }) => name),
    successesSince: since.reduce((sum, { n }) => sum + n, 0),
    countedFrom: Math.max(lastAt, now - DAY_MS),
  };
  return {
    ...group,
    ...judgeCause(facts, now, clock),
    cause: causeWords(group),
    accounts: facts.accounts,
    days: Array.from({ length: days }, (_, day) =>
      (history.deaths.get(fingerprint) ?? []).reduce((sum, each) => sum + (each.day === day ? each.n : 0), 0),
    ),
    successesSince: facts.successesSince,
    lastSuccessAt: since.length === 0 ? null : Math.max(...since.map(({ minute }) => minute)) * MINUTE_MS,
    newest: newest.slice(0, NEWEST_SHOWN),
    lastReply: newest[0]?.error ?? group.sample,
  };
}

/** When each of the last seven days began, today last. */
function lastDays(now: number, zone: string): readonly number[] {
  const days = [startOfDay(now, zone)];
  for (let n = 1; n < 7; n += 1) days.unshift(startOfDay((days[0] ?? now) - DAY_MS / 2, zone));
  return days;
}
