import { sql } from '../../vendor/kysely.js';
import type { WorkerKind } from '../../core/workers.js';
import { ask, askCompiled, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { ALIVE_MS, clockOf } from './workers.js';

/** One process that works, or did within the last hour. */
export interface Laborer {
  readonly name: string;
  readonly kind: WorkerKind;
  readonly host: string;
  readonly version: string;
  /** Real time. */
  readonly startedAt: number;
  readonly seenAt: number;
  readonly silentMs: number;
  readonly alive: boolean;
  /** How many messages it has in hand. */
  readonly busy: number;
  /** What it said of itself; null: nothing, or an older version. */
  readonly places: number | null;
  readonly lastMinute: number | null;
  readonly leasesLost: number | null;
  readonly confirmMs: number | null;
}

const GONE_SHOWN_MS = 3_600_000;
const MOST_SHOWN = 200;

/** Those that are alive first, then those that went away last. */
export function* readWorkForce(store: Store): Script<readonly Laborer[]> {
  const clock = clockOf(store);
  const rows = yield* ask(
    store.db
      .selectFrom('workers')
      .select(['name', 'kind', 'host', 'version', 'started_at as startedAt', 'seen_at as seenAt'])
      .select(['places', 'last_minute as lastMinute', 'leases_lost as leasesLost', 'confirm_ms as confirmMs'])
      .select(sql<number>`${clock} - seen_at`.as('silentMs'))
      .where('seen_at', '>', sql<number>`${clock} - ${sql.lit(GONE_SHOWN_MS)}`)
      .orderBy('seen_at', 'desc')
      .orderBy('name')
      .limit(MOST_SHOWN),
  );
  const busy = yield* askCompiled<{ owner: string; n: number }>({
    sql: `select owner, ${store.dialect === 'postgres' ? 'sum(cardinality(ids))::int' : 'sum(json_array_length(ids))'} as n
      from ${store.at('leases')} group by owner`,
    parameters: [],
  });
  const inHand = new Map(busy.map(({ owner, n }) => [owner, n]));
  return rows.map((row) => ({
    ...row,
    silentMs: Math.max(0, row.silentMs),
    alive: row.silentMs < ALIVE_MS,
    busy: inHand.get(row.name) ?? 0,
  }));
}

/** What was passed on to the broker and nobody has taken, over all workspaces, and since when the first of it waits. */
export function* readQueued({
  db,
}: Store): Script<{ readonly queued: number; readonly oldestAt: number | null }> {
  const row = yield* askOne(
    db
      .selectFrom('due')
      .select((eb) => [
        eb.fn.countAll<number>().as('queued'),
        sql<number | null>`min(queued_at)`.as('oldestAt'),
      ])
      .where('queued_at', 'is not', null),
  );
  return { queued: row?.queued ?? 0, oldestAt: row?.oldestAt ?? null };
}

/** How much of what could leave now nobody has taken or passed on, over all workspaces, and since when the first could. */
export function* readDueNow(
  { db }: Store,
  now: number,
): Script<{ readonly due: number; readonly oldestAt: number | null }> {
  const some = db
    .selectFrom('channels as c')
    .innerJoin('due as d', 'd.channel_id', 'c.id')
    .select('d.due_at')
    .where('c.blocked_until', '<=', now)
    .where('c.paused_at', 'is', null)
    .where('d.alone', 'in', [0, 1])
    .where('d.due_at', '<=', now)
    .limit(MOST_COUNTED);
  const row = yield* askOne(
    db
      .selectFrom(some.as('x'))
      .select((eb) => [eb.fn.countAll<number>().as('due'), eb.fn.min('x.due_at').as('oldestAt')]),
  );
  return { due: row?.due ?? 0, oldestAt: row?.oldestAt ?? null };
}

/** Where counting stops: further would cost more than anyone learns from it. */
const MOST_COUNTED = 100_000;

/** What waits, of all workspaces. */
export function* countAllWaiting({ at }: Store): Script<number> {
  const [row] = yield* askCompiled<{ n: number }>({
    sql: `select count(*) as n from (select 1 from ${at('due')} limit ${String(MOST_COUNTED)}) some_of_them`,
    parameters: [],
  });
  return row?.n ?? 0;
}
