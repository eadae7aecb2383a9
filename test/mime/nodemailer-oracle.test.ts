import type { AddressObject, ParsedMail } from 'mailparser';
import { simpleParser } from 'mailparser';
import MailComposer from 'nodemailer/lib/mail-composer';
import { expect, test } from 'vitest';
import type { Mail, Mailbox } from '#pillarbox/core/mail';
import { compose, toBytes } from '#pillarbox/mime/compose';

const stamp = { messageId: '<m1.abcdef@send.example.org>', date: Date.UTC(2026, 10, 16, 14, 5, 9) };
const base: Mail = {
  from: { email: 'news@send.example.org', name: 'Zoë at Example' },
  to: { email: 'ada@example.net', name: 'Ada Lovelace' },
  subject: 'Your booking № 7 is confirmed',
  text: 'Hello Zoë,\n\nyour room is booked.\n.\n– the team\n',
};
const html = '<p>Hello Zoë,</p><p>your room is <b>booked</b>.</p><img src="cid:logo@x">';
const png = {
  filename: 'logo.png',
  contentType: 'image/png',
  contentBase64: Buffer.alloc(300, 7).toString('base64'),
  contentId: 'logo@x',
};
const pdf = {
  filename: 'Rechnung für März.pdf',
  contentType: 'application/pdf',
  contentBase64: Buffer.alloc(999, 'pdf').toString('base64'),
};

const ORDINARY: [string, Mail][] = [
  ['a plain text', { ...base, subject: 'Hello', text: 'Hello Ada' }],
  ['a text in UTF-8', base],
  ['an html alone', { from: base.from, to: base.to, subject: base.subject, html }],
  ['text and html', { ...base, html }],
  ['an attachment', { ...base, attachments: [pdf] }],
  ['an image in the html and an attachment', { ...base, html, attachments: [png, pdf] }],
  [
    'cc, reply-to and a quoted name',
    {
      ...base,
      cc: [{ email: 'c@x.org', name: 'Doe, "Jo"' }, { email: 'd@x.org' }],
      replyTo: { email: 'r@x.org' },
    },
  ],
  [
    'a thread and a header of its own',
    {
      ...base,
      inReplyTo: '<p@x.org>',
      references: ['<o@x.org>', '<p@x.org>'],
      headers: { 'X-Campaign': 'seven' },
    },
  ],
  ['one-click unsubscribe', { ...base, unsubscribeUrl: 'https://example.org/u/token' }],
  ['a long subject', { ...base, subject: 'word '.repeat(60).trim() }],
  [
    'Japanese',
    {
      ...base,
      subject: '日本語テキスト',
      text: '日本語テキスト'.repeat(40),
      html: `<p>${'日本語テキスト'.repeat(40)}</p>`,
    },
  ],
];

const addressOf = ({ email, name }: Mailbox): { name: string; address: string } => ({
  name: name ?? '',
  address: email,
});

async function byNodemailer(mail: Mail): Promise<Buffer> {
  const unsubscribe = mail.unsubscribeUrl && {
    'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  const composer = new MailComposer({
    messageId: stamp.messageId,
    date: new Date(stamp.date),
    from: addressOf(mail.from),
    to: addressOf(mail.to),
    ...(mail.cc && { cc: mail.cc.map(addressOf) }),
    ...(mail.replyTo && { replyTo: addressOf(mail.replyTo) }),
    subject: mail.subject,
    ...(mail.text !== undefined && { text: mail.text }),
    ...(mail.html !== undefined && { html: mail.html }),
    ...(mail.inReplyTo !== undefined && { inReplyTo: mail.inReplyTo }),
    ...(mail.references && { references: [...mail.references] }),
    headers: { ...mail.headers, ...unsubscribe },
    attachments: (mail.attachments ?? []).map((file) => ({
      filename: file.filename,
      contentType: file.contentType,
      content: Buffer.from(file.contentBase64, 'base64'),
      ...(file.contentId !== undefined && { cid: file.contentId }),
    })),
  });
  return composer.compile().build();
}

async function readingOf(bytes: Buffer): Promise<object> {
  const mail: ParsedMail = await simpleParser(bytes, {
    skipTextToHtml: true,
    skipHtmlToText: true,
    skipImageLinks: true,
  });
  const people = (header: AddressObject | AddressObject[] | undefined): unknown =>
    [header ?? []].flat().flatMap((list) => list.value);
  return {
    headers: [...mail.headers.keys()].filter((name) => !name.startsWith('content-')).sort(),
    ids: [
      mail.messageId,
      mail.inReplyTo,
      mail.references,
      mail.date?.getTime(),
      mail.headers.get('list'),
      mail.headers.get('x-campaign'),
    ],
    people: [mail.from, mail.replyTo, mail.to, mail.cc].map(people),
    subject: mail.subject,
    text: mail.text?.trimEnd(),
    html: mail.html,
    files: mail.attachments.map((file) => [
      file.filename,
      file.contentType,
      file.cid,
      file.contentDisposition,
      file.content.toString('base64'),
    ]),
  };
}

test.each(ORDINARY)('%s reads the same as what nodemailer composes', async (_what, mail) => {
  expect(await readingOf(toBytes(compose(mail, stamp)))).toEqual(await readingOf(await byNodemailer(mail)));
});
