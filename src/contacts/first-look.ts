import { setImmediate as othersFirst } from 'node:timers/promises';
import { lineReader, type Mapping } from '../core/contact-columns.js';
import type { RejectCode } from '../core/import.js';
import { findContacts } from '../store/scripts/contacts.js';
import { readPieces, type Import, type Piece } from '../store/scripts/imports.js';
import { readListed } from '../store/scripts/suppression-list.js';
import type { Store } from '../store/store.js';
import { linesOf } from './import-runner.js';
import type { PieceRecord } from './upload.js';

/** So much of a file is looked at: 20,000 lines of the usual length, in a second. */
const PIECES = 10;

/** What would come of the beginning of a file. */
export interface FirstLook {
  /** How many lines were looked at. */
  readonly lines: number;
  /** Lines that name somebody who is known: he is updated. */
  readonly known: number;
  /** Lines with an address that is not written to. */
  readonly suppressed: number;
  readonly rejected: number;
  readonly reasons: Readonly<Partial<Record<RejectCode, number>>>;
}

/** Reads what would be imported first, as it would be, and writes nothing. */
export async function firstLook(store: Store, known: Import, mapping: Mapping): Promise<FirstLook> {
  const read = lineReader(
    known.columns.map(({ name }) => name),
    mapping,
  );
  const sum = { lines: 0, known: 0, suppressed: 0, rejected: 0 };
  const reasons: Partial<Record<RejectCode, number>> = {};
  for (let number = 0; number < Math.min(known.pieces, PIECES); number += 1) {
    const [piece] = await store.read(readPieces(store, known.id, number, 1));
    if (!piece) break;
    const { lines, left } = linesOf(recordsOf(piece), read);
    const emails = lines.flatMap(({ change }) => change.email ?? []);
    const linkedinIds = lines.flatMap(({ change }) => change.linkedinId ?? []);
    const people = await store.read(
      findContacts(store, known.workspaceId, [...new Set(emails)], [...new Set(linkedinIds)]),
    );
    const ids = new Set(people.flatMap(({ email, linkedinId }) => [email ?? [], linkedinId ?? []].flat()));
    const listed = await store.read(readListed(store, known.workspaceId, emails));
    sum.lines += lines.length + left.length;
    sum.rejected += left.length;
    sum.known += lines.filter(
      ({ change: { email, linkedinId } }) => ids.has(email ?? '') || ids.has(linkedinId ?? ''),
    ).length;
    sum.suppressed += emails.filter((email) => listed.has(email)).length;
    for (const { code } of left) reasons[code] = (reasons[code] ?? 0) + 1;
    await othersFirst();
  }
  return { ...sum, reasons };
}

const recordsOf = ({ records }: Piece): readonly PieceRecord[] => JSON.parse(records) as PieceRecord[];
