import type { Attachment, CalendarPart, Mail, Mailbox } from '../../core/mail.js';
import { refuseFaults, referencesOf } from '../../mime/compose.js';
import { dateText, wireAddress } from '../../mime/headers.js';
import type { Outgoing } from '../transport.js';

/** What can stand for itself before `<address>`, in any script. */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~ -]+$/u;

/**
 * A mail as Resend's API takes it, the same bytes on every try: a key stands for one request, and a provider
 * refuses it for another. Throws a ComposeError for a mail that must not leave.
 */
export function payloadOf(message: Outgoing): string {
  const { mail } = message;
  refuseFaults(mail, message);
  const attachments = attachmentsOf(mail);
  return JSON.stringify({
    from: written('from', mail.from),
    to: [written('to', mail.to)],
    ...(mail.cc && { cc: mail.cc.map((mailbox) => written('cc', mailbox)) }),
    ...(mail.bcc && { bcc: mail.bcc.map((mailbox) => written('bcc', mailbox)) }),
    ...(mail.replyTo && { reply_to: written('replyTo', mail.replyTo) }),
    subject: mail.subject,
    ...(mail.html !== undefined && { html: mail.html }),
    ...textOf(mail),
    headers: headersOf(message),
    ...(attachments.length > 0 && { attachments }),
  });
}

/** A mail needs one of both; an invitation alone has neither. */
const textOf = ({ text, html }: Mail): { readonly text?: string } =>
  text !== undefined || html === undefined ? { text: text ?? '' } : {};

export function written(field: string, { email, name }: Mailbox): string {
  const address = wireAddress(field, email);
  if (name === undefined || name.trim() === '') return address;
  const phrase = PLAIN_NAME.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
  return `${phrase} <${address}>`;
}

/** Message-ID and Date too: a provider that keeps them makes every copy recognisable, others write their own. */
function headersOf({ mail, messageId, date }: Outgoing): Record<string, string> {
  const references = referencesOf(mail);
  return {
    'Message-ID': messageId,
    Date: dateText(date),
    ...(mail.inReplyTo !== undefined && { 'In-Reply-To': mail.inReplyTo }),
    ...(references.length > 0 && { References: references.join(' ') }),
    ...(mail.unsubscribeUrl !== undefined && {
      'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
    ...mail.headers,
  };
}

function attachmentsOf(mail: Mail): object[] {
  const files = (mail.attachments ?? []).map(fileOf);
  return mail.ics === undefined ? files : [invitationOf(mail.ics), ...files];
}

const fileOf = ({ filename, contentBase64, contentType, contentId }: Attachment): object => ({
  filename,
  content: contentBase64,
  content_type: contentType,
  ...(contentId !== undefined && { content_id: contentId }),
});

/** There is no place for a part beside text and html; with its method in the type, readers still offer to answer. */
const invitationOf = ({ content, method }: CalendarPart): object => ({
  filename: 'invite.ics',
  content: Buffer.from(content).toString('base64'),
  content_type: `text/calendar; method=${method.toUpperCase()}`,
});
