import type { Contact } from '../../core/contact.js';
import { ask, giveWay, type Script } from '../script.js';
import type { Store } from '../store.js';
import { CONTACT_COLUMNS, toContact } from './contacts.js';

const PAGE = 500;

/** The newest people of a workspace, page by page: enough to say what is mostly known of them. */
export function* sampleContacts(
  { db }: Store,
  workspaceId: number,
  limit: number,
  look: (contact: Contact) => void,
): Script<number> {
  let before = Number.MAX_SAFE_INTEGER;
  let seen = 0;
  while (seen < limit) {
    const rows = yield* ask(
      db
        .selectFrom('contacts')
        .select([...CONTACT_COLUMNS])
        .where('workspace_id', '=', workspaceId)
        .where('id', '<', before)
        .orderBy('id', 'desc')
        .limit(Math.min(PAGE, limit - seen)),
    );
    for (const row of rows) look(toContact(row));
    seen += rows.length;
    before = rows.at(-1)?.id ?? 0;
    if (rows.length < PAGE) return seen;
    yield* giveWay();
  }
  return seen;
}
