import type { ContactChange } from '../../core/contact.js';
import { codeOf, type Left } from '../../core/contact-columns.js';
import type { RejectCode } from '../../core/import.js';
import { insertMany } from '../bulk.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { changeCampaign, enrol, readCampaign } from './campaigns.js';
import { mergeContacts, type Merged } from './contact-writes.js';
import { lockImport, type Import } from './imports.js';
import { readListed } from './suppression-list.js';

/** So many are kept with what stands there; of more, only how many and why. */
export const KEPT_REJECTS = 10_000;

export interface Line {
  readonly line: number;
  readonly change: ContactChange;
  readonly cells: readonly string[];
}

export interface LeftLine extends Left {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The lines of one piece: what is to be written, and what can not be. */
export interface Step {
  readonly importId: number;
  readonly piece: number;
  /** As it was when its lines were read. */
  readonly edits: number;
  readonly lines: readonly Line[];
  readonly left: readonly LeftLine[];
}

/**
 * One piece of a file, all of it or nothing: its contacts, their places in a campaign, the lines that were left out, and
 * how far it has come. False:
 * it is not this piece's turn, because somebody else has done it or the import was stopped.
 */
export function* importStep(
  store: Store,
  workspaceId: number,
  { importId, piece, edits, lines, left }: Step,
  now: number,
): Script<boolean> {
  const known = yield* lockImport(store, workspaceId, importId);
  if (known?.state !== 'running' || known.nextPiece !== piece) return false;
  // Somebody may have been erased from it since it was read.
  if ((yield* removePiece(store, importId, piece)) !== edits) throw new Error('the piece has changed');
  const merged = yield* mergeContacts(
    store,
    workspaceId,
    lines.map(({ change }) => change),
    now,
    { importId, lines: lines.map(({ line }) => line) },
  );
  const refused = lines.flatMap(({ line, cells }, place): LeftLine[] => {
    const answer = merged[place];
    if (!answer || !('fault' in answer)) return [];
    const { field, text, taken } = answer.fault;
    return [{ line, cells, code: taken ? 'taken' : codeOf(field), reason: `${field} ${text}` }];
  });
  const all = [...left, ...refused];
  yield* keepRejects(store, known, all);
  const emails = lines.map(({ change }) => change.email).filter((email) => typeof email === 'string');
  const listed = yield* readListed(store, workspaceId, emails);
  const made = merged.filter((answer) => 'made' in answer && answer.made).length;
  yield* writeProgress(store, known, {
    done: lines.length + left.length,
    imported: made,
    updated: lines.length - refused.length - made,
    suppressed: listed.size,
    ...(yield* enrolAll(store, workspaceId, known, merged, now)),
    left: all,
    now,
  });
  return true;
}

/** At the end of its line, in the order of the file. Somebody may have stopped it since. */
function* enrolAll(
  store: Store,
  workspaceId: number,
  { campaign }: Import,
  merged: readonly Merged[],
  now: number,
): Script<Pick<Progress, 'enrolled' | 'notEnrolled'>> {
  if (!campaign) return { enrolled: 0, notEnrolled: 0 };
  const ids = [...new Set(merged.flatMap((answer) => ('id' in answer ? [answer.id] : [])))];
  const row = yield* readCampaign(store, workspaceId, campaign.id, { lock: true });
  if (!row || row.state === 'stopped') return { enrolled: 0, notEnrolled: ids.length };
  const enrolled = yield* enrol(store, row, ids, now);
  // It has come to its end between two pieces of the file: its last people come now.
  if (row.state === 'completed' && enrolled > 0)
    yield* changeCampaign(store, row.id, { state: 'running', finished_at: null }, now);
  return { enrolled, notEnrolled: 0 };
}

interface Progress {
  readonly done: number;
  readonly imported: number;
  readonly updated: number;
  readonly suppressed: number;
  readonly enrolled: number;
  readonly notEnrolled: number;
  readonly left: readonly LeftLine[];
  readonly now: number;
}

function* writeProgress({ db }: Store, known: Import, step: Progress): Script<void> {
  const { id, nextPiece, pieces } = known;
  const isLast = nextPiece + 1 >= pieces;
  const reasons: Record<string, number> = { ...known.reasons };
  for (const { code } of step.left) reasons[code] = (reasons[code] ?? 0) + 1;
  yield* ask(
    db
      .updateTable('imports')
      .set({
        next_piece: nextPiece + 1,
        done: known.done + step.done,
        imported: known.imported + step.imported,
        updated: known.updated + step.updated,
        rejected: known.rejected + step.left.length,
        suppressed: known.suppressed + step.suppressed,
        enrolled: known.enrolled + step.enrolled,
        not_enrolled: known.notEnrolled + step.notEnrolled,
        reasons: JSON.stringify(reasons),
        touched_at: step.now,
        ...(isLast && { state: 'done' as const, finished_at: step.now }),
      })
      .where('id', '=', id),
  );
}

/** Answers how often somebody was taken out of it. */
function* removePiece({ db }: Store, importId: number, number: number): Script<number | undefined> {
  const row = yield* askOne(
    db
      .deleteFrom('import_pieces')
      .where('import_id', '=', importId)
      .where('number', '=', number)
      .returning('edits'),
  );
  return row?.edits;
}

function* keepRejects(store: Store, { id, rejected }: Import, left: readonly LeftLine[]): Script<void> {
  const room = Math.max(0, KEPT_REJECTS - rejected);
  yield* insertMany(
    store,
    'import_rejects',
    [
      { name: 'import_id', type: 'bigint' },
      { name: 'line', type: 'int' },
      { name: 'code', type: 'text' },
      { name: 'reason', type: 'text' },
      { name: 'cells', type: 'text' },
    ],
    left.slice(0, room).map(({ line, code, reason, cells }) => [id, line, code, reason, keptCells(cells)]),
  );
}

const KEPT_CHARACTERS = 8_000;
const CUT_TO = 200;

/** What stands there, cut where it is a novel. */
function keptCells(cells: readonly string[]): string {
  const whole = JSON.stringify(cells);
  if (whole.length <= KEPT_CHARACTERS) return whole;
  return JSON.stringify(cells.slice(0, CUT_TO).map((cell) => cell.slice(0, CUT_TO).toWellFormed()));
}

export interface Reject {
  readonly line: number;
  readonly code: RejectCode;
  readonly reason: string;
  readonly cells: readonly string[];
}

/** In the order of the lines; `after`: behind this one. */
export function* listRejects(
  { db }: Store,
  importId: number,
  {
    after,
    limit,
    code,
  }: { readonly after: number; readonly limit: number; readonly code?: string | undefined },
): Script<readonly Reject[]> {
  const rows = yield* ask(
    db
      .selectFrom('import_rejects')
      .select(['line', 'code', 'reason', 'cells'])
      .where('import_id', '=', importId)
      .where('line', '>', after)
      .$if(code !== undefined, (query) => query.where('code', '=', code ?? ''))
      .orderBy('line')
      .limit(limit),
  );
  return rows.map(({ line, code: word, reason, cells }) => ({
    ...{ line, reason },
    code: word as RejectCode,
    cells: JSON.parse(cells) as string[],
  }));
}
