import type { Mail } from '../core/mail.js';
import { wireAddress } from './headers.js';

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** Who sends and who receives: to, cc and bcc, each address once. Domains are compared without case. */
export function envelopeOf(mail: Mail): Envelope {
  const to = new Set<string>();
  to.add(wireAddress('to.email', mail.to.email));
  mail.cc?.forEach((mailbox, index) => to.add(wireAddress(`cc.${String(index)}.email`, mailbox.email)));
  mail.bcc?.forEach((mailbox, index) => to.add(wireAddress(`bcc.${String(index)}.email`, mailbox.email)));
  return { from: wireAddress('from.email', mail.from.email), to: [...to] };
}

const isAscii = (email: string): boolean => !/[\u0080-\uffff]/.test(email.slice(0, email.indexOf('@')));

/** Domains travel in A-labels; only what stands before the `@` can need a server with SMTPUTF8. */
export function needsSmtpUtf8(mail: Mail): boolean {
  const mailboxes = [mail.from, mail.to, ...(mail.cc ?? []), ...(mail.bcc ?? []), mail.replyTo];
  return mailboxes.some((mailbox) => mailbox !== undefined && !isAscii(mailbox.email));
}
