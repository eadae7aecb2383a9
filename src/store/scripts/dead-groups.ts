import type { ErrorClass } from '../../core/report.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { readCauseCounts } from './counts.js';
import { dismissAll, requeueAll, type Actor } from './moves.js';
import { Question } from './question.js';

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

/** Nobody reads further, and each costs two looks. */
const MOST_GROUPS = 200;

/** Dead letters by cause: a hundred thousand rows of twelve causes are twelve lines. Largest first. */
export function* listDeadGroups(store: Store, workspaceId: number): Script<readonly DeadGroup[]> {
  const counts = yield* readCauseCounts(store, workspaceId);
  const largest = [...counts]
    .sort(([a, most], [b, more]) => more - most || (a < b ? -1 : 1))
    .slice(0, MOST_GROUPS);
  if (largest.length === 0) return [];
  const outcomes = store.at('outcomes');
  const edge = (fold: 'min' | 'max') =>
    `(select ${fold}(o.finished_at) from ${outcomes} o where o.workspace_id = c.workspace_id and o.fingerprint = c.fingerprint)`;
  const question = new Question(store);
  const fingerprints = largest.map(([fingerprint]) => fingerprint);
  const causes = yield* question.rows<Omit<DeadGroup, 'count' | 'firstAt' | 'lastAt'> & Edges>(
    `select c.fingerprint, c.transport, c.class, c.code, c.sample, ${edge('min')} as first_at, ${edge('max')} as last_at
      from ${store.at('dead_causes')} c
      where c.workspace_id = ${question.bind(workspaceId)} and ${question.among('c.fingerprint', fingerprints)}`,
  );
  const known = new Map(causes.map((cause) => [cause.fingerprint, cause]));
  return largest.flatMap(([fingerprint, count]) => {
    const cause = known.get(fingerprint);
    // Retried by someone between the two looks.
    if (cause?.first_at == null || cause.last_at === null) return [];
    const { transport, class: errorClass, code, sample, first_at: firstAt, last_at: lastAt } = cause;
    return [{ fingerprint, transport, class: errorClass, code, sample, count, firstAt, lastAt }];
  });
}

interface Edges {
  readonly first_at: number | null;
  readonly last_at: number | null;
}

/** Whether something has died of it here, also if it was retried or dismissed since. */
export function* isDeadCause({ db }: Store, workspaceId: number, fingerprint: string): Script<boolean> {
  const rows = yield* ask(
    db
      .selectFrom('dead_causes')
      .select('fingerprint')
      .where('workspace_id', '=', workspaceId)
      .where('fingerprint', '=', fingerprint),
  );
  return rows.length > 0;
}

export interface GroupStep {
  readonly done: number;
  /** Those that were left where they are: somebody was first, or it would not help. */
  readonly conflicts: number;
  /** Where to go on; undefined: there is nothing behind. */
  readonly next: number | undefined;
}

/** One step of an action on a whole group: small transactions, so that nobody waits behind a large one. */
export function* actOnDeadGroup(
  store: Store,
  fingerprint: string,
  action: 'retry' | 'dismiss',
  actor: Actor,
  after: number,
  limit: number,
): Script<GroupStep> {
  const rows = yield* ask(
    store.db
      .selectFrom('outcomes')
      .select('message_id')
      .where('workspace_id', '=', actor.workspaceId)
      .where('fingerprint', '=', fingerprint)
      .where('message_id', '>', after)
      .orderBy('message_id')
      .limit(limit),
  );
  const ids = rows.map((row) => row.message_id);
  if (ids.length === 0) return { done: 0, conflicts: 0, next: undefined };
  const moved =
    action === 'retry' ? yield* requeueAll(store, ids, 'dead', actor) : yield* dismissAll(store, ids, actor);
  const next = ids.length < limit ? undefined : ids.at(-1);
  return { done: moved.length, conflicts: ids.length - moved.length, next };
}
