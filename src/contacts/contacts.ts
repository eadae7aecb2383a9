import { contactsPlate, type ContactsPlate } from '../core/contacts-words.js';
import { readContact, type ContactChange, type ContactFault, type ContactInput } from '../core/contact.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { formatId, parseId } from '../core/ids.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { readLimit, type Page } from '../core/page.js';
import type { Suppression } from '../core/suppression.js';
import type { Logger } from '../log/log.js';
import { ContactShape } from '../shapes/contact.js';
import { shapeFault } from '../shapes/fault.js';
import { campaignsOfContacts, type InCampaign } from '../store/scripts/contact-campaigns.js';
import { countContacts, listContacts } from '../store/scripts/contact-list.js';
import { mergeContacts, removeContacts, updateContact } from '../store/scripts/contact-writes.js';
import { readContacts, type StoredContact } from '../store/scripts/contacts.js';
import { listImports, openImports, type Import } from '../store/scripts/imports.js';
import { readListed } from '../store/scripts/suppression-list.js';
import type { Store } from '../store/store.js';
import { isTaken } from '../store/taken.js';
import { Compile } from '../vendor/typebox.js';
import { ImportRunner, type Door } from './import-runner.js';
import { Imports, type ImportOptions, type ImportReport } from './imports.js';
import type { FileSource } from './upload.js';

/** A contact, and whether he is written to at all. */
export interface ContactView extends Omit<StoredContact, 'id' | 'importId'> {
  readonly id: string;
  readonly importId: string | null;
  readonly suppression: Suppression | undefined;
  /** The newest campaigns in which he is or was. */
  readonly campaigns: readonly InCampaign[];
}

/** How things stand with all of them. */
export interface ContactsStanding {
  /** Not more than one above `countedTo`. */
  readonly contacts: number;
  readonly countedTo: number;
  /** Files that wait for somebody, or are being imported. */
  readonly open: readonly Import[];
  readonly plate: ContactsPlate;
}

/** Nobody waits for a page while a million are counted. */
const COUNTED_TO = 100_000;

export interface ContactListOptions {
  /** An id, the beginning of an address, or of words of the name or of where the address is. */
  readonly q?: string | undefined;
  /** Those that this import named last. */
  readonly importId?: string | undefined;
  /** Those who are in this campaign, or were. */
  readonly campaignId?: string | undefined;
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const LIST_OPTIONS: OptionNames<ContactListOptions> = {
  ...{ q: true, importId: true, campaignId: true, limit: true, cursor: true },
};

/** What one call may bring. More belong into an import. */
export const MOST_CONTACTS = 10_000;
const AT_ONCE = 1_000;

/** More than may be open at once. */
const SEARCHED_FOR_LAST = 50;

const shape = Compile(ContactShape);

/** The people of a workspace. Known by their address in whatever spelling, else by their LinkedIn id. */
export class Contacts {
  readonly imports: Imports;
  /** For the process around it. */
  readonly runner: ImportRunner;

  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly door: Door,
    log: Logger,
  ) {
    this.runner = new ImportRunner(store, workspaceId, door, log);
    this.imports = new Imports(store, workspaceId, this.runner);
  }

  /**
   * Adds one, or updates the one that is known: what is not given stays as it is, null takes it away. Whoever does not want
   * to be written to is not written to either way.
   */
  async add(contact: ContactInput): Promise<{ readonly id: string }> {
    const [id] = await this.#merge([readInput(contact, '')], '');
    return { id: String(id) };
  }

  /** The same for many: all of them or none. Ids come in the order given. */
  async addMany(contacts: readonly ContactInput[]): Promise<{ readonly ids: readonly string[] }> {
    if (contacts.length > MOST_CONTACTS)
      throw invalidInput('contacts', `are more than ${String(MOST_CONTACTS)}; import them as a file`);
    return {
      ids: await this.#merge(
        contacts.map((each, n) => readInput(each, `contacts.${n}.`)),
        'contacts.',
      ),
    };
  }

  /** Newest first. A page may hold fewer than there are, even none, and say where to go on. */
  async list(options: ContactListOptions = {}): Promise<Page<ContactView>> {
    knownOptions(options, LIST_OPTIONS);
    const { q, importId, campaignId, limit, cursor } = options;
    const filter = {
      q,
      limit: readLimit(limit),
      ...(importId !== undefined && { importId: parseId('import', importId) ?? 0 }),
      ...(campaignId !== undefined && { campaignId: parseId('campaign', campaignId) ?? 0 }),
      ...(cursor !== undefined && { before: cursorOf(cursor) }),
    };
    const { items, next } = await this.store.read(listContacts(this.store, this.workspaceId, filter));
    return {
      items: await this.#views(items),
      nextCursor: next === undefined ? null : formatId('contact', next),
    };
  }

  /** How many there are, and which files wait. */
  async standing(): Promise<ContactsStanding> {
    const { store, workspaceId } = this;
    const contacts = await store.read(countContacts(store, workspaceId, COUNTED_TO + 1));
    const open = await store.read(openImports(store, workspaceId));
    const newest = await store.read(listImports(store, workspaceId, undefined, SEARCHED_FOR_LAST));
    const last = newest.find(({ finishedAt }) => finishedAt !== null) ?? null;
    const plate = contactsPlate({ contacts, countedTo: COUNTED_TO, open, last });
    return { contacts, countedTo: COUNTED_TO, open, plate };
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<ContactView> {
    const found = await this.store.read(readContacts(this.store, this.workspaceId, [numberOf(id)]));
    const [view] = await this.#views(found);
    if (!view) throw noContact();
    return view;
  }

  /** Throws `not_found`, `invalid_input`, and `conflict` if address or LinkedIn id are another contact's. */
  async update(id: string, contact: ContactInput): Promise<ContactView> {
    const { store, workspaceId } = this;
    const change = readInput(contact, '');
    await this.#pass([change]);
    const now = await store.now();
    try {
      const updated = await store.transaction(() =>
        updateContact(store, workspaceId, numberOf(id), change, now),
      );
      if (!updated) throw noContact();
      if ('fault' in updated) throw refusal(updated.fault);
    } catch (error) {
      if (isTaken(error)) throw refusal(SOMEBODY_ELSES);
      throw error;
    }
    return this.get(id);
  }

  /** His sequences end first, in every campaign. Throws `not_found`. */
  async remove(id: string): Promise<void> {
    const { store, workspaceId } = this;
    const now = await store.now();
    const removed = await store.wipe(() => removeContacts(store, workspaceId, [numberOf(id)], now));
    if (removed.length === 0) throw noContact();
  }

  /** A file of them, streamed: `text/csv` with a first line that names the columns. */
  import(source: FileSource, options?: ImportOptions): Promise<ImportReport> {
    return this.imports.import(source, options);
  }

  async #merge(changes: readonly ContactChange[], path: string): Promise<readonly string[]> {
    const { store, workspaceId } = this;
    await this.#pass(changes);
    const now = await store.now();
    const merged = await store.transaction(function* () {
      const all = [];
      for (let from = 0; from < changes.length; from += AT_ONCE)
        all.push(...(yield* mergeContacts(store, workspaceId, changes.slice(from, from + AT_ONCE), now)));
      all.forEach((answer, place) => {
        if (!('fault' in answer)) return;
        throw refusal(answer.fault, path === '' ? '' : `${path}${String(place)}.`);
      });
      return all;
    });
    return merged.map((answer) => ('id' in answer ? formatId('contact', answer.id) : ''));
  }

  async #pass(changes: readonly ContactChange[]): Promise<void> {
    const emails = changes.map(({ email }) => email).filter((email) => typeof email === 'string');
    await this.door(emails, (script) => this.store.transaction(script));
  }

  async #views(contacts: readonly StoredContact[]): Promise<readonly ContactView[]> {
    const emails = contacts.map(({ email }) => email).filter((email) => email !== null);
    const listed = await this.store.read(readListed(this.store, this.workspaceId, emails));
    const campaigns = await this.store.read(
      campaignsOfContacts(
        this.store,
        this.workspaceId,
        contacts.map(({ id }) => id),
      ),
    );
    return contacts.map((contact) => ({
      ...viewOf(contact, contact.email === null ? undefined : listed.get(contact.email)),
      campaigns: campaigns.get(contact.id) ?? [],
    }));
  }
}

export const viewOf = (
  contact: StoredContact,
  suppression?: Suppression,
): Omit<ContactView, 'campaigns'> => ({
  ...contact,
  id: formatId('contact', contact.id),
  importId: contact.importId === null ? null : formatId('import', contact.importId),
  suppression,
});

function readInput(given: ContactInput, path: string): ContactChange {
  if (!shape.Check(given)) {
    const fault = shapeFault(shape.Errors(given), 'contact');
    throw invalidInput(`${path}${fault.field ?? ''}`, fault.message.slice(fault.message.indexOf(': ') + 2));
  }
  const read = readContact(given);
  if ('fault' in read) throw invalidInput(`${path}${read.fault.field}`, read.fault.text);
  return read;
}

function refusal({ field, text, taken }: ContactFault, path = ''): PillarboxError {
  const at = `${path}${field}`;
  return taken ? new PillarboxError('conflict', `${at}: ${text}`, { field: at }) : invalidInput(at, text);
}

const SOMEBODY_ELSES: ContactFault = {
  field: 'email',
  text: 'or linkedinId has become another contact’s at this moment',
  taken: true,
};

const noContact = (): PillarboxError => new PillarboxError('not_found', 'there is no such contact');

function numberOf(id: string): number {
  const number = parseId('contact', id);
  if (number === undefined) throw noContact();
  return number;
}

function cursorOf(cursor: string): number {
  const number = parseId('contact', cursor);
  if (number === undefined) throw invalidInput('cursor', 'is not a cursor that a list gave');
  return number;
}
