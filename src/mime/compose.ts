import { mailFault, messageIdFault } from '../core/headers.js';
import type { Mail } from '../core/mail.js';
import { ComposeError } from './compose-error.js';
import { needsSmtpUtf8 } from './envelope.js';
import { addressHeader, dateText, foldedHeader, textHeader } from './headers.js';
import { structureOf } from './structure.js';

/** What is fixed per message and never per try. */
export interface Stamp {
  /** With angle brackets. */
  readonly messageId: string;
  /** Epoch ms. */
  readonly date: number;
}

export interface Composed {
  /** Header lines, each with its CRLF, without the empty line. ASCII but for addresses that need SMTPUTF8. */
  readonly head: string;
  /** ASCII, CRLF, ends with CRLF, no line begins with a dot. */
  readonly body: string;
  /** Some local part, in a header or in the envelope, is not ASCII: only a server with SMTPUTF8 can take it. */
  readonly needsSmtpUtf8: boolean;
}

/** Enough for every reader to find the thread, and short enough for every server. */
const REFERENCES_KEPT = 20;

/**
 * A mail as it goes over the wire; the same bytes on every call. Bcc is nowhere in it. Throws a ComposeError for a
 * mail that must not leave.
 */
export function compose(mail: Mail, stamp: Stamp): Composed {
  refuseFaults(mail, stamp);
  const root = structureOf(mail, stamp.messageId);
  return {
    head: headOf(mail, stamp) + root.head,
    body: root.body.endsWith('\r\n') ? root.body : `${root.body}\r\n`,
    needsSmtpUtf8: needsSmtpUtf8(mail),
  };
}

export function toBytes(composed: Composed): Buffer {
  const whole = `${composed.head}\r\n${composed.body}`;
  return Buffer.from(whole, composed.needsSmtpUtf8 ? 'utf8' : 'latin1');
}

/** Throws a ComposeError for a mail that must not leave, whoever is to carry it. */
export function refuseFaults(mail: Mail, stamp: Stamp): void {
  const fault = mailFault(mail);
  if (fault !== undefined) throw new ComposeError(fault.field, fault.text);
  const idFault = messageIdFault(stamp.messageId);
  if (idFault !== undefined) throw new ComposeError('messageId', idFault);
}

function headOf(mail: Mail, stamp: Stamp): string {
  let head = foldedHeader('Message-ID', [stamp.messageId]);
  head += `Date: ${dateText(stamp.date)}\r\n`;
  head += addressHeader('From', [mail.from]);
  if (mail.replyTo !== undefined) head += addressHeader('Reply-To', [mail.replyTo]);
  head += addressHeader('To', [mail.to]);
  if (mail.cc !== undefined && mail.cc.length > 0) head += addressHeader('Cc', mail.cc);
  head += textHeader('Subject', mail.subject);
  if (mail.inReplyTo !== undefined) head += foldedHeader('In-Reply-To', [mail.inReplyTo]);
  const references = referencesOf(mail);
  if (references.length > 0) head += foldedHeader('References', references);
  if (mail.unsubscribeUrl !== undefined) {
    // On one line whatever its length: receivers that read it before unfolding would call a broken link.
    head += `List-Unsubscribe: <${mail.unsubscribeUrl}>\r\n`;
    head += 'List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n';
  }
  for (const [name, value] of Object.entries(mail.headers ?? {})) head += textHeader(name, value);
  return `${head}MIME-Version: 1.0\r\n`;
}

export function referencesOf(mail: Mail): readonly string[] {
  const all = mail.references ?? (mail.inReplyTo === undefined ? [] : [mail.inReplyTo]);
  if (all.length <= REFERENCES_KEPT + 1) return all;
  return [...all.slice(0, 1), ...all.slice(-REFERENCES_KEPT)];
}
