import { sql } from '../../vendor/kysely.js';
import {
  changed,
  contactWords,
  NOBODY,
  type Contact,
  type ContactChange,
  type ContactFault,
} from '../../core/contact.js';
import { importDid } from '../../core/import-did.js';
import { among } from '../among.js';
import { insertMany, updateMany, type BulkColumn, type BulkRow } from '../bulk.js';
import { ask, askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';
import { endEnrolments } from './enrolments.js';
import { lockContacts, lockContactsById, type StoredContact } from './contacts.js';

export type Merged = { readonly id: number; readonly made: boolean } | { readonly fault: ContactFault };

/** The import that names them, and in which lines. */
export interface Origin {
  readonly importId: number;
  readonly lines: readonly number[];
}

type Draft = Omit<StoredContact, 'id' | 'createdAt' | 'updatedAt'>;

/** A contact on its way into the table; several lines may speak of the same one. */
interface Working {
  known: StoredContact | undefined;
  draft: Draft;
}

const COLUMNS: readonly BulkColumn[] = [
  { name: 'email', type: 'text' },
  { name: 'email_given', type: 'text' },
  { name: 'name', type: 'text' },
  { name: 'linkedin_id', type: 'text' },
  { name: 'timezone', type: 'text' },
  { name: 'attributes', type: 'text' },
  { name: 'import_id', type: 'bigint' },
  { name: 'import_line', type: 'int' },
  { name: 'import_did', type: 'text' },
  { name: 'updated_at', type: 'bigint' },
];
const NEW_COLUMNS: readonly BulkColumn[] = [
  ...COLUMNS,
  { name: 'workspace_id', type: 'int' },
  { name: 'created_at', type: 'bigint' },
];
const WORD_COLUMNS: readonly BulkColumn[] = [
  { name: 'workspace_id', type: 'int' },
  { name: 'word', type: 'text' },
  { name: 'contact_id', type: 'bigint' },
];

const valuesOf = (draft: Draft, now: number): BulkRow => [
  ...[draft.email, draft.emailGiven, draft.name, draft.linkedinId, draft.timezone],
  ...[JSON.stringify(draft.attributes), draft.importId, draft.importLine, draft.importDid, now],
];

/** Others may have made the same ones meanwhile; then those are known, and updated. More often than this is a fault. */
const ROUNDS = 5;

/**
 * Writes contacts down, each once: whoever is known by his address, else by his LinkedIn id, is updated and keeps his id.
 * In the order given; one answer each. A fault concerns that one alone.
 */
export function* mergeContacts(
  store: Store,
  workspaceId: number,
  changes: readonly ContactChange[],
  now: number,
  origin?: Origin,
): Script<readonly Merged[]> {
  const answers = new Array<Merged | undefined>(changes.length).fill(undefined);
  for (let round = 0; round < ROUNDS; round += 1) {
    const open = [...answers.keys()].filter((place) => answers[place] === undefined);
    if (open.length === 0) return answers as readonly Merged[];
    yield* mergeOnce(store, workspaceId, changes, open, now, origin, answers);
  }
  if (answers.every((answer) => answer !== undefined)) return answers;
  throw new Error('contacts could not be written: others kept making the same ones');
}

function* mergeOnce(
  store: Store,
  workspaceId: number,
  changes: readonly ContactChange[],
  open: readonly number[],
  now: number,
  origin: Origin | undefined,
  answers: (Merged | undefined)[],
): Script<void> {
  const named = (field: 'email' | 'linkedinId') => [
    ...new Set(open.map((place) => changes[place]?.[field]).filter((value) => typeof value === 'string')),
  ];
  const known = yield* lockContacts(store, workspaceId, named('email'), named('linkedinId'));
  const book = new Book(known);
  const placed = new Map<number, Working>();
  for (const place of open) {
    const change = changes[place] ?? {};
    const line = origin?.lines[place] ?? null;
    const working = book.take(change, origin && { importId: origin.importId, importLine: line });
    if ('fault' in working) answers[place] = working;
    else placed.set(place, working);
  }
  const fresh = book.all.filter((each) => each.known === undefined);
  const ids = yield* insertNew(store, workspaceId, fresh, now);
  yield* writeKnown(
    store,
    workspaceId,
    book.all.flatMap(({ known: before, draft }) => (before && before !== draft ? [{ before, draft }] : [])),
    now,
  );
  const seen = new Set<Working>();
  for (const [place, working] of placed) {
    const id = working.known?.id ?? ids.get(working);
    if (id === undefined) continue;
    answers[place] = { id, made: working.known === undefined && !seen.has(working) };
    seen.add(working);
  }
}

const OF_NO_FILE = { importId: null, importLine: null, importDid: null };

/** Who is who among those that are known and those that come. */
class Book {
  readonly all: Working[] = [];
  readonly #byEmail = new Map<string, Working>();
  readonly #byLinkedin = new Map<string, Working>();

  constructor(known: readonly StoredContact[]) {
    for (const contact of known) this.#add({ known: contact, draft: contact });
  }

  take(
    change: ContactChange,
    origin: Pick<Draft, 'importId' | 'importLine'> | undefined,
  ): Working | { readonly fault: ContactFault } {
    const { email, linkedinId } = change;
    const byEmail = typeof email === 'string' ? this.#byEmail.get(email) : undefined;
    const byLinkedin = typeof linkedinId === 'string' ? this.#byLinkedin.get(linkedinId) : undefined;
    const isOthers = byLinkedin && (byEmail ? byLinkedin !== byEmail : takenByAddress(byLinkedin, email));
    if (isOthers) return { fault: TAKEN };
    const working = byEmail ?? byLinkedin;
    const next = changed<Draft>(working?.draft ?? { ...NOBODY, ...OF_NO_FILE }, change);
    if ('fault' in next) return next;
    const draft = origin ? { ...next, ...origin, importDid: importDid(working?.draft, next) } : next;
    if (!working) return this.#add({ known: undefined, draft });
    working.draft = draft;
    this.#index(working);
    return working;
  }

  #add(working: Working): Working {
    this.all.push(working);
    this.#index(working);
    return working;
  }

  /** What somebody was known by before stays his: rows that take over from each other would collide in the index. */
  #index(working: Working): void {
    const { email, linkedinId } = working.draft;
    if (email !== null) this.#byEmail.set(email, working);
    if (linkedinId !== null) this.#byLinkedin.set(linkedinId, working);
  }
}

/** Somebody with another address has this LinkedIn id. */
const takenByAddress = ({ draft }: Working, email: string | null | undefined): boolean =>
  typeof email === 'string' && draft.email !== null && draft.email !== email;

const TAKEN: ContactFault = {
  field: 'linkedinId',
  text: 'belongs to a contact with another address',
  taken: true,
};

function* insertNew(
  store: Store,
  workspaceId: number,
  fresh: readonly Working[],
  now: number,
): Script<ReadonlyMap<Working, number>> {
  const rows = yield* insertMany<{ id: number; email: string | null; linkedin_id: string | null }>(
    store,
    'contacts',
    NEW_COLUMNS,
    fresh.map(({ draft }) => [...valuesOf(draft, now), workspaceId, now]),
    'on conflict do nothing returning id, email, linkedin_id',
  );
  const byEmail = new Map(rows.map(({ id, email }) => [email, id]));
  const byLinkedin = new Map(rows.map(({ id, linkedin_id: linkedinId }) => [linkedinId, id]));
  const ids = new Map<Working, number>();
  const words: [number, string, number][] = [];
  for (const working of fresh) {
    const { email, linkedinId } = working.draft;
    const id = email === null ? byLinkedin.get(linkedinId) : byEmail.get(email);
    if (id === undefined) continue;
    ids.set(working, id);
    for (const word of contactWords(working.draft)) words.push([workspaceId, word, id]);
  }
  // Neighbours in the index are written together: unsorted, each would touch a page of its own.
  words.sort(([, a], [, b]) => (a < b ? -1 : Number(a > b)));
  yield* insertMany(store, 'contact_words', WORD_COLUMNS, words);
  return ids;
}

interface Rewritten {
  readonly before: StoredContact;
  readonly draft: Draft;
}

function* writeKnown(
  store: Store,
  workspaceId: number,
  rewritten: readonly Rewritten[],
  now: number,
): Script<void> {
  yield* updateMany(
    store,
    'contacts',
    [{ name: 'id', type: 'bigint' }, ...COLUMNS],
    rewritten.map(({ before, draft }) => [before.id, ...valuesOf(draft, now)]),
  );
  const renamed = rewritten.filter(
    ({ before, draft }) => contactWords(before).join(' ') !== contactWords(draft).join(' '),
  );
  yield* forgetWords(
    store,
    workspaceId,
    renamed.map(({ before }) => before),
  );
  yield* insertMany(
    store,
    'contact_words',
    WORD_COLUMNS,
    renamed.flatMap(({ before, draft }) =>
      contactWords(draft).map((word): BulkRow => [workspaceId, word, before.id]),
    ),
  );
}

function* forgetWords(
  { at, dialect }: Store,
  workspaceId: number,
  contacts: readonly Pick<Contact, 'id' | 'name' | 'email'>[],
): Script<void> {
  if (contacts.length === 0) return;
  const rows = contacts.flatMap((contact) => contactWords(contact).map((word) => [word, contact.id]));
  yield* askCompiled({
    sql:
      dialect === 'postgres'
        ? `delete from ${at('contact_words')} where (workspace_id, word, contact_id) in (
            select $1::int, r ->> 0, (r ->> 1)::bigint from json_array_elements($2::json) r)`
        : `delete from contact_words where (workspace_id, word, contact_id) in (
            select ?1, value ->> 0, value ->> 1 from json_each(?2))`,
    parameters: [workspaceId, JSON.stringify(rows)],
  });
}

export type Updated = { readonly contact: StoredContact } | { readonly fault: ContactFault };

/** One that is named by its id. Undefined: it is not there. */
export function* updateContact(
  store: Store,
  workspaceId: number,
  id: number,
  change: ContactChange,
  now: number,
): Script<Updated | undefined> {
  const [before] = yield* lockContactsById(store, workspaceId, [id]);
  if (!before) return undefined;
  const draft = changed(before, change);
  if ('fault' in draft) return draft;
  const { email, linkedinId } = draft;
  const others = yield* lockContacts(
    store,
    workspaceId,
    email === null ? [] : [email],
    linkedinId === null ? [] : [linkedinId],
  );
  const other = others.find((contact) => contact.id !== id);
  if (other) {
    const field = other.email !== null && other.email === email ? 'email' : 'linkedinId';
    return { fault: { field, text: 'belongs to another contact', taken: true } };
  }
  yield* writeKnown(store, workspaceId, [{ before, draft }], now);
  return { contact: { ...draft, updatedAt: now } };
}

/** Nothing more leaves to them in any campaign. Answers those that were there. */
export function* removeContacts(
  store: Store,
  workspaceId: number,
  ids: readonly number[],
  now: number,
): Script<readonly StoredContact[]> {
  for (const contactId of [...ids].sort((a, b) => a - b))
    yield* endEnrolments(store, workspaceId, { contactId }, 'stopped', now);
  const gone = yield* lockContactsById(store, workspaceId, ids);
  yield* forgetWords(store, workspaceId, gone);
  yield* ask(
    store.db
      .deleteFrom('contacts')
      .where('workspace_id', '=', workspaceId)
      .where(among(store, sql.ref('id'), ids)),
  );
  return gone;
}
