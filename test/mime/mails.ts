import fc from 'fast-check';
import type { Attachment, Mail, Mailbox } from '#pillarbox/core/mail';
import type { Stamp } from '#pillarbox/mime/compose';

/** What has broken composers and readers before: scripts, joined emoji, long words, MIME's own signs, dots. */
const FRAGMENTS = [
  ...[
    'hello',
    'world',
    ' ',
    '  ',
    'a',
    '=',
    '?',
    '_',
    '"',
    '\\',
    ',',
    ';',
    ':',
    "'",
    '@',
    '<b>',
    '(c)',
    '--',
  ],
  ...[
    'Ünïcödé',
    'שלום',
    'مرحبا بالعالم',
    '日本語テキスト',
    '👩‍👩‍👧‍👦',
    '🇩🇪',
    'é',
    '\u202eabc',
    '\u00a0',
    '\u2028',
    '\u200d',
  ],
  ...['=?UTF-8?Q?x?=', '=20', '=3D', '%41', '&amp;', 'From ', '.', '..', '=_', '--=_'],
  ...['x'.repeat(80), 'y'.repeat(400), 'ß'.repeat(90)],
];
const LINE_ENDS = [
  ...[
    '\n',
    '\r\n',
    '\r',
    '\n\n',
    '\r\n\r\n',
    ' \n',
    '\t\r\n',
    '\n.',
    '\r\n.\r\n',
    '\n..',
    '\nFrom me',
    '\n--',
  ],
  '\n.\r\nMAIL FROM:<x@y>\r\n',
];

const joined = (fragments: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength }).map((pieces) => pieces.join(''));

const line = (maxLength: number): fc.Arbitrary<string> => joined(FRAGMENTS, maxLength);

export const body: fc.Arbitrary<string> = fc
  .array(fc.tuple(line(6), fc.constantFrom(...LINE_ENDS, '\t')), { maxLength: 25 })
  .map((lines) => lines.flat().join(''));

const mailbox = (email: fc.Arbitrary<string>): fc.Arbitrary<Mailbox> =>
  fc.record({ email, name: line(8) }, { requiredKeys: ['email'] });

const domain = fc.constantFrom(
  'ex.org',
  'bücher.example',
  'xn--bcher-kva.example',
  'a.very.long.name.of.a.host.example',
);
const recipient = mailbox(fc.tuple(fc.nat(9), domain).map(([number, host]) => `u${String(number)}@${host}`));

const attachment: fc.Arbitrary<Attachment> = fc.record(
  {
    // Some readers decode `=?` inside a file name although RFC 2231 says not to; none of ours can help that.
    filename: line(5).map((name) => `${name.replaceAll('=?', '')}.bin`.slice(-200).toWellFormed()),
    contentType: fc.constantFrom(
      'application/octet-stream',
      'text/plain; charset=utf-8',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ),
    contentBase64: body.map((content) => Buffer.from(content).toString('base64')),
    contentId: fc.constantFrom('logo', 'image001.png@01D8A7C2.3F2A1B90'),
  },
  { requiredKeys: ['filename', 'contentType', 'contentBase64'] },
);

const calendar = line(4).map((summary) => ({
  method: 'REQUEST',
  content: `BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:${summary}\r\nEND:VCALENDAR\r\n`,
}));

const messageId = fc.nat(1e9).map((number) => `<m${String(number)}.abcdef@send.example.org>`);

export const anyMail: fc.Arbitrary<Mail> = fc.record(
  {
    from: mailbox(fc.constant('news@send.example.org')),
    to: recipient,
    cc: fc.array(recipient, { maxLength: 3 }),
    bcc: fc.constant([{ email: 'secret@hidden.example', name: 'Secret Reader' }]),
    replyTo: recipient,
    subject: line(14),
    text: body,
    html: body,
    ics: calendar,
    attachments: fc.array(attachment, { maxLength: 3 }),
    headers: fc.record(
      { 'X-Note': line(6), 'X-A-Header-With-Quite-A-Long-Name-Of-Its-Own': line(6) },
      { requiredKeys: [] },
    ),
    inReplyTo: messageId,
    references: fc.array(messageId, { maxLength: 30 }),
    unsubscribeUrl: fc.nat(200).map((length) => `https://example.org/u/${'t'.repeat(length)}`),
  },
  { requiredKeys: ['from', 'to', 'subject'] },
);

export const anyStamp: fc.Arbitrary<Stamp> = fc.record({
  messageId,
  date: fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000),
});
