import type { Mail } from '../core/mail.js';
import type { Message } from '../core/message.js';
import { Type, type Static } from '../vendor/typebox.js';
import { list, nullable, optional, text, textsByName, whole } from './shape.js';

const Mailbox = Type.Object({ email: text('ada@example.org'), name: optional(text('Ada Lovelace')) });

export const Content = Type.Object(
  {
    id: text('msg_4k7q'),
    messageId: text('<msg_4k7q.5d41402a@example.org>'),
    from: Mailbox,
    to: Mailbox,
    cc: list(Mailbox),
    bcc: list(Mailbox),
    replyTo: nullable(Mailbox),
    subject: text('Your room is booked'),
    text: nullable(Type.String(), undefined, 'See you on Monday.'),
    html: nullable(Type.String(), undefined, '<p>See you on Monday.</p>'),
    calendar: nullable(Type.Object({ content: Type.String(), method: Type.String() })),
    attachments: list(
      Type.Object({
        filename: text('invoice.pdf'),
        contentType: text('application/pdf'),
        contentId: nullable(Type.String()),
        bytes: whole(48_213),
      }),
    ),
    headers: textsByName({ 'X-Booking': '4711' }),
    remoteImages: whole(0, 'So many things it would fetch from elsewhere if it could.'),
  },
  { title: 'Content' },
);
export type Content = Static<typeof Content>;

/** A mail in its parts, for a preview: what is attached is named, not shown. */
export const presentContent = (message: Message, mail: Mail, remoteImages: number): Content => ({
  id: message.id,
  messageId: message.messageId,
  from: mail.from,
  to: mail.to,
  cc: mail.cc ?? [],
  bcc: mail.bcc ?? [],
  replyTo: mail.replyTo ?? null,
  subject: mail.subject,
  text: mail.text ?? null,
  html: mail.html ?? null,
  calendar: mail.ics ?? null,
  attachments: (mail.attachments ?? []).map(({ filename, contentType, contentBase64, contentId }) => ({
    filename,
    contentType,
    contentId: contentId ?? null,
    bytes: Buffer.byteLength(contentBase64, 'base64'),
  })),
  headers: mail.headers ?? {},
  remoteImages,
});
