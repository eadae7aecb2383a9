import { ofCampaigns } from '../api/campaigns';
import { ofContacts } from '../api/contacts';
import { queryClient } from '../api/query-client';
import { ofSequences } from '../api/sequences';
import { ofTemplates } from '../api/templates';
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

/** By any part of a name, of the first ones that there are. */
const templates: Finder = async (q) => {
  const { items } = await queryClient.query(ofTemplates(undefined));
  return items
    .filter(({ id }) => id.toLowerCase().includes(q.toLowerCase()))
    .slice(0, EACH)
    .map(({ id }) => ({
      key: `template ${id}`,
      kind: 'template',
      to: `/templates/${id}`,
      label: visible(id),
    }));
};

const campaigns: Finder = async (q) => {
  const { items } = await queryClient.query(ofCampaigns({ q }));
  return items
    .slice(0, EACH)
    .map(({ id, name }) => ({ key: id, kind: 'campaign', to: `/campaigns/${id}`, label: visible(name) }));
};

/** Each finds its own; one that fails finds nothing. */
const FINDERS: readonly Finder[] = [campaigns, contacts, sequences, templates];

export const findThings = async (q: string): Promise<readonly Found[]> =>
  (await Promise.all(FINDERS.map((find) => find(q).catch(() => [])))).flat();
