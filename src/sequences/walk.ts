import type { Contact } from '../core/contact.js';
import { lackWords, placeWords } from '../core/sequence-words.js';
import { sampleContacts } from '../store/scripts/contact-sample.js';
import type { Store } from '../store/store.js';
import { SAMPLE } from './known.js';
import { contactScope } from './scope.js';
import type { NeededVariable } from './verdict.js';

/** Who comes before and after one of the newest people, and who of them lacks what steps can't do without. */
export interface PeopleWalk {
  /** Whom it is about: the one who was asked for, else the first; null: there is nobody. */
  readonly contactId: number | null;
  readonly sentence: string;
  readonly previousId: number | null;
  readonly nextId: number | null;
  /** The first of those that are walked through. */
  readonly items: readonly Contact[];
  readonly lacking: { readonly count: number; readonly sentence: string; readonly firstId: number | null };
}

export interface Walked {
  readonly needed: readonly string[];
  readonly contactId: number | undefined;
  /** Through those only who lack something. */
  readonly onlyLacking: boolean;
}

const MOST_SHOWN = 50;

/** What steps read of a person without saying what stands there otherwise. */
export const neededOf = (variables: readonly NeededVariable[]): readonly NeededVariable[] =>
  variables.filter(
    ({ name, required }) => required && name.startsWith('contact.') && name !== 'contact.attributes',
  );

/** Newest first, as everywhere; as far as people are looked at. */
export async function walkPeople(store: Store, workspaceId: number, asked: Walked): Promise<PeopleWalk> {
  const { needed, contactId, onlyLacking } = asked;
  const items: Contact[] = [];
  let [walked, place, lacking] = [0, 0, 0];
  const ids: Record<'first' | 'previous' | 'next' | 'lacking', number | null> = {
    ...{ first: null, previous: null, next: null, lacking: null },
  };
  const of = await store.read(
    sampleContacts(store, workspaceId, SAMPLE, (contact) => {
      const { id } = contact;
      const lacks = lacksOneOf(contact, needed);
      if (lacks) {
        lacking += 1;
        ids.lacking ??= id;
      }
      if (onlyLacking && !lacks) return;
      walked += 1;
      if (items.length < MOST_SHOWN) items.push(contact);
      ids.first ??= id;
      const present = contactId ?? ids.first;
      if (id > present) ids.previous = id;
      else if (id === present) place = walked;
      else ids.next ??= id;
    }),
  );
  return {
    contactId: contactId ?? ids.first,
    sentence: placeWords({ place, walked, onlyLacking, isAll: of < SAMPLE }),
    previousId: ids.previous,
    nextId: ids.next,
    items,
    lacking: { count: lacking, sentence: lackWords(lacking), firstId: ids.lacking },
  };
}

function lacksOneOf(contact: Contact, needed: readonly string[]): boolean {
  if (needed.length === 0) return false;
  const scope: unknown = { contact: contactScope(contact) };
  return needed.some((name) => valueAt(scope, name.split('.')) === undefined);
}

const valueAt = (scope: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    scope,
  );
