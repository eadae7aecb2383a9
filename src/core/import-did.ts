import type { Contact } from './contact.js';

type Known = Omit<Contact, 'id'>;

const MOST_NAMED = 3;
const LONGEST_NAME = 40;

/** What a line of a file did to somebody: "new", "unchanged", "updated: name, company". */
export function importDid(before: Known | undefined, after: Known): string {
  if (!before) return 'new';
  const differing = [...fieldsThatDiffer(before, after), ...attributesThatDiffer(before, after)];
  if (differing.length === 0) return 'unchanged';
  const named = differing.slice(0, MOST_NAMED).map((name) => name.slice(0, LONGEST_NAME).toWellFormed());
  const more = differing.length - named.length;
  return `updated: ${named.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

const FIELDS: readonly (readonly [word: string, ...fields: (keyof Known)[]])[] = [
  ['email', 'email', 'emailGiven'],
  ['name', 'name'],
  ['LinkedIn id', 'linkedinId'],
  ['time zone', 'timezone'],
];

const fieldsThatDiffer = (before: Known, after: Known): string[] =>
  FIELDS.filter(([, ...fields]) => fields.some((field) => before[field] !== after[field])).map(
    ([word]) => word,
  );

function attributesThatDiffer({ attributes: before }: Known, { attributes: after }: Known): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const valueOf = (attributes: Known['attributes'], name: string) =>
    Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return [...names].filter((name) => valueOf(before, name) !== valueOf(after, name));
}
