import { sql, type Selectable } from '../../vendor/kysely.js';
import type { Attributes, Contact } from '../../core/contact.js';
import { among } from '../among.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import type { ContactsTable } from '../tables.js';

export type { Contact } from '../../core/contact.js';

export interface StoredContact extends Contact {
  /** The last import that named him, and in which line. */
  readonly importId: number | null;
  readonly importLine: number | null;
  /** What that line did, in words. */
  readonly importDid: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const CONTACT_COLUMNS = [
  ...(['id', 'email', 'email_given', 'name', 'linkedin_id', 'timezone', 'attributes'] as const),
  ...(['import_id', 'import_line', 'import_did', 'created_at', 'updated_at'] as const),
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
  importDid: row.import_did,
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
  if (emails.length + linkedinIds.length === 0) return [];
  const rows = yield* ask(
    namedBy(store, workspaceId, emails, linkedinIds)
      .orderBy('id')
      .$if(store.dialect === 'postgres', (query) => query.forUpdate()),
  );
  return rows.map(toContact);
}

/** The same, for whoever only looks. */
export function* findContacts(
  store: Store,
  workspaceId: number,
  emails: readonly string[],
  linkedinIds: readonly string[],
): Script<readonly StoredContact[]> {
  if (emails.length + linkedinIds.length === 0) return [];
  return (yield* ask(namedBy(store, workspaceId, emails, linkedinIds))).map(toContact);
}

function namedBy(
  store: Store,
  workspaceId: number,
  emails: readonly string[],
  linkedinIds: readonly string[],
) {
  const byEmail = among(store, sql.ref('email'), emails);
  const byLinkedin = among(store, sql.ref('linkedin_id'), linkedinIds);
  return store.db
    .selectFrom('contacts')
    .select([...CONTACT_COLUMNS])
    .where('workspace_id', '=', workspaceId)
    .$if(linkedinIds.length === 0, (query) => query.where('email', 'is not', null).where(byEmail))
    .$if(emails.length === 0, (query) => query.where('linkedin_id', 'is not', null).where(byLinkedin))
    .$if(emails.length > 0 && linkedinIds.length > 0, (query) =>
      query.where((eb) =>
        eb.or([
          eb.and([eb('email', 'is not', null), byEmail]),
          eb.and([eb('linkedin_id', 'is not', null), byLinkedin]),
        ]),
      ),
    );
}

/** Of these ids, until the end of the transaction nobody else's. */
export function* lockContactsById(
  store: Store,
  workspaceId: number,
  ids: readonly number[],
): Script<readonly StoredContact[]> {
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
