import { canonicalBeginning } from '../../core/address.js';
import { hasTerms, searchTerms } from '../../core/contact.js';
import { parseId } from '../../core/ids.js';
import { giveWay, type Script } from '../script.js';
import type { Store } from '../store.js';
import { CONTACT_COLUMNS, readContacts, toContact, type ContactRow, type StoredContact } from './contacts.js';
import { Question } from './question.js';

export interface ContactFilter {
  /** An id, the beginning of an address, or beginnings of words of the name or of where the address is. */
  readonly q?: string | undefined;
  readonly importId?: number | undefined;
  readonly campaignId?: number | undefined;
  /** Only those that are older. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface ContactPage {
  readonly items: readonly StoredContact[];
  /** There may be more that are older than this one. */
  readonly next: number | undefined;
}

/** Of a beginning that is shared by more, the newest contacts are looked at one by one: many of them have it. */
const FEW = 2_000;
/** How many are looked at for one page; it then says where to go on. */
const REACH = 5_000;
const STEP = 500;

/** Newest first. A page may hold fewer than there are, even none, and say where to go on. */
export function* listContacts(store: Store, workspaceId: number, filter: ContactFilter): Script<ContactPage> {
  const q = filter.q?.trim() ?? '';
  if (q === '') return yield* plainPage(store, workspaceId, filter);
  const id = parseId('contact', q);
  if (id !== undefined) return yield* only(store, yield* readContacts(store, workspaceId, [id]), filter);
  return q.includes('@')
    ? yield* byAddress(store, workspaceId, filter, canonicalBeginning(q))
    : yield* byWords(store, workspaceId, filter, q);
}

/** Not further than that. */
export function* countContacts(store: Store, workspaceId: number, most: number): Script<number> {
  const question = new Question(store);
  const [row] = yield* question.rows<{ readonly n: number }>(
    `select count(*) as n from (select 1 from ${store.at('contacts')}
     where workspace_id = ${question.bind(workspaceId)} limit ${question.bind(most)}) counted`,
  );
  return row?.n ?? 0;
}

function* plainPage(store: Store, workspaceId: number, filter: ContactFilter): Script<ContactPage> {
  const items = yield* stretch(store, workspaceId, filter, filter.before, filter.limit);
  return { items, next: items.length === filter.limit ? items.at(-1)?.id : undefined };
}

/** The next ones by age; of an import or a campaign by its own index. */
function* stretch(
  store: Store,
  workspaceId: number,
  { importId, campaignId }: ContactFilter,
  before: number | undefined,
  limit: number,
): Script<readonly StoredContact[]> {
  const question = new Question(store);
  const inCampaign = campaignId !== undefined;
  const key = inCampaign ? 'e.contact_id' : 'c.id';
  const conditions = [
    `c.workspace_id = ${question.bind(workspaceId)}`,
    ...(inCampaign ? [`e.campaign_id = ${question.bind(campaignId)}`] : []),
    ...(importId === undefined ? [] : [`c.import_id = ${question.bind(importId)}`]),
    ...(before === undefined ? [] : [`${key} < ${question.bind(before)}`]),
  ];
  const from = inCampaign
    ? `${store.at('enrolments')} e join ${store.at('contacts')} c on c.id = e.contact_id`
    : `${store.at('contacts')} c`;
  const rows = yield* question.rows<ContactRow>(
    `select ${CONTACT_COLUMNS.map((column) => `c.${column}`).join(', ')} from ${from}
     where ${conditions.join(' and ')} order by ${key} desc limit ${question.bind(limit)}`,
  );
  return rows.map(toContact);
}

/** Those among the found that the filter means, from where the page before ended. */
function* only(store: Store, found: readonly StoredContact[], filter: ContactFilter): Script<ContactPage> {
  const { importId, campaignId, before = Infinity, limit } = filter;
  const enrolled =
    campaignId === undefined
      ? undefined
      : yield* enrolledOf(
          store,
          campaignId,
          found.map(({ id }) => id),
        );
  const items = found
    .filter((contact) => contact.id < before && (importId === undefined || contact.importId === importId))
    .filter(({ id }) => enrolled === undefined || enrolled.has(id))
    .sort((a, b) => b.id - a.id)
    .slice(0, limit);
  return { items, next: items.length === limit ? items.at(-1)?.id : undefined };
}

function* enrolledOf(store: Store, campaignId: number, ids: readonly number[]): Script<ReadonlySet<number>> {
  const question = new Question(store);
  const rows = yield* question.ids(
    `select contact_id as id from ${store.at('enrolments')}
     where campaign_id = ${question.bind(campaignId)} and ${question.among('contact_id', ids)}`,
  );
  return new Set(rows);
}

function* byAddress(
  store: Store,
  workspaceId: number,
  filter: ContactFilter,
  beginning: string,
): Script<ContactPage> {
  const ids = yield* idsByAddress(store, workspaceId, beginning);
  if (ids.length <= FEW) return yield* only(store, yield* readContacts(store, workspaceId, ids), filter);
  return yield* walk(store, workspaceId, filter, ({ email }) => email?.startsWith(beginning) ?? false);
}

/** Every term begins a word; a single one may begin the address, or be a LinkedIn id. */
function* byWords(store: Store, workspaceId: number, filter: ContactFilter, q: string): Script<ContactPage> {
  const terms = searchTerms(q);
  const beginning = /\s/.test(q) ? undefined : canonicalBeginning(q);
  const matches = (contact: StoredContact): boolean =>
    (terms.length > 0 && hasTerms(contact, terms)) ||
    contact.linkedinId === q ||
    (beginning !== undefined && (contact.email?.startsWith(beginning) ?? false));
  const rarest = yield* idsByRarest(store, workspaceId, terms);
  const addressed = beginning === undefined ? [] : yield* idsByAddress(store, workspaceId, beginning);
  if (rarest.length > FEW || addressed.length > FEW) return yield* walk(store, workspaceId, filter, matches);
  const linked = yield* idsByLinkedin(store, workspaceId, q);
  const ids = [...new Set([...rarest, ...addressed, ...linked])];
  const found = yield* readContacts(store, workspaceId, ids);
  return yield* only(store, found.filter(matches), filter);
}

function* idsByAddress(store: Store, workspaceId: number, beginning: string): Script<readonly number[]> {
  const question = new Question(store);
  return yield* question.ids(
    `select id from ${store.at('contacts')} where workspace_id = ${question.bind(workspaceId)}
     and email is not null and ${question.startsWith('email', beginning)} limit ${String(FEW + 1)}`,
  );
}

function* idsByLinkedin(store: Store, workspaceId: number, linkedinId: string): Script<readonly number[]> {
  const question = new Question(store);
  return yield* question.ids(
    `select id from ${store.at('contacts')} where workspace_id = ${question.bind(workspaceId)}
     and linkedin_id is not null and linkedin_id = ${question.bind(linkedinId)}`,
  );
}

/** Of the term that fewest have. */
function* idsByRarest(
  store: Store,
  workspaceId: number,
  terms: readonly string[],
): Script<readonly number[]> {
  let rarest: readonly number[] | undefined;
  for (const term of terms) {
    const question = new Question(store);
    const ids = yield* question.ids(
      `select contact_id as id from ${store.at('contact_words')}
       where workspace_id = ${question.bind(workspaceId)} and ${question.startsWith('word', term)}
       limit ${String(FEW + 1)}`,
    );
    if (rarest === undefined || ids.length < rarest.length) rarest = ids;
  }
  return rarest ?? [];
}

function* walk(
  store: Store,
  workspaceId: number,
  filter: ContactFilter,
  matches: (contact: StoredContact) => boolean,
): Script<ContactPage> {
  const items: StoredContact[] = [];
  let before = filter.before;
  for (let seen = 0; seen < REACH; seen += STEP) {
    yield* giveWay();
    const rows = yield* stretch(store, workspaceId, filter, before, STEP);
    for (const contact of rows) {
      before = contact.id;
      if (!matches(contact)) continue;
      items.push(contact);
      if (items.length === filter.limit) return { items, next: contact.id };
    }
    if (rows.length < STEP) return { items, next: undefined };
  }
  return { items, next: before };
}
