import type { Contact } from '../../api/types';

/** A contact, as a form holds it. */
export interface ContactDraft {
  readonly email: string;
  readonly name: string;
  readonly linkedinId: string;
  readonly timezone: string;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

export const contactDraft = (contact: Contact): ContactDraft => ({
  email: contact.email ?? '',
  name: contact.name ?? '',
  linkedinId: contact.linkedinId ?? '',
  timezone: contact.timezone ?? '',
  attributes: Object.entries(contact.attributes).map(([name, value]) => ({ name, value: String(value) })),
});

const FIELDS = ['email', 'name', 'linkedinId', 'timezone'] as const;

/** What the API is told: only what a person changed, so that two who change different things both get theirs. */
export function contactChange(contact: Contact, draft: ContactDraft): Readonly<Record<string, unknown>> {
  const before = contactDraft(contact);
  const fields = FIELDS.filter((field) => before[field] !== draft[field].trim()).map(
    (field): [string, string | null] => [field, draft[field].trim() === '' ? null : draft[field].trim()],
  );
  const attributes = changedAttributes(contact.attributes, draft.attributes);
  return {
    ...Object.fromEntries(fields),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  };
}

function changedAttributes(
  before: Contact['attributes'],
  rows: ContactDraft['attributes'],
): Readonly<Record<string, string | null>> {
  const after = new Map(rows.map(({ name, value }) => [name.trim(), value.trim()]));
  const gone = Object.keys(before).filter((name) => (after.get(name) ?? '') === '');
  const set = [...after].filter(
    ([name, value]) =>
      name !== '' && value !== '' && !(Object.hasOwn(before, name) && String(before[name]) === value),
  );
  return Object.fromEntries([...gone.map((name): [string, null] => [name, null]), ...set]);
}

const LABELS: Readonly<Record<string, string>> = {
  email: 'email',
  name: 'name',
  linkedinId: 'LinkedIn id',
  timezone: 'time zone',
  attributes: 'attributes',
};

export const changedWords = (change: object): readonly string[] =>
  Object.keys(change).map((field) => LABELS[field] ?? field);
