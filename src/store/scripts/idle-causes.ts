import { sql } from '../../vendor/kysely.js';
import { among } from '../among.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';

/** Longer than anybody still asks what died of it, and than a worker may remember that it is written down. */
const IDLE_MS = 8 * 24 * 3_600_000;

/**
 * One step through the causes of a workspace, from behind `after`: those that nothing is dead of are marked, and go
 * when they have been so for a week and a day. Answers where to go on; undefined: that was all.
 */
export function* forgetIdleCauses(
  store: Store,
  workspaceId: number,
  after: string,
  now: number,
  limit: number,
): Script<string | undefined> {
  const { db } = store;
  const causes = yield* ask(
    db
      .selectFrom('dead_causes as c')
      .select((eb) => [
        'c.fingerprint',
        'c.idle_since',
        eb
          .selectFrom('outcomes as o')
          .select('o.message_id')
          .whereRef('o.workspace_id', '=', 'c.workspace_id')
          .whereRef('o.fingerprint', '=', 'c.fingerprint')
          .limit(1)
          .as('letter'),
      ])
      .where('c.workspace_id', '=', workspaceId)
      .where('c.fingerprint', '>', after)
      .orderBy('c.fingerprint')
      .limit(limit),
  );
  const change = function* (fingerprints: readonly string[], idleSince: number | null): Script<void> {
    if (fingerprints.length === 0) return;
    yield* ask(
      db
        .updateTable('dead_causes')
        .set({ idle_since: idleSince })
        .where('workspace_id', '=', workspaceId)
        .where(among(store, sql.ref('fingerprint'), fingerprints)),
    );
  };
  const named = (of: (cause: (typeof causes)[number]) => boolean) =>
    causes.filter(of).map(({ fingerprint }) => fingerprint);
  yield* change(
    named(({ letter, idle_since: since }) => letter !== null && since !== null),
    null,
  );
  yield* change(
    named(({ letter, idle_since: since }) => letter === null && since === null),
    now,
  );
  const over = named(
    ({ letter, idle_since: since }) => letter === null && since !== null && since < now - IDLE_MS,
  );
  if (over.length > 0) {
    yield* ask(
      db
        .deleteFrom('dead_causes')
        .where('workspace_id', '=', workspaceId)
        .where(among(store, sql.ref('fingerprint'), over)),
    );
  }
  return causes.length === limit ? causes.at(-1)?.fingerprint : undefined;
}
