import type { Selectable } from '../../vendor/kysely.js';
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

export interface Deed {
  readonly workspaceId: number;
  readonly actor: string;
  /** Such as `account.update`. */
  readonly action: string;
  readonly target: string | null;
  /** What changed. Never a secret. */
  readonly details?: unknown;
}

/** One more row, which nobody changes: the database itself refuses it. */
export function* noteDeed({ db }: Store, deed: Deed, now: number): Script<void> {
  yield* ask(
    db.insertInto('audit').values({
      workspace_id: deed.workspaceId,
      at: now,
      actor: deed.actor,
      action: deed.action,
      target: deed.target,
      details: deed.details === undefined ? null : JSON.stringify(deed.details),
    }),
  );
}

/** Newest first; with `target`, only what was done to it by its name. */
export function* listAudit(
  { db }: Store,
  workspaceId: number,
  before: number,
  limit: number,
  target?: string,
): Script<readonly AuditEntry[]> {
  const newest = db
    .selectFrom('audit')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit);
  const rows = yield* ask(target === undefined ? newest : newest.where('target', '=', target));
  return rows.map(entryOf);
}

/** A deed on many names them in its details, which no index knows: only so many are looked at. */
const BULK_LOOKED_AT = 100;

/** The last thing that somebody did to it, alone or among many. */
export function* lastDeedOn(
  store: Store,
  workspaceId: number,
  target: string,
): Script<AuditEntry | undefined> {
  const { db } = store;
  const [alone] = yield* listAudit(store, workspaceId, Number.MAX_SAFE_INTEGER, 1, target);
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
  const deeds = [alone, among && entryOf(among)].filter((deed) => deed !== undefined);
  return deeds.sort((a, b) => b.id - a.id)[0];
}

const entryOf = ({ id, at, actor, action, target, details }: Selectable<AuditTable>): AuditEntry => ({
  id,
  at,
  actor,
  action,
  target,
  details: details === null ? null : (JSON.parse(details) as unknown),
});
