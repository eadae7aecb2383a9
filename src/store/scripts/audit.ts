import { sql, type Selectable } from '../../vendor/kysely.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import type { AuditTable } from '../tables.js';

export interface AuditEntry {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly details: unknown;
}

export interface AuditedAction {
  readonly workspaceId: number;
  readonly actor: string;
  /** Such as `account.update`. */
  readonly action: string;
  readonly target: string | null;
  /** What changed. Never a secret. */
  readonly details?: unknown;
}

/** One more row, which nobody changes until its time is over: the database itself refuses it. */
export function* writeAudit({ db }: Store, action: AuditedAction, now: number): Script<void> {
  yield* ask(
    db.insertInto('audit').values({
      workspace_id: action.workspaceId,
      at: now,
      actor: action.actor,
      action: action.action,
      target: action.target,
      details: action.details === undefined ? null : JSON.stringify(action.details),
    }),
  );
}

/** Newest first; with `targets`, only what was done to one of them by its name. */
export function* listAudit(
  store: Store,
  workspaceId: number,
  before: number,
  limit: number,
  targets?: readonly string[],
): Script<readonly AuditEntry[]> {
  const newest = store.db
    .selectFrom('audit')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit);
  const rows = yield* ask(targets ? newest.where(among(store, sql.ref('target'), targets)) : newest);
  return rows.map(entryOf);
}

/** An action on many names them in its details, which no index knows: only so many are looked at. */
const BULK_LOOKED_AT = 100;

/** The last thing that somebody did to it, alone or among many. */
export function* lastActionOn(
  store: Store,
  workspaceId: number,
  target: string,
): Script<AuditEntry | undefined> {
  const { db } = store;
  const [alone] = yield* listAudit(store, workspaceId, Number.MAX_SAFE_INTEGER, 1, [target]);
  const among = yield* askOne(
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('audit')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .orderBy('id', 'desc')
          .limit(BULK_LOOKED_AT)
          .as('newest'),
      )
      .selectAll()
      .where('action', '=', 'message.bulk')
      .where('details', 'like', `%"${target}"%`)
      .orderBy('id', 'desc')
      .limit(1),
  );
  const actions = [alone, among && entryOf(among)].filter((action) => action !== undefined);
  return actions.sort((a, b) => b.id - a.id)[0];
}

/** What was done to something at a known time, or soon after it. */
export interface KnownDecision {
  readonly target: string;
  readonly action: string;
  readonly since: number;
}

/** Who was the first to do it since then, by target. */
export function* decisionsOn(
  store: Store,
  workspaceId: number,
  known: readonly KnownDecision[],
): Script<ReadonlyMap<string, string>> {
  if (known.length === 0) return new Map();
  const rows = yield* ask(
    store.db
      .selectFrom('audit')
      .select(['target', 'action', 'at', 'actor'])
      .where('workspace_id', '=', workspaceId)
      .where(
        among(
          store,
          sql.ref('target'),
          known.map(({ target }) => target),
        ),
      )
      .where('action', 'in', [...new Set(known.map(({ action }) => action))])
      .orderBy('id'),
  );
  return new Map(
    known.flatMap(({ target, action, since }) => {
      const first = rows.find((row) => row.target === target && row.action === action && row.at >= since);
      return first ? [[target, first.actor]] : [];
    }),
  );
}

/** What was written down before this instant, the oldest first. True: there is more. */
export function* forgetAudit(
  store: Store,
  workspaceId: number,
  before: number,
  limit: number,
): Script<boolean> {
  const { db } = store;
  const oldest = yield* ask(
    db
      .selectFrom('audit')
      .select(['id', 'at'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('id')
      .limit(limit),
  );
  const kept = oldest.findIndex(({ at }) => at >= before);
  const ids = (kept < 0 ? oldest : oldest.slice(0, kept)).map(({ id }) => id);
  if (ids.length === 0) return false;
  yield* duringUpkeep(store, ask(db.deleteFrom('audit').where(among(store, sql.ref('id'), ids))));
  return ids.length === limit;
}

const UPKEEP = 'audit_upkeep';

/** The database lets nobody change or remove a row, but for what is done here: see migration 13. */
export function* duringUpkeep<T>({ db }: Store, work: Script<T>): Script<T> {
  yield* ask(db.insertInto('facts').values({ name: UPKEEP, value: '1' }));
  const done = yield* work;
  yield* ask(db.deleteFrom('facts').where('name', '=', UPKEEP));
  return done;
}

export const entryOf = ({ id, at, actor, action, target, details }: Selectable<AuditTable>): AuditEntry => ({
  id,
  at,
  actor,
  action,
  target,
  details: details === null ? null : (JSON.parse(details) as unknown),
});
