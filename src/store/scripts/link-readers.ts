import { askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { readContacts } from './contacts.js';

/**
 * The address that a person's link stands for. Whoever was taken off the list of contacts may still hold a mail of ours,
 * and its link must work: then it is the address that the mail went to. Undefined: nobody knows any more.
 */
export function* addressBehind(
  store: Store,
  workspaceId: number,
  contactId: number,
): Script<string | undefined> {
  const [contact] = yield* readContacts(store, workspaceId, [contactId]);
  if (contact) return contact.emailGiven ?? contact.email ?? undefined;
  const message = yield* askOne(
    store.db
      .selectFrom('messages')
      .select(['recipient', 'recipient_given as given'])
      .where('contact_id', '=', contactId)
      .where('workspace_id', '=', workspaceId)
      .where('action', '=', 'email')
      .where('recipient', '<>', '')
      .orderBy('id', 'desc')
      .limit(1),
  );
  return message && (message.given ?? message.recipient);
}
