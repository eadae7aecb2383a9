import type { Caught as KnownCaught } from '../catcher/inbox.js';
import type { MailParts } from '../catcher/mail-parts.js';
import type { CaughtMail as KnownMail } from '../store/scripts/caught.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso } from './instant.js';
import { instant, list, nextCursor, nullable, optional, text, whole } from './shape.js';

const fields = {
  id: text('cgt_2'),
  sender: text('bookings@example.org', 'Of the envelope; empty for a bounce.'),
  recipients: list(text('ada@example.org')),
  subject: text('Your room is booked'),
  receivedAt: instant(),
  size: whole(2_048, 'In bytes.'),
};

export const Caught = Type.Object(fields, { title: 'Caught' });
export type Caught = Static<typeof Caught>;

export const CaughtPage = Type.Object(
  {
    items: list(Caught),
    nextCursor: nextCursor(),
    total: whole(1, 'How many are kept.'),
    smtpUrl: nullable(Type.String(), 'Where the catcher takes mail.', 'smtp://127.0.0.1:2525'),
  },
  { title: 'CaughtPage' },
);

export const CaughtMail = Type.Object(
  {
    ...fields,
    headers: list(
      Type.Object({
        name: text('Subject'),
        value: text('Your room is booked', 'Unfolded, and with its encoded words read.'),
        raw: text('Subject: Your room is booked', 'The line as it came.'),
      }),
    ),
    text: optional(text('See you on Monday.')),
    html: optional(Type.String()),
    calendar: optional(Type.Object({ method: optional(Type.String()), content: Type.String() })),
    attachments: list(
      Type.Object({
        filename: nullable(Type.String(), undefined, 'note.txt'),
        contentType: text('text/plain'),
        size: whole(5),
        contentId: optional(Type.String()),
        contentBase64: text('aGVsbG8='),
      }),
    ),
    remoteImages: whole(0, 'How many it would have fetched from elsewhere.'),
  },
  { title: 'CaughtMail' },
);
export type CaughtMail = Static<typeof CaughtMail>;

export const presentCaught = ({
  id,
  sender,
  recipients,
  subject,
  receivedAt,
  size,
}: KnownCaught): Caught => ({
  id,
  sender,
  recipients,
  subject,
  receivedAt: iso(receivedAt),
  size,
});

/** Its parts without its bytes; what is attached is in base64. */
export const presentCaughtMail = (
  mail: KnownCaught<KnownMail> & MailParts,
  remoteImages: number,
): CaughtMail => ({
  ...presentCaught(mail),
  headers: mail.headers,
  text: mail.text,
  html: mail.html,
  calendar: mail.calendar,
  attachments: mail.attachments.map(({ content, ...file }) => ({
    ...file,
    contentBase64: content.toString('base64'),
  })),
  remoteImages,
});
