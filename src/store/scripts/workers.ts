import { sql, type RawBuilder } from '../../vendor/kysely.js';
import type { Workers, WorkerKind } from '../../core/workers.js';
import { CLOCK } from '../postgres/time.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';

export interface WorkerIdentity {
  /** What stands in the leases that it holds. */
  readonly name: string;
  readonly kind: WorkerKind;
  readonly host: string;
  readonly version: string;
}

/** Longer without a sign of life, and it is taken for dead. Twelve heartbeats. */
export const ALIVE_MS = 60_000;
const FORGET_AFTER_MS = 24 * 3_600_000;
const SHOWN = 50;

/** Real time, by the database's clock where several machines share it: a virtual one must not end workers. */
export const clockOf = ({ dialect }: Store): RawBuilder<number> =>
  dialect === 'postgres' ? sql.raw<number>(CLOCK) : sql<number>`${Date.now()}`;

/** What a worker says of itself, of its last minute. */
export interface WorkerNote {
  readonly places: number | null;
  readonly lastMinute: number | null;
  readonly leasesLost: number | null;
  readonly confirmMs: number | null;
}

const NOTHING_SAID: WorkerNote = { places: null, lastMinute: null, leasesLost: null, confirmMs: null };

/** A sign of life. */
export function* noteWorker(store: Store, worker: WorkerIdentity, note = NOTHING_SAID): Script<void> {
  const clock = clockOf(store);
  const said = {
    places: note.places,
    last_minute: note.lastMinute,
    leases_lost: note.leasesLost,
    confirm_ms: note.confirmMs,
  };
  yield* ask(
    store.db
      .insertInto('workers')
      .values({ ...worker, ...said, started_at: clock, seen_at: clock })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ ...said, seen_at: clock })),
  );
}

/** It stopped in order. */
export function* removeWorker({ db }: Store, name: string): Script<void> {
  yield* ask(db.deleteFrom('workers').where('name', '=', name));
}

/** Those that died without a word, after a day in which somebody may have looked for them. */
export function* forgetWorkers(store: Store): Script<void> {
  const longAgo = sql<number>`${clockOf(store)} - ${sql.lit(FORGET_AFTER_MS)}`;
  yield* ask(store.db.deleteFrom('workers').where('seen_at', '<', longAgo));
}

/** Who is alive, the longest silent first. */
export function* readWorkers(store: Store): Script<Workers> {
  const clock = clockOf(store);
  const rows = yield* ask(
    store.db
      .selectFrom('workers')
      .select(['name', 'kind', 'seen_at as seenAt', sql<number>`${clock} - seen_at`.as('silentMs')])
      .where('seen_at', '>', sql<number>`${clock} - ${sql.lit(ALIVE_MS)}`)
      .orderBy('seen_at')
      .orderBy('name'),
  );
  const [silent] = rows;
  return {
    alive: rows.length,
    senders: rows.filter(({ kind }) => kind === 'worker').length,
    relays: rows.filter(({ kind }) => kind === 'relay').length,
    oldestSeenMs: silent ? Math.max(0, silent.silentMs) : null,
    items: rows.slice(0, SHOWN).map(({ name, kind, seenAt }) => ({ name, kind, seenAt })),
  };
}
