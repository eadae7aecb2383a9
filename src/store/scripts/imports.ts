import type { Mapping } from '../../core/contact-columns.js';
import type { ImportState } from '../../core/import.js';
import { insertMany } from '../bulk.js';
import { ask, askCompiled, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

export interface ImportColumn {
  readonly name: string;
  /** What stands there first, up to three. */
  readonly samples: readonly string[];
  /** In how many lines something stands there. */
  readonly filled: number;
}

export interface Import {
  readonly id: number;
  readonly workspaceId: number;
  readonly state: ImportState;
  readonly fileName: string | null;
  readonly bytes: number;
  readonly encoding: string;
  readonly separator: string;
  readonly columns: readonly ImportColumn[];
  readonly mapping: Mapping | null;
  readonly lines: number;
  readonly done: number;
  readonly pieces: number;
  readonly nextPiece: number;
  readonly imported: number;
  readonly updated: number;
  readonly rejected: number;
  readonly suppressed: number;
  readonly reasons: Readonly<Record<string, number>>;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** What its people are put into as they come in. */
  readonly campaign: { readonly id: number; readonly name: string } | null;
  readonly enrolled: number;
  /** Whom it did not take, because it was stopped. */
  readonly notEnrolled: number;
}

const selectImports = ({ db }: Store) =>
  db
    .selectFrom('imports')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('campaigns')
        .select('name')
        .whereRef('campaigns.id', '=', 'imports.campaign_id')
        .as('campaign_name'),
    );
type ImportRow =
  ReturnType<ReturnType<typeof selectImports>['executeTakeFirstOrThrow']> extends Promise<infer Row>
    ? Row
    : never;

const toImport = (row: ImportRow): Import => ({
  id: row.id,
  workspaceId: row.workspace_id,
  state: row.state,
  fileName: row.file_name,
  bytes: row.bytes,
  encoding: row.encoding,
  separator: row.separator,
  columns: JSON.parse(row.columns) as ImportColumn[],
  mapping: row.mapping === null ? null : (JSON.parse(row.mapping) as Mapping),
  lines: row.lines,
  done: row.done,
  pieces: row.pieces,
  nextPiece: row.next_piece,
  imported: row.imported,
  updated: row.updated,
  rejected: row.rejected,
  suppressed: row.suppressed,
  reasons: JSON.parse(row.reasons) as Record<string, number>,
  createdAt: row.created_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  campaign: row.campaign_id === null ? null : { id: row.campaign_id, name: row.campaign_name ?? '' },
  enrolled: row.enrolled,
  notEnrolled: row.not_enrolled,
});

/** A file begins to come. Nobody sees it before it is all there. */
export function* openImport(
  { db }: Store,
  workspaceId: number,
  fileName: string | null,
  now: number,
): Script<number> {
  const row = yield* askOne(
    db
      .insertInto('imports')
      .values({
        ...{ workspace_id: workspaceId, state: 'uploading', file_name: fileName, bytes: 0, columns: '[]' },
        ...{ encoding: '', separator: '', created_at: now, touched_at: now },
      })
      .returning('id'),
  );
  if (!row) throw new Error('an insert answered nothing');
  return row.id;
}

/** Its next pieces. False: it was thrown away meanwhile. */
export function* addPieces(
  store: Store,
  importId: number,
  from: number,
  pieces: readonly string[],
  now: number,
): Script<boolean> {
  const [open] = yield* ask(
    store.db
      .updateTable('imports')
      .set({ touched_at: now })
      .where('id', '=', importId)
      .where('state', '=', 'uploading')
      .returning('id'),
  );
  if (!open) return false;
  yield* insertMany(
    store,
    'import_pieces',
    [
      { name: 'import_id', type: 'bigint' },
      { name: 'number', type: 'int' },
      { name: 'records', type: 'text' },
    ],
    pieces.map((records, place) => [importId, from + place, records]),
  );
  return true;
}

export interface Uploaded {
  readonly bytes: number;
  readonly encoding: string;
  readonly separator: string;
  readonly columns: readonly ImportColumn[];
  readonly lines: number;
  readonly pieces: number;
}

/** It is all there. */
export function* closeUpload(
  { db }: Store,
  importId: number,
  { columns, ...uploaded }: Uploaded,
  now: number,
): Script<boolean> {
  const row = yield* askOne(
    db
      .updateTable('imports')
      .set({ ...uploaded, columns: JSON.stringify(columns), state: 'mapping', touched_at: now })
      .where('id', '=', importId)
      .where('state', '=', 'uploading')
      .returning('id'),
  );
  return row !== undefined;
}

/** What is left of its file goes, a few pieces at a time: they are large. True: there may be more. */
export function* forgetPieces(store: Store, importId: number): Script<boolean> {
  const pieces = yield* readPieceNumbers(store, importId);
  if (pieces.length === 0) return false;
  yield* ask(
    store.db
      .deleteFrom('import_pieces')
      .where('import_id', '=', importId)
      .where('number', '<=', pieces.at(-1) ?? 0),
  );
  return pieces.length === PIECES_AT_ONCE;
}

const PIECES_AT_ONCE = 8;

function* readPieceNumbers({ db }: Store, importId: number): Script<readonly number[]> {
  const rows = yield* ask(
    db
      .selectFrom('import_pieces')
      .select('number')
      .where('import_id', '=', importId)
      .orderBy('number')
      .limit(PIECES_AT_ONCE),
  );
  return rows.map((row) => row.number);
}

/** As if it had never come, a step at a time. True: there is more to do. */
export function* forgetImport(store: Store, importId: number): Script<boolean> {
  if (yield* forgetPieces(store, importId)) return true;
  const gone = yield* askCompiled({
    sql: `delete from ${store.at('import_rejects')} where (import_id, line) in (
        select import_id, line from ${store.at('import_rejects')} where import_id = ${store.dialect === 'postgres' ? '$1' : '?1'}
        limit ${String(REJECTS_AT_ONCE)}) returning 1 as gone`,
    parameters: [importId],
  });
  if (gone.length === REJECTS_AT_ONCE) return true;
  yield* ask(store.db.deleteFrom('imports').where('id', '=', importId));
  return false;
}

const REJECTS_AT_ONCE = 500;
const DAY_MS = 24 * 3_600_000;
/** Long enough to look at the lines that were left out, or to say what columns become. */
const KEPT_DAYS = 30;

/** One step of forgetting the imports that nobody has touched for long. True: there is more. */
export function* forgetOldImports(store: Store, now: number): Script<boolean> {
  const old = yield* askOne(
    store.db
      .selectFrom('imports')
      .select('id')
      .where('touched_at', '<', now - KEPT_DAYS * DAY_MS)
      .where('state', '!=', 'running')
      .orderBy('touched_at')
      .limit(1),
  );
  if (!old) return false;
  yield* forgetImport(store, old.id);
  return true;
}

/** How many of a workspace are not finished; they take room. */
export function* countOpenImports({ db }: Store, workspaceId: number): Script<number> {
  const row = yield* askOne(
    db
      .selectFrom('imports')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('finished_at', 'is', null)
      .where('workspace_id', '=', workspaceId),
  );
  return row?.n ?? 0;
}

export function* readImport(store: Store, workspaceId: number, id: number): Script<Import | undefined> {
  const row = yield* askOne(
    selectImports(store)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '!=', 'uploading'),
  );
  return row && toImport(row);
}

/** Newest first. */
export function* listImports(
  store: Store,
  workspaceId: number,
  before: number | undefined,
  limit: number,
): Script<readonly Import[]> {
  const rows = yield* ask(
    selectImports(store)
      .where('workspace_id', '=', workspaceId)
      .where('state', '!=', 'uploading')
      .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
      .orderBy('id', 'desc')
      .limit(limit),
  );
  return rows.map(toImport);
}

/** Those of a workspace that are not finished, newest first: a few. */
export function* openImports(store: Store, workspaceId: number): Script<readonly Import[]> {
  const rows = yield* ask(
    selectImports(store)
      .where('finished_at', 'is', null)
      .where('workspace_id', '=', workspaceId)
      .where('state', '!=', 'uploading')
      .orderBy('id', 'desc')
      .limit(MOST_SHOWN),
  );
  return rows.map(toImport);
}

const MOST_SHOWN = 50;

/** Of all workspaces: what somebody should be at. */
export function* runningImports(
  { db }: Store,
  limit: number,
): Script<readonly { readonly id: number; readonly workspaceId: number; readonly nextPiece: number }[]> {
  const rows = yield* ask(
    db
      .selectFrom('imports')
      .select(['id', 'workspace_id', 'next_piece'])
      .where('finished_at', 'is', null)
      .where('state', '=', 'running')
      .orderBy('id')
      .limit(limit),
  );
  return rows.map((row) => ({ id: row.id, workspaceId: row.workspace_id, nextPiece: row.next_piece }));
}

/** Until the end of the transaction nobody else's. */
export function* lockImport(store: Store, workspaceId: number, id: number): Script<Import | undefined> {
  const row = yield* askOne(
    selectImports(store)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '!=', 'uploading')
      .$if(store.dialect === 'postgres', (query) => query.forUpdate()),
  );
  return row && toImport(row);
}

export function* startImport(
  { db }: Store,
  { id, pieces }: Pick<Import, 'id' | 'pieces'>,
  mapping: Mapping,
  campaignId: number | null,
  now: number,
): Script<void> {
  const done = pieces === 0;
  yield* ask(
    db
      .updateTable('imports')
      .set({
        mapping: JSON.stringify(mapping),
        campaign_id: campaignId,
        started_at: now,
        touched_at: now,
        state: done ? 'done' : 'running',
        ...(done && { finished_at: now }),
      })
      .where('id', '=', id),
  );
}

/** What is in stays in. */
export function* stopImport({ db }: Store, id: number, now: number): Script<void> {
  yield* ask(
    db
      .updateTable('imports')
      .set({ state: 'stopped', finished_at: now, touched_at: now })
      .where('id', '=', id),
  );
}

export interface Piece {
  readonly number: number;
  readonly records: string;
  /** How often somebody was taken out of it. */
  readonly edits: number;
}

export function* readPieces(
  { db }: Store,
  importId: number,
  from: number,
  limit: number,
): Script<readonly Piece[]> {
  return yield* ask(
    db
      .selectFrom('import_pieces')
      .select(['number', 'records', 'edits'])
      .where('import_id', '=', importId)
      .where('number', '>=', from)
      .orderBy('number')
      .limit(limit),
  );
}
