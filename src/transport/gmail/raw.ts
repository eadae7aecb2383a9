import { compose, toBytes } from '../../mime/compose.js';
import { addressHeader } from '../../mime/headers.js';
import type { Outgoing } from '../transport.js';

/**
 * The body of `messages.send`. Gmail takes the envelope from the headers, so this is the one place where Bcc is
 * written into a mail: without it those recipients would get nothing, and Gmail removes it before anybody sees it.
 */
export function gmailBody(message: Outgoing, threadId: string | undefined): string {
  const { mail } = message;
  const composed = compose(mail, message);
  const bcc = mail.bcc && mail.bcc.length > 0 ? addressHeader('Bcc', mail.bcc) : '';
  const raw = toBytes({ ...composed, head: bcc + composed.head }).toString('base64url');
  return JSON.stringify({ raw, ...(threadId !== undefined && { threadId }) });
}
