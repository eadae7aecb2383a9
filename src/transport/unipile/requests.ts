import type { Mail, Mailbox } from '../../core/mail.js';
import { refuseFaults } from '../../mime/compose.js';
import { ComposeError } from '../../mime/compose-error.js';
import { wireAddress } from '../../mime/headers.js';
import type { Outgoing } from '../transport.js';
import type { Form, FormFile } from './form.js';

/** What to ask of Unipile, and under which names its answer tells what was made of it. */
export interface UnipileRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: { readonly form: Form } | { readonly json: object };
  readonly idNames: readonly string[];
  readonly threadName?: string;
}

const LONGEST_INVITATION = 300;
const LONGEST_KEY = 255;

/** Throws a ComposeError for what must not leave as it stands. */
export function requestOf(message: Outgoing, accountId: string): UnipileRequest {
  switch (message.action) {
    case 'email':
      return emailOf(message, accountId);
    case 'message':
      return chatOf(message.mail, accountId, {});
    case 'inmail':
      return chatOf(message.mail, accountId, { subject: message.mail.subject, 'linkedin[inmail]': 'true' });
    case 'connection_request':
      return invitationOf(message.mail, accountId);
  }
}

/**
 * The key is a help and no promise: Unipile keeps keys in memory and forgets them when it restarts. So an answer
 * that did not come is a doubt here, although a copy that a policy sends again will mostly be recognised.
 */
function emailOf(message: Outgoing, accountId: string): UnipileRequest {
  const { mail, dedupeKey } = message;
  refuseFaults(mail, message);
  const fields = {
    account_id: accountId,
    from: JSON.stringify(attendee('from', mail.from)),
    to: JSON.stringify([attendee('to', mail.to)]),
    cc: mail.cc && JSON.stringify(mail.cc.map((mailbox) => attendee('cc', mailbox))),
    bcc: mail.bcc && JSON.stringify(mail.bcc.map((mailbox) => attendee('bcc', mailbox))),
    subject: mail.subject,
    body: mail.html ?? asHtml(mail.text ?? ''),
    custom_headers: JSON.stringify(headersOf(message)),
  };
  const isSayable = dedupeKey.length <= LONGEST_KEY && /^[!-~]+$/.test(dedupeKey);
  return {
    path: '/api/v1/emails',
    ...(isSayable && { headers: { 'idempotency-key': dedupeKey } }),
    body: { form: { fields, files: filesOf(mail) } },
    idNames: ['tracking_id'],
  };
}

function chatOf(mail: Mail, accountId: string, more: Readonly<Record<string, string>>): UnipileRequest {
  const text = mail.text ?? '';
  if (text === '') throw new ComposeError('text', 'is missing; LinkedIn takes no html');
  const fields = { account_id: accountId, text, attendees_ids: personOf(mail), ...more };
  return {
    path: '/api/v1/chats',
    body: { form: { fields } },
    idNames: ['message_id', 'chat_id'],
    threadName: 'chat_id',
  };
}

function invitationOf(mail: Mail, accountId: string): UnipileRequest {
  const text = mail.text ?? '';
  if (text.length > LONGEST_INVITATION) {
    throw new ComposeError('text', `is longer than the ${LONGEST_INVITATION} characters of an invitation`);
  }
  const json = { account_id: accountId, provider_id: personOf(mail), ...(text !== '' && { message: text }) };
  return { path: '/api/v1/users/invite', body: { json }, idNames: ['invitation_id'] };
}

function personOf({ linkedinId }: Mail): string {
  if (linkedinId === undefined || linkedinId === '') throw new ComposeError('linkedinId', 'is missing');
  return linkedinId;
}

const attendee = (field: string, { email, name }: Mailbox): object => ({
  ...(name !== undefined && { display_name: name }),
  identifier: wireAddress(field, email),
});

/** Only these may be set. Message-ID is not among them, so ours goes under a name of its own. */
function headersOf({ mail, messageId }: Outgoing): { name: string; value: string }[] {
  const own = Object.entries(mail.headers ?? {})
    .filter(([name]) => /^x-/i.test(name))
    .map(([name, value]) => ({ name, value }));
  const replyTo = mail.replyTo
    ? [{ name: 'Reply-To', value: wireAddress('replyTo', mail.replyTo.email) }]
    : [];
  return [...own, ...replyTo, { name: 'X-Message-ID', value: messageId }];
}

/** The body is taken for html: what a text says must not become markup, nor lose its lines. */
const asHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\r\n|\r|\n/g, '<br>\n');

function filesOf({ attachments = [], ics }: Mail): FormFile[] {
  const field = 'attachments';
  const files = attachments.map(({ filename, contentBase64, contentType }) => ({
    field,
    name: filename,
    type: contentType,
    bytes: Buffer.from(contentBase64, 'base64'),
  }));
  if (ics === undefined) return files;
  const type = `text/calendar; method=${ics.method.toUpperCase()}`;
  return [{ field, name: 'invite.ics', type, bytes: Buffer.from(ics.content) }, ...files];
}
