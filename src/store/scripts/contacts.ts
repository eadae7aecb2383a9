import { sql, type Selectable } from '../../vendor/kysely.js';
import type { Attributes, Contact } from '../../core/contact.js';
import { among } from '../among.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import type { ContactsTable } from '../tables.js';
import { Question } from './question.js';

export type { Contact } from '../../core/contact.js';

export interface StoredContact extends Contact {
  /** The last import that named him, and in which line. */
  readonly importId: number | null;
  readonly importLine: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const CONTACT_COLUMNS = [
  ...(['id', 'email', 'email_given', 'name', 'linkedin_id', 'timezone', 'attributes'] as const),
  ...(['import_id', 'import_line', 'created_at', 'updated_at'] as const),
] as const;

export type ContactRow = Pick<Selectable<ContactsTable>, (typeof CONTACT_COLUMNS)[number]>;

export const toContact = (row: ContactRow): StoredContact => ({
  id: row.id,
  email: row.email,
  emailGiven: row.email_given,
  name: row.name,
  linkedinId: row.linkedin_id,
  timezone: row.timezone,
  attributes: JSON.parse(row.attributes) as Attributes,
  importId: row.import_id,
  importLine: row.import_line,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Those that there are of these ids, in no order. */
export function* readContacts(
  store: Store,
  workspaceId: number,
  ids: readonly number[],
): Script<readonly StoredContact[]> {
  if (ids.length === 0) return [];
  const rows = yield* ask(
    store.db
      .selectFrom('contacts')
      .select([...CONTACT_COLUMNS])
      .where('workspace_id', '=', workspaceId)
      .where(among(store, sql.ref('id'), ids)),
  );
  return rows.map(toContact);
}

/** By canonical address or LinkedIn id; until the end of the transaction nobody else's, locked in the order of ids. */
export function* lockContacts(
  store: Store,
  workspaceId: number,
  emails: readonly string[],
  linkedinIds: readonly string[],
): Script<readonly StoredContact[]> {
  const ids = yield* idsNamed(store, workspaceId, emails, linkedinIds);
  const locked = yield* lockContactsById(store, workspaceId, ids);
  const wanted = { emails: new Set(emails), linkedinIds: new Set(linkedinIds) };
  // Whoever was called something else in between is somebody else.
  return locked.filter(
    ({ email, linkedinId }) =>
      (email !== null && wanted.emails.has(email)) ||
      (linkedinId !== null && wanted.linkedinIds.has(linkedinId)),
  );
}

/** The same, for whoever only looks. */
export function* findContacts(
  store: Store,
  workspaceId: number,
  emails: readonly string[],
  linkedinIds: readonly string[],
): Script<readonly StoredContact[]> {
  return yield* readContacts(store, workspaceId, yield* idsNamed(store, workspaceId, emails, linkedinIds));
}

function* idsNamed(
  store: Store,
  workspaceId: number,
  emails: readonly string[],
  linkedinIds: readonly string[],
): Script<readonly number[]> {
  const byEmail = yield* idsBy(store, workspaceId, 'email', emails);
  const byLinkedinId = yield* idsBy(store, workspaceId, 'linkedin_id', linkedinIds);
  return [...new Set([...byEmail, ...byLinkedinId])];
}

function* idsBy(
  store: Store,
  workspaceId: number,
  by: 'email' | 'linkedin_id',
  names: readonly string[],
): Script<readonly number[]> {
  if (names.length === 0) return [];
  const question = new Question(store);
  const where = `r.workspace_id = ${question.bind(workspaceId)} and r.${by} is not null`;
  return yield* question.ids(question.named({ table: 'contacts', columns: 'r.id', where, by }, names));
}

/** Of these ids, until the end of the transaction nobody else's. */
export function* lockContactsById(
  store: Store,
  workspaceId: number,
  ids: readonly number[],
): Script<readonly StoredContact[]> {
  if (ids.length === 0) return [];
  const rows = yield* ask(
    store.db
      .selectFrom('contacts')
      .select([...CONTACT_COLUMNS])
      .where('workspace_id', '=', workspaceId)
      .where(among(store, sql.ref('id'), ids))
      .orderBy('id')
      .$if(store.dialect === 'postgres', (query) => query.forUpdate()),
  );
  return rows.map(toContact);
}
