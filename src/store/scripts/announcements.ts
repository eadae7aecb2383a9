import { sql } from '../../vendor/kysely.js';
import type { ErrorClass } from '../../core/report.js';
import { among } from '../among.js';
import { CLOCK } from '../postgres/time.js';
import { ask, askCompiled, askOne, type Script } from '../script.js';
import { ANNOUNCED, type Store } from '../store.js';
import { agreeOnFact } from './facts.js';
import { clockOf } from './workers.js';

/** A dead letter that a broker is to be told of. */
export interface Announcement {
  readonly id: number;
  readonly messageId: number;
  readonly idempotencyKey: string | null;
  readonly deadReason: string | null;
  readonly lastError: { readonly code: string; readonly message: string; readonly class: ErrorClass } | null;
}

/** From here on, whatever dies is announced. */
export function* announceDeaths(store: Store): Script<void> {
  yield* agreeOnFact(store, ANNOUNCED, '1');
}

interface Row {
  readonly id: number;
  readonly message_id: number;
  readonly dead_reason: string | null;
  readonly error_class: ErrorClass | null;
  readonly error_code: string | null;
  readonly error: string | null;
}

/**
 * The oldest that nobody has in hand, for so long. Whoever does not say that they are done in time loses them to the
 * next: then one is told twice, under the same message id.
 */
export function* takeAnnouncements(
  store: Store,
  holdMs: number,
  limit: number,
): Script<readonly Announcement[]> {
  const rows = yield* askCompiled<Row>(
    store.dialect === 'postgres'
      ? {
          sql: take(store, CLOCK, (some) => `= any(array(${some} for update skip locked))`),
          parameters: [holdMs, limit],
        }
      : { sql: take(store, '?3', (some) => `in (${some})`), parameters: [holdMs, limit, Date.now()] },
  );
  const keys = yield* keysOf(
    store,
    rows.map(({ message_id }) => message_id),
  );
  return rows
    .map((row) => ({
      id: row.id,
      messageId: row.message_id,
      idempotencyKey: keys.get(row.message_id) ?? null,
      deadReason: row.dead_reason,
      lastError:
        row.error_class === null
          ? null
          : { code: row.error_code ?? '', message: row.error ?? '', class: row.error_class },
    }))
    .sort((a, b) => a.id - b.id);
}

const take = ({ dialect, at }: Store, clock: string, among: (some: string) => string): string => {
  const [hold, limit] = dialect === 'postgres' ? ['$1::bigint', '$2::bigint'] : ['?1', '?2'];
  const free = `select id from ${at('announcements')} where taken_until <= ${clock} order by id limit ${limit}`;
  return `update ${at('announcements')} set taken_until = ${clock} + ${hold} where id ${among(free)}
    returning id, message_id, dead_reason, error_class, error_code, error`;
};

function* keysOf(store: Store, ids: readonly number[]): Script<ReadonlyMap<number, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = yield* ask(
    store.db
      .selectFrom('messages')
      .select(['id', 'idempotency_key'])
      .where((eb) => among(store, eb.ref('id'), ids)),
  );
  return new Map(rows.map((row) => [row.id, row.idempotency_key]));
}

/** So many that were told last are remembered, to be shown. */
const REMEMBERED = 20;

/** The broker has confirmed them. */
export function* forgetAnnouncements(store: Store, told: readonly Announcement[]): Script<void> {
  const { db } = store;
  const ids = told.map(({ id }) => id);
  yield* ask(db.deleteFrom('announcements').where((eb) => among(store, eb.ref('id'), ids)));
  const last = [...new Set(told.map(({ messageId }) => messageId))].slice(-REMEMBERED);
  const told_at = clockOf(store);
  yield* ask(
    db
      .insertInto('announced')
      .values(last.map((message_id) => ({ message_id, told_at })))
      .onConflict((conflict) => conflict.column('message_id').doUpdateSet({ told_at })),
  );
  const kept = db
    .selectFrom('announced')
    .select('message_id')
    .orderBy('told_at', 'desc')
    .orderBy('message_id', 'desc')
    .limit(REMEMBERED);
  yield* ask(db.deleteFrom('announced').where('message_id', 'not in', kept));
}

/** A dead letter that the broker has been told of. */
export interface Told {
  readonly messageId: number;
  readonly workspaceId: number;
  /** Real time. */
  readonly toldAt: number;
  readonly deadReason: string | null;
  readonly error: string | null;
}

/** Those that were told last, the latest first; what became of them since does not matter here. */
export function* readTold({ db }: Store, limit: number): Script<readonly Told[]> {
  return yield* ask(
    db
      .selectFrom('announced as a')
      .innerJoin('messages as m', 'm.id', 'a.message_id')
      .leftJoin('outcomes as o', 'o.message_id', 'm.id')
      .select([
        'm.id as messageId',
        'm.workspace_id as workspaceId',
        'a.told_at as toldAt',
        'o.reason as deadReason',
        'm.error',
      ])
      .orderBy('a.told_at', 'desc')
      .orderBy('a.message_id', 'desc')
      .limit(limit),
  );
}

/** The broker did not take them: somebody may try again at once. */
export function* putAnnouncementsBack(store: Store, ids: readonly number[]): Script<void> {
  yield* ask(
    store.db
      .updateTable('announcements')
      .set({ taken_until: 0 })
      .where((eb) => among(store, eb.ref('id'), ids)),
  );
}

/** How many wait to be told, and since when the first of them does. */
export function* readAnnouncements({
  db,
}: Store): Script<{ readonly waiting: number; readonly oldestAt: number | null }> {
  const row = yield* askOne(
    db
      .selectFrom('announcements')
      .select((eb) => [
        eb.fn.countAll<number>().as('waiting'),
        sql<number | null>`min(died_at)`.as('oldestAt'),
      ]),
  );
  return { waiting: row?.waiting ?? 0, oldestAt: row?.oldestAt ?? null };
}
