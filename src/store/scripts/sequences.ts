import type { SequenceStep } from '../../core/sequence.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

export type { SequenceStep } from '../../core/sequence.js';

/** What a list shows of it. */
export interface SequenceHead {
  readonly id: number;
  readonly name: string;
  /** The newest. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One version of it. */
export interface Sequence extends SequenceHead {
  readonly steps: readonly SequenceStep[];
}

export interface NewSequence {
  readonly name: string;
  readonly steps: readonly SequenceStep[];
}

const heads = ({ db }: Store, workspaceId: number) =>
  db
    .selectFrom('sequences')
    .select(['id', 'name', 'version', 'created_at as createdAt', 'updated_at as updatedAt'])
    .where('workspace_id', '=', workspaceId);

/** Newest first. */
export function* listSequences(
  store: Store,
  workspaceId: number,
  before: number,
  limit: number,
): Script<readonly SequenceHead[]> {
  return yield* ask(heads(store, workspaceId).where('id', '<', before).orderBy('id', 'desc').limit(limit));
}

/** Its newest version. */
export function* readSequence(store: Store, workspaceId: number, id: number): Script<Sequence | undefined> {
  const head = yield* askOne(heads(store, workspaceId).where('id', '=', id));
  return head && (yield* withSteps(store, head));
}

export function* readSequenceVersion(
  store: Store,
  workspaceId: number,
  id: number,
  version: number,
): Script<Sequence | undefined> {
  const head = yield* askOne(heads(store, workspaceId).where('id', '=', id));
  return head && (yield* withSteps(store, { ...head, version }));
}

function* withSteps({ db }: Store, head: SequenceHead): Script<Sequence | undefined> {
  const row = yield* askOne(
    db
      .selectFrom('sequence_versions')
      .select('steps')
      .where('sequence_id', '=', head.id)
      .where('version', '=', head.version),
  );
  return row && { ...head, steps: JSON.parse(row.steps) as readonly SequenceStep[] };
}

export function* addSequence(
  store: Store,
  workspaceId: number,
  { name, steps }: NewSequence,
  now: number,
): Script<Sequence> {
  const row = yield* askOne(
    store.db
      .insertInto('sequences')
      .values({ workspace_id: workspaceId, name, version: 1, created_at: now, updated_at: now })
      .returning('id'),
  );
  if (!row) throw new Error('a sequence was not stored');
  yield* addVersion(store, row.id, 1, steps, now);
  return { id: row.id, name, version: 1, createdAt: now, updatedAt: now, steps };
}

function* addVersion(
  { db }: Store,
  sequenceId: number,
  version: number,
  steps: readonly SequenceStep[],
  now: number,
): Script<void> {
  yield* ask(
    db
      .insertInto('sequence_versions')
      .values({ sequence_id: sequenceId, version, steps: JSON.stringify(steps), created_at: now }),
  );
}

/** Two who save at once come one after the other. On SQLite the transaction itself is the lock. */
export function* lockSequence(store: Store, workspaceId: number, id: number): Script<Sequence | undefined> {
  if (store.dialect === 'postgres') {
    yield* ask(
      store.db
        .selectFrom('sequences')
        .select('id')
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .forUpdate(),
    );
  }
  return yield* readSequence(store, workspaceId, id);
}

/** Of one that is locked. Steps that are the same make no new version. */
export function* saveSequence(
  store: Store,
  known: Sequence,
  { name, steps }: NewSequence,
  now: number,
): Script<Sequence> {
  const isSame = JSON.stringify(known.steps) === JSON.stringify(steps);
  const version = isSame ? known.version : known.version + 1;
  if (isSame && name === known.name) return known;
  if (!isSame) yield* addVersion(store, known.id, version, steps, now);
  yield* ask(
    store.db.updateTable('sequences').set({ name, version, updated_at: now }).where('id', '=', known.id),
  );
  return { ...known, name, version, steps, updatedAt: now };
}

/** How many campaigns say it: what has left of them is shown from its versions. */
export function* campaignsOfSequence({ db }: Store, workspaceId: number, id: number): Script<number> {
  const rows = yield* ask(
    db
      .selectFrom('campaigns')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('sequence_id', '=', id)
      .limit(COUNTED_UP_TO),
  );
  return rows.length;
}

const COUNTED_UP_TO = 1_000;

/** Of one that is locked, and that no campaign says. */
export function* deleteSequence({ db }: Store, id: number): Script<void> {
  yield* ask(db.deleteFrom('sequence_versions').where('sequence_id', '=', id));
  yield* ask(db.deleteFrom('sequences').where('id', '=', id));
}
