import type { ErrorClass } from '../../core/report.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { dismiss, requeue, type Actor } from './moves.js';

export interface DeadGroup {
  readonly fingerprint: string;
  readonly transport: string;
  readonly class: ErrorClass;
  readonly code: string;
  readonly sample: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Dead letters by cause: a hundred thousand rows of twelve causes are twelve lines. Largest first. */
export function* listDeadGroups({ db }: Store, workspaceId: number): Script<readonly DeadGroup[]> {
  const rows = yield* ask(
    db
      .selectFrom('outcomes as o')
      .innerJoin('dead_causes as c', (join) =>
        join.onRef('c.fingerprint', '=', 'o.fingerprint').onRef('c.workspace_id', '=', 'o.workspace_id'),
      )
      .select((eb) => [
        'c.fingerprint',
        'c.transport',
        'c.class',
        'c.code',
        'c.sample',
        eb.fn.countAll<number>().as('count'),
        eb.fn.min('o.finished_at').as('firstAt'),
        eb.fn.max('o.finished_at').as('lastAt'),
      ])
      .where('o.workspace_id', '=', workspaceId)
      .where('o.fingerprint', 'is not', null)
      .groupBy(['c.fingerprint', 'c.transport', 'c.class', 'c.code', 'c.sample'])
      .orderBy('count', 'desc')
      .orderBy('c.fingerprint'),
  );
  return rows;
}

/** One step of an action on a whole group: small transactions, so that nobody waits behind a large one. */
export function* actOnDeadGroup(
  store: Store,
  fingerprint: string,
  action: 'retry' | 'dismiss',
  actor: Actor,
  limit: number,
): Script<number> {
  const rows = yield* ask(
    store.db
      .selectFrom('outcomes')
      .select('message_id')
      .where('workspace_id', '=', actor.workspaceId)
      .where('fingerprint', '=', fingerprint)
      .orderBy('message_id')
      .limit(limit),
  );
  for (const { message_id } of rows) {
    if (action === 'retry') yield* requeue(store, message_id, 'dead', actor);
    else yield* dismiss(store, message_id, actor);
  }
  return rows.length;
}

export interface DeadCause {
  readonly workspaceId: number;
  readonly fingerprint: string;
  readonly transport: string;
  readonly class: ErrorClass;
  readonly code: string;
  readonly sample: string;
}

export function* noteDeadCause({ db }: Store, cause: DeadCause): Script<void> {
  yield* ask(
    db
      .insertInto('dead_causes')
      .values({
        workspace_id: cause.workspaceId,
        fingerprint: cause.fingerprint,
        transport: cause.transport,
        class: cause.class,
        code: cause.code,
        sample: cause.sample,
      })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'fingerprint']).doNothing()),
  );
}
