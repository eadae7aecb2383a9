import { attributeNameFault, readContact, type ContactChange, type ContactInput } from './contact.js';
import type { RejectCode } from './import.js';

/** What a column of a file becomes: one of these, or an attribute; null: it stays in the file. */
export const CONTACT_FIELDS = ['email', 'name', 'linkedinId', 'timezone'] as const;
type Field = (typeof CONTACT_FIELDS)[number];

export type Mapping = Readonly<Record<string, string | null>>;

const ATTRIBUTE = 'attributes.';
const BY_NAME = new Map(CONTACT_FIELDS.map((field) => [field.toLowerCase(), field]));

/** What a column becomes unless somebody says otherwise: `email` in any case, else an attribute of its own name. */
const usual = (column: string): string => BY_NAME.get(column.toLowerCase()) ?? `${ATTRIBUTE}${column}`;

/** Other names under which programs write these. Only proposed, never taken for granted. */
const OTHER_NAMES: Readonly<Record<Field, RegExp>> = {
  email: /^(?:e-?mail|mail|(?:primary )?e-?mail(?: ?address)?|e-?mail ?1(?: ?- ?value)?)$/i,
  name: /^(?:full[ _-]?name|display ?name|contact(?: ?name)?)$/i,
  linkedinId: /^linked ?in(?:[ _-]?(?:id|profile|url))?$/i,
  timezone: /^(?:tz|time[ _-]?zone|zone)$/i,
};

/** What to propose for each column; each field once. */
export function proposedMapping(columns: readonly string[]): Mapping {
  const taken = new Set(columns.map(usual));
  return Object.fromEntries(
    columns.map((column) => {
      const field = CONTACT_FIELDS.find((each) => OTHER_NAMES[each].test(column.trim()));
      if (field === undefined || usual(column) === field || taken.has(field)) return [column, usual(column)];
      taken.add(field);
      return [column, field];
    }),
  );
}

/** What every column becomes, or what is wrong with what somebody chose. A column that is not named becomes the usual. */
export function readMapping(
  columns: readonly string[],
  chosen: Mapping = {},
): { readonly mapping: Mapping } | { readonly field: string; readonly text: string } {
  const unknown = Object.keys(chosen).find((name) => !columns.includes(name));
  if (unknown !== undefined)
    return {
      field: `mapping.${unknown}`,
      text: `is not a column of the file; there are ${columns.join(', ')}`,
    };
  const taken = new Map<string, string>();
  const entries: [string, string | null][] = [];
  for (const column of columns) {
    const becomes = Object.hasOwn(chosen, column) ? named(chosen[column] ?? null) : usual(column);
    entries.push([column, becomes]);
    if (becomes === null) continue;
    const fault = becomes.startsWith(ATTRIBUTE) && attributeNameFault(becomes.slice(ATTRIBUTE.length));
    if (fault)
      return { field: `mapping.${column}`, text: `would become an attribute with a name that ${fault}` };
    const other = taken.get(becomes);
    if (other !== undefined)
      return {
        field: `mapping.${column}`,
        text: `and ${other} both become ${becomes}; choose another, or null`,
      };
    taken.set(becomes, column);
  }
  if (!taken.has('email') && !taken.has('linkedinId'))
    return {
      field: 'mapping',
      text: `no column becomes email or linkedinId, and one of them is needed; there are ${columns.join(', ')}`,
    };
  return { mapping: Object.fromEntries(entries) };
}

const isField = (name: string): name is Field => (CONTACT_FIELDS as readonly string[]).includes(name);

/** `company` is an attribute as much as `attributes.company`. */
const named = (becomes: string | null): string | null =>
  becomes === null || isField(becomes) || becomes.startsWith(ATTRIBUTE) ? becomes : `${ATTRIBUTE}${becomes}`;

export interface Left {
  readonly code: RejectCode;
  readonly reason: string;
}

export type LineReader = (
  cells: readonly string[],
) => { readonly change: ContactChange } | { readonly left: Left };

const CODES: Readonly<Record<string, RejectCode>> = {
  email: 'address',
  timezone: 'time_zone',
  name: 'name',
  linkedinId: 'linkedin_id',
};

/** In one word why a field of a contact is refused. */
export const codeOf = (field: string): RejectCode => CODES[field] ?? 'attribute';

/** Reads lines of a file with these columns. An empty cell says nothing about the contact. */
export function lineReader(columns: readonly string[], mapping: Mapping): LineReader {
  const targets = columns.map((column) => mapping[column] ?? null);
  return (cells) => {
    const extra = cells.findIndex((cell, place) => place >= columns.length && cell.trim() !== '');
    if (extra >= 0)
      return broken(`has ${String(cells.length)} cells where the first line has ${String(columns.length)}`);
    if (cells.some((cell) => cell.includes('\0'))) return broken('holds a NUL character');
    const fields: Partial<Record<Field, string>> = {};
    const attributes: Record<string, string> = {};
    targets.forEach((target, place) => {
      const cell = cells[place]?.trim() ?? '';
      if (target === null || cell === '') return;
      if (isField(target)) fields[target] = cell;
      else attributes[target.slice(ATTRIBUTE.length)] = cell;
    });
    if (fields.email === undefined && fields.linkedinId === undefined)
      return { left: { code: 'unreachable', reason: 'has neither an email nor a linkedinId' } };
    const input: ContactInput = Object.keys(attributes).length > 0 ? { ...fields, attributes } : fields;
    const read = readContact(input);
    if (!('fault' in read)) return { change: read };
    const { field, text } = read.fault;
    return { left: { code: codeOf(field), reason: `${field} ${text}` } };
  };
}

const broken = (reason: string) => ({ left: { code: 'broken', reason } as const });
