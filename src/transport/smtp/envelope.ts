import type { Capabilities } from './capabilities.js';
import type { Failure } from './report.js';
import type { Wire } from './wire.js';

export interface Envelope {
  /** Empty for the null sender. */
  readonly from: string;
  readonly to: readonly string[];
  /** The mail itself needs SMTPUTF8 (its headers are UTF-8). An address outside ASCII asks for it anyway. */
  readonly utf8?: boolean;
  /**
   * `all` (the default) sends nothing when any recipient is refused. `any` sends to those accepted and reports
   * each one.
   */
  readonly partial?: 'all' | 'any';
}

export interface Command {
  /** `bdat` brings the whole mail with it, its end included; `data` asks to be invited first. */
  readonly phase: 'rset' | 'mail' | 'rcpt' | 'data' | 'bdat';
  readonly line: string;
  /** Of a RCPT. */
  readonly address?: string;
}

/** In front of MAIL, unless the mail before is known to have ended well: half a transaction may be left of it. */
export const RESET: Command = { phase: 'rset', line: 'RSET' };

/** A character that could end the command, the path, or the line it stands in. */
const UNSAFE = /[\p{Cc} <>\u2028\u2029]/u;
const ADDRESS_MAX_BYTES = 320;

const isSafe = (address: string): boolean =>
  !UNSAFE.test(address) && address.isWellFormed() && Buffer.byteLength(address) <= ADDRESS_MAX_BYTES;

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/**
 * The commands that lead up to the body (RFC 5321), or that bring it with them (`chunked`, RFC 3030), or why this server can't be asked at all: what would be refused, or
 * mangled, is refused here, before MAIL. Addresses were validated long ago; the characters that could inject a
 * command are looked for once more, because nothing stands behind this.
 */
export function planEnvelope(
  envelope: Envelope,
  wire: Wire,
  offered: Capabilities,
  chunked = false,
): { readonly commands: readonly Command[] } | { readonly failure: Failure } {
  const refuse = (code: string, detail: string) => ({ failure: { phase: 'mail', code, detail } as const });
  const { from, to } = envelope;
  if (to.length === 0 || to.includes('') || ![from, ...to].every(isSafe)) {
    return refuse(
      'EADDRESS',
      'an address of the envelope is empty or holds a character that no command may hold',
    );
  }
  const utf8 = envelope.utf8 === true || ![from, ...to].every(isAscii);
  if (utf8 && !offered.smtpUtf8) {
    return refuse('ESMTPUTF8', 'the server does not take addresses outside ASCII (it offers no SMTPUTF8)');
  }
  if (wire.eightBit && !offered.eightBitMime) {
    return refuse('E8BITMIME', 'the mail has 8-bit bytes and the server offers no 8BITMIME');
  }
  if (offered.sizeLimit !== undefined && wire.size > offered.sizeLimit) {
    return refuse('ESIZE', `the mail has ${wire.size} bytes, the server takes ${offered.sizeLimit}`);
  }
  const parameters =
    (offered.size ? ` SIZE=${wire.size}` : '') +
    (wire.eightBit ? ' BODY=8BITMIME' : '') +
    (utf8 ? ' SMTPUTF8' : '');
  const commands: Command[] = [
    { phase: 'mail', line: `MAIL FROM:<${from}>${parameters}` },
    ...to.map((address) => ({ phase: 'rcpt', line: `RCPT TO:<${address}>`, address }) as const),
    chunked ? { phase: 'bdat', line: `BDAT ${wire.size} LAST` } : { phase: 'data', line: 'DATA' },
  ];
  return { commands };
}
