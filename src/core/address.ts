import { domainToASCII } from 'node:url';

/** RFC 5321 limits, in octets: what every server must take, and many take no more. */
const LOCAL_MAX = 64;
const ADDRESS_MAX = 254;

const ASCII_DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** What IDNA would not change: most domains, and the mapping costs more than all the rest. */
const SETTLED_DOMAIN = /^(?!.*xn--)[a-z0-9.-]+$/;
// C1 controls and invisible format characters look like nothing and route somewhere else.
const INVISIBLE =
  /[\u0080-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufe00-\ufe0f\ufeff\ufff0-\uffff\u{e0000}-\u{e0fff}]/u;

export type AddressFault = 'empty' | 'too_long' | 'no_at' | 'bad_local_part' | 'bad_domain';

/**
 * The one grammar for addresses: a dot-atom, `@`, a domain. Quoted local parts, comments, groups, lists and
 * address literals are refused: they are rare, and every one of them has misrouted mail somewhere.
 * Linear in the length of the input. Answers the address with its domain in lower-case A-labels.
 */
export function parseAddress(input: string): { address: string } | { fault: AddressFault } {
  if (input === '') return { fault: 'empty' };
  // Cut before any pattern runs: a megabyte of junk must cost nothing.
  if (input.length > ADDRESS_MAX) return { fault: 'too_long' };
  const at = input.indexOf('@');
  if (at < 0) return { fault: 'no_at' };
  const local = input.slice(0, at);
  if (!isLocalPart(local)) return { fault: 'bad_local_part' };
  const domain = toAsciiDomain(input.slice(at + 1));
  if (domain === undefined) return { fault: 'bad_domain' };
  const address = `${local}@${domain}`;
  if (Buffer.byteLength(address) > ADDRESS_MAX) return { fault: 'too_long' };
  return { address };
}

// Nearly every domain there is: nothing to map, nothing to doubt.
const PLAIN_DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;

function isLocalPart(local: string): boolean {
  if (ASCII_DOT_ATOM.test(local)) return local.length <= LOCAL_MAX;
  if (Buffer.byteLength(local) > LOCAL_MAX || INVISIBLE.test(local) || !local.isWellFormed()) return false;
  // Also as compatible characters: a full-width `@` or `<` is one to some program on the way.
  return isDotAtom(local) && isDotAtom(local.normalize('NFKC'));
}

const isDotAtom = (local: string): boolean => local.split('.').every((atom) => ATOM.test(atom));

function toAsciiDomain(input: string): string | undefined {
  if (PLAIN_DOMAIN.test(input) && !input.includes('--')) return input;
  const domain = SETTLED_DOMAIN.test(input) ? input : mapDomain(input);
  const labels = domain.split('.');
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  // A last label of digits is an IPv4 address in one of its spellings, not a domain.
  if (/^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '')) return undefined;
  return domain;
}

function mapDomain(input: string): string {
  // domainToASCII percent-decodes and strips some characters; only what it would leave alone may come near it.
  if (/[^!-~\u0080-\uffff]|[%/\\:?#@[\]<>"^|`{}]/.test(input) || INVISIBLE.test(input)) return '';
  return domainToASCII(input);
}

/** Nearly every address: nothing in it that another spelling could change. */
const SETTLED = /^[!-@[-~]*$/;

/**
 * The one form by which two spellings of an address are known to be the same: suppression, contacts, unsubscribing
 * and search all compare this and nothing else. The whole address in lower case (Unicode, composed as NFC), its
 * domain in A-labels. What a provider makes of dots or of what follows a plus is his own affair and is left alone:
 * for another one they are two people. Takes any text, and its own answer comes back unchanged.
 */
export function canonicalAddress(address: string): string {
  if (SETTLED.test(address)) return address;
  const at = address.lastIndexOf('@');
  const domain = folded(address.slice(at + 1));
  return folded(address.slice(0, at + 1)) + (SETTLED.test(domain) ? domain : mapDomain(domain) || domain);
}

/** What a canonical address begins with if its owner's spelling begins like this. */
export function canonicalBeginning(text: string): string {
  const parsed = parseAddress(text);
  return 'address' in parsed ? canonicalAddress(parsed.address) : folded(text);
}

/** A sigma at the end of a word is written otherwise, and is the same letter. */
const folded = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

/** In words for the person who typed it. */
export const ADDRESS_FAULT_TEXT: Record<AddressFault, string> = {
  empty: 'is empty; give one address such as ada@example.org',
  too_long: `is longer than ${String(ADDRESS_MAX)} characters`,
  no_at: 'has no @; give one address such as ada@example.org',
  bad_local_part:
    'has a part before the @ that is not a plain dot-atom (no quotes, blanks, controls or lists)',
  bad_domain: 'has a part after the @ that is not a domain name',
};

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
