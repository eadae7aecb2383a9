import { ADDRESS_FAULT_TEXT, canonicalAddress, domainOf, parseAddress } from './address.js';
import { lineFault, linkedinIdFault } from './headers.js';
import { Recent } from './recent.js';
import { isTimezone } from './sending.js';

export const CONTACT_LIMITS = {
  name: 200,
  timezone: 64,
  attributes: 100,
  attributeName: 100,
  attributeText: 4_000,
  /** All of them, as JSON. */
  attributesJson: 32_000,
} as const;

export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** Somebody who may be written to. */
export interface Contact {
  readonly id: number;
  /** In its canonical form. */
  readonly email: string | null;
  /** As it was spelled, where that is something else. */
  readonly emailGiven: string | null;
  readonly name: string | null;
  readonly linkedinId: string | null;
  readonly timezone: string | null;
  readonly attributes: Attributes;
}

/** What somebody says of a contact. What is not given stays as it is; null takes it away. */
export interface ContactInput {
  readonly email?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly linkedinId?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  readonly attributes?: Readonly<Record<string, AttributeValue | null>> | undefined;
}

/** The same, checked, and its address in the form in which it is kept. */
export interface ContactChange {
  readonly email?: string | null | undefined;
  readonly emailGiven?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly linkedinId?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  readonly attributes?: Readonly<Record<string, AttributeValue | null>> | undefined;
}

export interface ContactFault {
  readonly field: string;
  readonly text: string;
  /** It is somebody else's: nothing is wrong with it by itself. */
  readonly taken?: true;
}

/** Blanks around a text say nothing; a text of nothing else is none. */
const tidy = (text: string | null | undefined): string | null | undefined =>
  typeof text === 'string' ? text.trim() || null : text;

/** What is wrong with it, or what to write. Whether the contact can then be reached is another question. */
export function readContact(input: ContactInput): ContactChange | { readonly fault: ContactFault } {
  const [email, name, linkedinId, timezone] = [
    tidy(input.email),
    tidy(input.name),
    tidy(input.linkedinId),
    tidy(input.timezone),
  ];
  const parsed = typeof email === 'string' ? parseAddress(email) : undefined;
  if (parsed && 'fault' in parsed) return faultOf('email', ADDRESS_FAULT_TEXT[parsed.fault]);
  const nameWrong = typeof name === 'string' ? nameFault(name) : undefined;
  if (nameWrong !== undefined) return faultOf('name', nameWrong);
  const idWrong = typeof linkedinId === 'string' ? linkedinIdFault(linkedinId) : undefined;
  if (idWrong !== undefined) return faultOf('linkedinId', idWrong);
  if (typeof timezone === 'string' && !isKnownZone(timezone))
    return faultOf('timezone', 'is not a time zone such as Europe/Berlin');
  const attributesWrong = attributesFault(input.attributes ?? {});
  if (attributesWrong) return { fault: attributesWrong };
  return {
    ...(email === null && { email: null, emailGiven: null }),
    ...(parsed && formsOf(parsed.address)),
    ...(name !== undefined && { name }),
    ...(linkedinId !== undefined && { linkedinId }),
    ...(timezone !== undefined && { timezone }),
    ...(input.attributes !== undefined && { attributes: input.attributes }),
  };
}

/** To find that out costs more than all the rest, and a file has the same few again and again. */
const zones = new Recent<boolean>(1_000);
const isKnownZone = (name: string): boolean =>
  name.length <= CONTACT_LIMITS.timezone && zones.get(name, () => isTimezone(name));

const faultOf = (field: string, text: string) => ({ fault: { field, text } });

function formsOf(address: string): Pick<ContactChange, 'email' | 'emailGiven'> {
  const email = canonicalAddress(address);
  return { email, emailGiven: email === address ? null : address };
}

function nameFault(name: string): string | undefined {
  if (name.length > CONTACT_LIMITS.name) return `is longer than ${String(CONTACT_LIMITS.name)} characters`;
  return lineFault(name);
}

function attributesFault(
  attributes: Readonly<Record<string, AttributeValue | null>>,
): ContactFault | undefined {
  const names = Object.keys(attributes);
  if (names.length > CONTACT_LIMITS.attributes)
    return { field: 'attributes', text: `has more than ${String(CONTACT_LIMITS.attributes)} entries` };
  for (const name of names) {
    const field = `attributes.${name.slice(0, CONTACT_LIMITS.attributeName)}`;
    const wrong = attributeNameFault(name);
    if (wrong !== undefined) return { field: 'attributes', text: `has a name that ${wrong}` };
    const value = attributes[name];
    if (typeof value !== 'string') continue;
    if (value.length > CONTACT_LIMITS.attributeText)
      return { field, text: `is longer than ${String(CONTACT_LIMITS.attributeText)} characters` };
    if (value.includes('\0')) return { field, text: 'holds a NUL character' };
    if (!value.isWellFormed()) return { field, text: 'holds half of a surrogate pair' };
  }
  return undefined;
}

export function attributeNameFault(name: string): string | undefined {
  if (name.length < 1 || name.length > CONTACT_LIMITS.attributeName)
    return `is not of 1 to ${String(CONTACT_LIMITS.attributeName)} characters`;
  if (Object.hasOwn(Object.prototype, name) || name === '__proto__') return 'can not be used';
  return lineFault(name);
}

/** What is kept of somebody who was nobody. */
export const NOBODY: Omit<Contact, 'id'> = {
  email: null,
  emailGiven: null,
  name: null,
  linkedinId: null,
  timezone: null,
  attributes: {},
};

/** What holds after a change; a fault if there would be too much of it, or no way left to reach him. */
export function changed<C extends Omit<Contact, 'id'>>(
  known: C,
  change: ContactChange,
): C | { readonly fault: ContactFault } {
  const { attributes = {}, ...fields } = change;
  const kept = Object.entries({ ...known.attributes, ...attributes }).filter(
    (entry): entry is [string, AttributeValue] => entry[1] !== null,
  );
  const next = { ...known, ...fields, attributes: Object.fromEntries(kept) };
  if (next.email === null && next.linkedinId === null)
    return faultOf('email', 'is missing, and so is linkedinId: one of them is needed');
  if (
    kept.length > CONTACT_LIMITS.attributes ||
    JSON.stringify(next.attributes).length > CONTACT_LIMITS.attributesJson
  )
    return faultOf('attributes', 'would be more than one contact may have');
  return next;
}

/** So many words of a name are found; a name that is a novel is found by its beginning. */
const MOST_WORDS = 5;
const LONGEST_WORD = 40;

/** Letters without case and accents: `Müller` is found by `muller`. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

const NOT_WORD = /[^\p{L}\p{N}]+/u;

const wordsIn = (text: string): string[] =>
  plain(text)
    .split(NOT_WORD)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, LONGEST_WORD).toWellFormed());

/** By what, beside the beginning of the address, a contact is found: the words of the name, and where the address is. */
export function contactWords({ name, email }: Pick<Contact, 'name' | 'email'>): readonly string[] {
  const words = name === null ? [] : wordsIn(name).slice(0, MOST_WORDS);
  const [house = ''] = email === null ? [] : wordsIn(domainOf(email));
  return [...new Set(house === '' ? words : [...words, house])];
}

export const MOST_TERMS = 4;

/** What a person typed, as the beginnings of words. */
export const searchTerms = (q: string): readonly string[] => [...new Set(wordsIn(q))].slice(0, MOST_TERMS);

/** Every term is the beginning of one of the words. */
export const hasTerms = (contact: Pick<Contact, 'name' | 'email'>, terms: readonly string[]): boolean => {
  const words = contactWords(contact);
  return terms.every((term) => words.some((word) => word.startsWith(term)));
};
