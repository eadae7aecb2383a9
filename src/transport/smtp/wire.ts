import { isAscii } from 'node:buffer';

const DOT = 0x2e;
const LF = 0x0a;
const LONE_LINE_END = /\r(?!\n)|(?<!\r)\n/;
const END = Buffer.from('.\r\n');
const LINE_END = Buffer.from('\r\n');
const ONE_DOT = Buffer.from('.');

/**
 * Up to this size a mail is held back until the gate has passed, and body and dot leave in one write. A larger
 * one is poured out before, so that the time between the durable mark and the dot stays short.
 */
const HELD_BACK_BYTES = 32 * 1024;
const SLICE_BYTES = 64 * 1024;

/** A mail's bytes as they travel. */
export interface Wire {
  /** Octets of the mail itself, as SIZE counts them: without the dots that transparency adds. */
  readonly size: number;
  readonly eightBit: boolean;
  /** As it is, for BDAT; undefined for a large mail, which goes by DATA. */
  readonly plain: Buffer | undefined;
  /** After DATA: to be written before the gate is asked; empty for a small mail. */
  readonly slices: readonly Buffer[];
  /** After DATA: to be written in one go after the gate has passed. Ends in the dot. */
  readonly last: Buffer;
}

/**
 * Undefined if a CR or LF stands alone: what one server reads as text, another reads as the end of the mail and
 * the start of a smuggled one. The composer never makes such bytes; this is the last door.
 */
export function toWire(mail: Buffer): Wire | undefined {
  const text = mail.toString('latin1');
  if (LONE_LINE_END.test(text)) return undefined;
  const eightBit = !isAscii(mail);
  const leadingDots = text.startsWith('.') || text.includes('\n.');

  const whole = mail.length === 0 || mail.at(-1) === LF ? mail : Buffer.concat([mail, LINE_END]);
  const body = leadingDots ? stuffed(whole) : whole;
  const size = whole.length;
  if (body.length <= HELD_BACK_BYTES) {
    return { size, eightBit, plain: whole, slices: [], last: Buffer.concat([body, END]) };
  }
  const slices: Buffer[] = [];
  for (let at = 0; at < body.length; at += SLICE_BYTES) slices.push(body.subarray(at, at + SLICE_BYTES));
  return { size, eightBit, plain: undefined, slices, last: END };
}

function stuffed(body: Buffer): Buffer {
  const pieces: Buffer[] = body[0] === DOT ? [ONE_DOT] : [];
  let from = 0;
  for (let at = body.indexOf('\r\n.'); at >= 0; at = body.indexOf('\r\n.', from)) {
    pieces.push(body.subarray(from, at + 2), ONE_DOT);
    from = at + 2;
  }
  pieces.push(body.subarray(from));
  return Buffer.concat(pieces);
}
