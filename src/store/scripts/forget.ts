import { among } from '../among.js';
import { sql } from '../../vendor/kysely.js';
import type { FinishedState } from '../../core/lifecycle.js';
import { ask, askOne, type Script } from '../script.js';
import { agreeOnFact, writeFact } from './facts.js';
import { BLANKED } from '../message-columns.js';
import type { Store } from '../store.js';
import { readKeptDays } from './settings.js';
import { tallyLeaving, tallyRemoved } from './tallies.js';

const DAY_MS = 24 * 3_600_000;
/** Freed pages are overwritten one by one: a step of mails with attachments takes fewer of them. */
const BYTES_AT_ONCE = 32 * 1024 * 1024;

export interface RetentionStep {
  readonly forgotten: number;
  /** There is more to forget at once. */
  readonly more: boolean;
}

/** Until when something is kept that ended at an instant. */
export interface Keeping {
  readonly now: number;
  readonly keepMs: number;
}

interface Row {
  readonly id: number;
  readonly workspace_id: number;
  readonly created_at: number;
  readonly idempotency_key: string | null;
  readonly event_id: number | null;
  readonly recipient: string;
  readonly state: FinishedState | null;
  readonly finished_at: number | null;
  readonly bytes: number | null;
}

/** Where retention stands in a workspace: whatever has a lower id was looked at. */
const cursorOf = (workspaceId: number): string => `retention ${String(workspaceId)}`;

/**
 * One step of retention in one workspace. Walks its messages by id, each once: a cursor is kept, so what was swept
 * long ago costs nothing more, and a restart begins nothing anew. What can't be forgotten yet, because it was not
 * finished, ended late, or needs a person, becomes a straggler that is looked at again in its time.
 */
export function* forgetFinished(
  store: Store,
  workspaceId: number,
  keeping: Keeping,
  limit: number,
): Script<RetentionStep> {
  const cursor = yield* lockCursor(store, workspaceId);
  // Another worker is at it.
  if (cursor === undefined) return { forgotten: 0, more: false };
  const rows = yield* messagesAfter(store, workspaceId, cursor, limit);
  const young = rows.findIndex((row) => row.created_at >= keeping.now - keeping.keepMs);
  const old = young < 0 ? rows : rows.slice(0, young);
  const taken = withinBytes(old);
  const last = taken.at(-1);
  if (!last) return { forgotten: 0, more: false };
  const forgotten = yield* forgetMessages(
    store,
    taken.filter((row) => mayGo(row, keeping)),
    keeping.now,
  );
  yield* addStragglers(
    store,
    taken.filter((row) => !mayGo(row, keeping)),
    () => keeping,
  );
  yield* writeFact(store, cursorOf(workspaceId), String(last.id));
  return { forgotten, more: taken.length < old.length || old.length === limit };
}

/** Undefined: somebody else holds it. */
function* lockCursor(store: Store, workspaceId: number): Script<number | undefined> {
  const name = cursorOf(workspaceId);
  const known = yield* agreeOnFact(store, name, '0');
  if (store.dialect === 'sqlite') return Number(known);
  const free = yield* askOne(
    store.db.selectFrom('facts').select('value').where('name', '=', name).forUpdate().skipLocked(),
  );
  return free && Number(free.value);
}

const messages = ({ db }: Store) =>
  db
    .selectFrom('messages as m')
    .leftJoin('outcomes as o', 'o.message_id', 'm.id')
    .leftJoin('contents as x', 'x.message_id', 'm.id')
    .select([
      'm.id',
      'm.workspace_id',
      'm.created_at',
      'm.idempotency_key',
      'm.event_id',
      'm.recipient',
      'o.state',
      'o.finished_at',
      'x.bytes',
    ]);

const messagesAfter = (
  store: Store,
  workspaceId: number,
  cursor: number,
  limit: number,
): Script<readonly Row[]> =>
  ask(
    messages(store)
      .where('m.workspace_id', '=', workspaceId)
      .where('m.id', '>', cursor)
      .orderBy('m.id')
      .limit(limit),
  );

/** As many as fit, but at least one. */
function withinBytes(rows: readonly Row[]): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += row.bytes ?? 0;
    return bytes > BYTES_AT_ONCE && index > 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** What is not finished, or needs a person, is never touched. */
const isOver = (state: FinishedState | null): boolean =>
  state !== null && state !== 'held' && state !== 'dead';

const mayGo = ({ state, finished_at: finishedAt }: Row, { now, keepMs }: Keeping): boolean =>
  isOver(state) && (finishedAt ?? Infinity) < now - keepMs;

/**
 * What is finished and old: contents and tries go. With a key the rest is blanked, but key, state and time stay, so
 * that "never twice" has no end date; without one nobody will ever ask, and all of it goes.
 */
function* forgetMessages(store: Store, rows: readonly Row[], now: number): Script<number> {
  const keyless = rows.filter((row) => !hasKey(row)).map(({ id }) => id);
  const blank = rows
    .filter((row) => hasKey(row) && (row.recipient !== '' || row.bytes !== null))
    .map(({ id }) => id);
  yield* blankMessages(store, blank);
  yield* removeMessages(store, keyless, now);
  return blank.length + keyless.length;
}

/** The key of a notification is its event and its subscription. */
const hasKey = (row: Row): boolean => row.idempotency_key !== null || row.event_id !== null;

export function* blankMessages({ db, dialect }: Store, ids: readonly number[]): Script<void> {
  if (ids.length === 0) return;
  const of = (column: string) => among({ dialect }, sql.ref(column), ids);
  yield* ask(db.deleteFrom('attempts').where(of('message_id')));
  yield* ask(db.updateTable('messages').set(BLANKED).where(of('id')));
  yield* ask(db.deleteFrom('contents').where(of('message_id')));
}

function* removeMessages(store: Store, ids: readonly number[], now: number): Script<void> {
  if (ids.length === 0) return;
  const of = (column: string) => among(store, sql.ref(column), ids);
  yield* tallyLeaving(store, ids, now);
  yield* tallyRemoved(store, ids, now);
  for (const table of ['attempts', 'contents', 'outcomes'] as const)
    yield* ask(store.db.deleteFrom(table).where(of('message_id')));
  yield* ask(store.db.deleteFrom('messages').where(of('id')));
}

function* addStragglers({ db }: Store, rows: readonly Row[], keepingOf: (row: Row) => Keeping): Script<void> {
  if (rows.length === 0) return;
  yield* ask(
    db
      .insertInto('stragglers')
      .values(
        rows.map((row) => ({
          message_id: row.id,
          workspace_id: row.workspace_id,
          look_at: lookAgainAt(row, keepingOf(row)),
        })),
      )
      .onConflict((conflict) => conflict.column('message_id').doNothing()),
  );
}

/** What has ended is known to be due; of what has not, nobody can tell. */
const lookAgainAt = ({ state, finished_at: finishedAt }: Row, { now, keepMs }: Keeping): number =>
  isOver(state) ? (finishedAt ?? now) + keepMs + 1 : now + DAY_MS;

/** How long a workspace keeps what is finished; `usual`: unless it has said so. */
export function* keepMsIn(store: Store, workspaceId: number, usual: number): Script<number> {
  const { retentionDays } = yield* readKeptDays(store, workspaceId);
  return retentionDays === undefined ? usual : retentionDays * DAY_MS;
}

/** The stragglers whose time has come: those that may go by now go, the others wait for another look. */
export function* forgetStragglers(
  store: Store,
  { now, keepMs }: Keeping,
  limit: number,
): Script<RetentionStep> {
  const due = yield* ask(
    store.db
      .selectFrom('stragglers')
      .select('message_id')
      .where('look_at', '<=', now)
      .where('erase', '=', 0)
      .orderBy('look_at')
      .limit(limit)
      .$if(store.dialect === 'postgres', (query) => query.forUpdate().skipLocked()),
  );
  if (due.length === 0) return { forgotten: 0, more: false };
  const ids = due.map((row) => row.message_id);
  const found = yield* ask(messages(store).where(among(store, sql.ref('m.id'), ids)));
  const rows = withinBytes(found);
  const left = new Set(found.slice(rows.length).map(({ id }) => id));
  const own = new Map<number, number>();
  for (const workspaceId of new Set(rows.map((row) => row.workspace_id)))
    own.set(workspaceId, yield* keepMsIn(store, workspaceId, keepMs));
  const keepingOf = (row: Row): Keeping => ({ now, keepMs: own.get(row.workspace_id) ?? keepMs });
  const forgotten = yield* forgetMessages(
    store,
    rows.filter((row) => mayGo(row, keepingOf(row))),
    now,
  );
  const seen = ids.filter((id) => !left.has(id));
  yield* ask(store.db.deleteFrom('stragglers').where(among(store, sql.ref('message_id'), seen)));
  yield* addStragglers(
    store,
    rows.filter((row) => !mayGo(row, keepingOf(row))),
    keepingOf,
  );
  return { forgotten, more: due.length === limit || left.size > 0 };
}
