import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';

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

/** Newest first. */
export function* listAudit(
  { db }: Store,
  workspaceId: number,
  before: number,
  limit: number,
): Script<readonly AuditEntry[]> {
  const rows = yield* ask(
    db
      .selectFrom('audit')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(limit),
  );
  return rows.map(({ id, at, actor, action, target, details }) => ({
    id,
    at,
    actor,
    action,
    target,
    details: details === null ? null : (JSON.parse(details) as unknown),
  }));
}
