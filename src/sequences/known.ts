import type { Store } from '../store/store.js';
import { sampleContacts } from '../store/scripts/contact-sample.js';
import { contactScope } from './scope.js';

/** How many of the newest people are looked at: enough to tell what is mostly known, and never long. */
export const SAMPLE = 5_000;
const MOST_ATTRIBUTES = 200;
const LONGEST_EXAMPLE = 80;

/** Of how many people something is known, and of whom an example. */
export interface Filled {
  readonly filled: number;
  readonly example: string | null;
}

export interface KnownOfPeople {
  readonly of: number;
  readonly fields: ReadonlyMap<string, Filled>;
}

/** What is known of the people of a workspace, by the names that templates use. */
export async function knownOfPeople(store: Store, workspaceId: number): Promise<KnownOfPeople> {
  const fields = new Map<string, { filled: number; example: string | null }>();
  const note = (name: string, value: unknown) => {
    const known = fields.get(name);
    if (known) known.filled += 1;
    else if (fields.size < MOST_ATTRIBUTES) fields.set(name, { filled: 1, example: exampleOf(value) });
  };
  const of = await store.read(
    sampleContacts(store, workspaceId, SAMPLE, (contact) => {
      const { attributes, ...rest } = contactScope(contact);
      for (const [name, value] of Object.entries(rest)) note(`contact.${name}`, value);
      for (const [name, value] of Object.entries(attributes as object))
        note(`contact.attributes.${name}`, value);
    }),
  );
  return { of, fields };
}

const exampleOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, LONGEST_EXAMPLE).toWellFormed()
    : null;
