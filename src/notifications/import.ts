import { csvLine, CsvFault, type CsvRecord } from '../core/csv.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { EMAIL_CONTACT } from '../core/subscription.js';
import type { Subscription } from '../store/scripts/subscriptions.js';
import { csvRecords } from './csv-records.js';

export interface ImportReport {
  /** New ones, and known ones that were said again. */
  readonly imported: number;
  readonly updated: number;
  /** The first thousand of them. */
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly rejectedTotal: number;
}

const MOST_TOLD = 1_000;
const IMPORT_AT_ONCE = 200;

/** Columns by name, in whatever case; `contactValue` may be called `email`. */
const COLUMNS = [
  ...['topic', 'contactType', 'contactValue', 'name', 'locale', 'timezone', 'status'],
  ...['notifyOn', 'maxNotifications', 'startMinutes', 'endMinutes', 'snoozeUntil'],
] as const;

type Row = Readonly<Record<string, string>>;

/** What a line asks for, as `subscriptions.add` takes it. */
export interface ImportLine {
  readonly line: number;
  readonly given: Readonly<Record<string, unknown>>;
}

/** Line by line. `take` answers, for each of a batch, whether it is new, or why it is left out. */
export async function importLines(
  source: AsyncIterable<string | Uint8Array>,
  topic: string | undefined,
  take: (batch: readonly ImportLine[]) => Promise<readonly (boolean | string)[]>,
): Promise<ImportReport> {
  let [imported, updated, rejectedTotal] = [0, 0, 0];
  const rejected: { line: number; reason: string }[] = [];
  const reject = (line: number, reason: string): void => {
    rejectedTotal += 1;
    if (rejected.length < MOST_TOLD) rejected.push({ line, reason });
  };
  let names: readonly string[] | undefined;
  let batch: ImportLine[] = [];
  const flush = async (): Promise<void> => {
    const answers = batch.length === 0 ? [] : await take(batch);
    for (const [n, answer] of answers.entries()) {
      if (typeof answer === 'string') reject(batch[n]?.line ?? 0, answer);
      else if (answer) imported += 1;
      else updated += 1;
    }
    batch = [];
  };
  try {
    for await (const { line, cells, fault } of csvRecords(source)) {
      if (!names) {
        names = columnsOf({ line, cells, ...(fault !== undefined && { fault }) }, topic);
        continue;
      }
      if (fault !== undefined) {
        reject(line, fault);
        continue;
      }
      const row = Object.fromEntries(names.map((name, n) => [name, plain((cells[n] ?? '').trim())]));
      batch.push({ line, given: givenBy(row, topic) });
      if (batch.length >= IMPORT_AT_ONCE) await flush();
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    throw invalidInput('file', `line ${String(error.line)} ${error.message}`);
  }
  if (!names) throw invalidInput('file', 'is empty; its first line should name the columns');
  await flush();
  return { imported, updated, rejected, rejectedTotal };
}

/** What our own export marks as text, so that no spreadsheet calculates it. */
const plain = (cell: string): string => cell.replace(/^'(?=[=+\-@])/, '');

function columnsOf({ cells, fault }: CsvRecord, topic: string | undefined): readonly string[] {
  if (fault !== undefined) throw invalidInput('file', `line 1 ${fault}`);
  const names = cells.map((cell): string => {
    const wanted = cell.trim().toLowerCase();
    return wanted === 'email'
      ? 'contactValue'
      : (COLUMNS.find((name) => name.toLowerCase() === wanted) ?? '');
  });
  for (const needed of topic === undefined ? ['topic', 'contactValue'] : ['contactValue'])
    if (!names.includes(needed))
      throw invalidInput('file', `has no column ${needed === 'topic' ? needed : 'email, or contactValue'}`);
  return names;
}

/** An empty cell says nothing. What is no number stays a text, so that it is refused by name. */
function givenBy(row: Row, topic: string | undefined): Readonly<Record<string, unknown>> {
  const said = (name: string): string | undefined => (row[name] === '' ? undefined : row[name]);
  const figure = (name: string): unknown => {
    const cell = said(name);
    return cell !== undefined && /^\d{1,10}$/.test(cell) ? Number(cell) : cell;
  };
  const [start, end, notifyOn] = [figure('startMinutes'), figure('endMinutes'), said('notifyOn')];
  const preferences = {
    ...(notifyOn !== undefined && { notifyOn: notifyOn.split('|') }),
    ...(figure('maxNotifications') !== undefined && { maxNotifications: figure('maxNotifications') }),
    ...((start ?? end) !== undefined && { deliveryWindow: { startMinutes: start, endMinutes: end } }),
    ...(said('snoozeUntil') !== undefined && { snoozeUntil: said('snoozeUntil') }),
  };
  const others = ['name', 'locale', 'timezone', 'status'].flatMap((name): [string, string][] => {
    const cell = said(name);
    return cell === undefined ? [] : [[name, cell]];
  });
  return {
    topic: said('topic') ?? topic ?? '',
    contactType: said('contactType') ?? EMAIL_CONTACT,
    contactValue: said('contactValue') ?? '',
    ...Object.fromEntries(others),
    ...(Object.keys(preferences).length > 0 && { preferences }),
  };
}

/** Why a line was left out; what is no fault of the line is thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof PillarboxError && error.code === 'invalid_input') return error.message;
  throw error;
}

export const EXPORT_HEAD = csvLine([...COLUMNS]);

/** As it can be imported again. */
export const exportLine = ({ topic, contactType, preferences, ...known }: Subscription): string => {
  const { notifyOn, maxNotifications, deliveryWindow, snoozeUntil } = preferences;
  return csvLine([
    ...[topic, contactType, known.contactGiven ?? known.contact, known.name ?? '', known.locale ?? ''],
    ...[known.timezone ?? '', known.status, notifyOn?.join('|') ?? '', String(maxNotifications ?? '')],
    ...[String(deliveryWindow?.startMinutes ?? ''), String(deliveryWindow?.endMinutes ?? '')],
    snoozeUntil === null ? '' : new Date(snoozeUntil).toISOString(),
  ]);
};
