import type { SequenceStep } from '../../core/sequence.js';
import { sql } from '../../vendor/kysely.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

export type { SequenceStep } from '../../core/sequence.js';

/** What a list shows of it. */
export interface SequenceHead {
  readonly id: number;
  readonly name: string;
  /** The newest. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The campaigns that say it. */
  readonly usedBy: UsedBy;
}

export interface UsedBy {
  readonly campaigns: number;
  readonly running: number;
}

const UNUSED: UsedBy = { campaigns: 0, running: 0 };

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
  { before, limit, q }: { readonly before: number; readonly limit: number; readonly q?: string | undefined },
): Script<readonly SequenceHead[]> {
  let query = heads(store, workspaceId).where('id', '<', before).orderBy('id', 'desc').limit(limit);
  if (q !== undefined && q !== '') {
    const holds = `%${q.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    query = query.where(sql<boolean>`lower(name) like ${holds} escape '\\'`);
  }
  return yield* withUse(store, workspaceId, yield* ask(query));
}

/** Each with how many campaigns say it. */
function* withUse<Head extends Omit<SequenceHead, 'usedBy'>>(
  store: Store,
  workspaceId: number,
  found: readonly Head[],
): Script<readonly (Head & { readonly usedBy: UsedBy })[]> {
  if (found.length === 0) return [];
  const question = new Question(store);
  const rows = yield* question.rows<UsedBy & { readonly id: number }>(
    `select sequence_id as id, count(*) as campaigns, sum(case when state = 'running' then 1 else 0 end) as running
     from ${store.at('campaigns')} where workspace_id = ${question.bind(workspaceId)} and ${question.among(
       'sequence_id',
       found.map(({ id }) => id),
     )} group by sequence_id`,
  );
  const use = new Map(rows.map(({ id, campaigns, running }) => [id, { campaigns, running }]));
  return found.map((head) => ({ ...head, usedBy: use.get(head.id) ?? UNUSED }));
}

/** Its newest version. */
export function* readSequence(store: Store, workspaceId: number, id: number): Script<Sequence | undefined> {
  const head = yield* readHead(store, workspaceId, id);
  return head && (yield* withSteps(store, head));
}

function* readHead(store: Store, workspaceId: number, id: number): Script<SequenceHead | undefined> {
  const found = yield* ask(heads(store, workspaceId).where('id', '=', id));
  return (yield* withUse(store, workspaceId, found))[0];
}

export function* readSequenceVersion(
  store: Store,
  workspaceId: number,
  id: number,
  version: number,
): Script<Sequence | undefined> {
  const head = yield* readHead(store, workspaceId, id);
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
  return { id: row.id, name, version: 1, createdAt: now, updatedAt: now, usedBy: UNUSED, steps };
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

export interface VersionHead {
  readonly version: number;
  readonly createdAt: number;
}

/** Newest first, from below that one. */
export function* listVersions(
  { db }: Store,
  id: number,
  { before, limit }: { readonly before: number; readonly limit: number },
): Script<readonly VersionHead[]> {
  return yield* ask(
    db
      .selectFrom('sequence_versions')
      .select(['version', 'created_at as createdAt'])
      .where('sequence_id', '=', id)
      .where('version', '<', before)
      .orderBy('version', 'desc')
      .limit(limit),
  );
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
