import { ofContacts } from '../api/contacts';
import { queryClient } from '../api/query-client';
import { ofSequences } from '../api/sequences';
import { visible } from '../parts/visible';

/** Something that is found by what it is called. */
export interface Found {
  readonly key: string;
  readonly label: string;
  /** What it is. */
  readonly kind: string;
  readonly to: string;
}

const EACH = 5;

type Finder = (q: string) => Promise<readonly Found[]>;

const contacts: Finder = async (q) => {
  const { items } = await queryClient.query(ofContacts({ q }, EACH));
  return items.map(({ id, name, email, linkedinId }) => ({
    ...{ key: id, kind: 'contact', to: `/contacts/${id}` },
    label: visible([name, email ?? linkedinId].filter((each) => each !== null).join(', ')),
  }));
};

const sequences: Finder = async (q) => {
  const { items } = await queryClient.query(ofSequences({ q }));
  return items
    .slice(0, EACH)
    .map(({ id, name }) => ({ key: id, kind: 'sequence', to: `/sequences/${id}`, label: visible(name) }));
};

/** Each finds its own; one that fails finds nothing. */
const FINDERS: readonly Finder[] = [contacts, sequences];

export const findThings = async (q: string): Promise<readonly Found[]> =>
  (await Promise.all(FINDERS.map((find) => find(q).catch(() => [])))).flat();
