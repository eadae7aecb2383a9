import { invalidInput } from './errors.js';
import { ADDRESS_FAULT_TEXT, parseAddress } from './address.js';
import { lineFault } from './headers.js';
import type { Mailbox } from './mail.js';

const NAMED = /^([^<>]*)<([^<>]*)>$/;

/** Reads `ada@example.org` or `Ada Lovelace <ada@example.org>`, as a setting is written. */
export function parseMailbox(field: string, text: string): Mailbox {
  const [, name = '', inner] = NAMED.exec(text.trim()) ?? [];
  const parsed = parseAddress(inner ?? text.trim());
  if ('fault' in parsed) throw invalidInput(field, ADDRESS_FAULT_TEXT[parsed.fault]);
  const fault = lineFault(name);
  if (fault) throw invalidInput(field, fault);
  const shown = name.trim().replace(/^"(.*)"$/, '$1');
  return { email: parsed.address, ...(shown !== '' && { name: shown }) };
}
