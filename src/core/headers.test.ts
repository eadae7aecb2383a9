import { describe, expect, test } from 'vitest';
import {
  base64Fault,
  bodyFault,
  contentIdFault,
  contentTypeFault,
  fileNameFault,
  headerNameFault,
  lineFault,
  mailFault,
  messageIdFault,
  unsubscribeUrlFault,
} from './headers.js';
import type { Mail } from './mail.js';

const mail: Mail = {
  from: { email: 'news@x.org' },
  to: { email: 'ada@x.org' },
  subject: 'Hello',
  text: 'Hello',
};

const CALENDAR = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n';

describe('values of one line', () => {
  test.each(['', 'Hello', 'Grüße 👩‍👩‍👧‍👦', 'a\u2028b', '=?UTF-8?Q?x?='])('%j may stand', (value) => {
    expect(lineFault(value)).toBeUndefined();
  });
  test.each(['a\r\nBcc: e@v', 'a\nb', 'a\rb', 'a\tb', '\0', 'a\x7f', '\x1b[0m', '\ud800', 'a\udc00b'])(
    '%j is refused',
    (value) => {
      expect(lineFault(value)).toBeTypeOf('string');
    },
  );
});

describe('bodies', () => {
  test('take every kind of line end', () => {
    expect(bodyFault('a\r\nb\nc\rd\te')).toBeUndefined();
  });
  test.each(['a\0b', '\ud83d'])('refuse %j', (value) => {
    expect(bodyFault(value)).toBeTypeOf('string');
  });
});

describe('header names', () => {
  test.each(['X-Campaign', 'List-Id', 'Auto-Submitted', 'Feedback-ID', 'x', 'Precedence', 'a'.repeat(76)])(
    '%s may be set',
    (name) => {
      expect(headerNameFault(name)).toBeUndefined();
    },
  );
  test.each([
    ...[
      'From',
      'Sender',
      'Reply-To',
      'To',
      'Cc',
      'Bcc',
      'BCC',
      'bcc',
      'Subject',
      'Date',
      'Message-ID',
      'MESSAGE-id',
    ],
    ...[
      'In-Reply-To',
      'References',
      'MIME-Version',
      'Content-Type',
      'content-transfer-encoding',
      'Content-Foo',
    ],
    ...[
      'Resent-To',
      'Resent-Bcc',
      'ARC-Seal',
      'DKIM-Signature',
      'Received',
      'Return-Path',
      'List-Unsubscribe',
    ],
    ...['List-Unsubscribe-Post', 'Authentication-Results', 'Delivered-To', 'Apparently-To'],
  ])('%s belongs to the mail', (name) => {
    expect(headerNameFault(name)).toBe('cannot be set as a header');
  });
  test.each(['', 'X A', 'X:A', 'X-A\r\nBcc', 'Bcc ', ' Bcc', 'X-Ä', 'X-A\0', 'a'.repeat(77)])(
    '%j is no name',
    (name) => {
      expect(headerNameFault(name)).toMatch(/^has a name/);
    },
  );
});

test.each([
  [
    'a file name',
    fileNameFault,
    ['a.pdf', 'Größe "1" / 2.pdf', '%41', '日本語'],
    ['', 'a\nb', 'a\0', 'x'.repeat(256), '\ud800'],
  ],
  [
    'a content type',
    contentTypeFault,
    [
      'image/png',
      'text/csv; charset=utf-8',
      'text/plain;charset="utf-8"',
      'image/svg+xml',
      'Message/RFC822',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    [
      '',
      'png',
      'image/png\r\nBcc: e@v',
      'image/png;',
      'image/png; name="a;b"',
      'a/b; c="\r\n"',
      'multipart/mixed',
      'message/partial',
      'message/rfc822; x=y',
      `a/${'b'.repeat(300)}`,
      'text/plain; charset=utf-8 ',
    ],
  ],
  [
    'a content id',
    contentIdFault,
    ['logo', 'image001.png@01D8A7C2.3F2A1B90'],
    ['', '<logo>', 'a b', 'a\r\nb', 'ä', 'x'.repeat(73)],
  ],
  [
    'a file',
    base64Fault,
    ['', 'YQ==', 'YWI=', 'YWJj', 'YWJj+/8='],
    ['YQ', 'YQ=', 'Y-_8', 'YWJj\r\n', 'YWJj\r\n.\r\nMAIL', 'Y=Q=', ' YWJj', '===='],
  ],
  [
    'a Message-ID',
    messageIdFault,
    ['<a@b>', '<abc>', `<${'a'.repeat(250)}>`],
    [
      '',
      'a@b',
      '<a@b',
      '<a b@c>',
      '<a@b>\r\nBcc: e@v',
      '<a@b> <c@d>',
      '<ä@b>',
      `<${'a'.repeat(251)}>`,
      '<ab>',
    ],
  ],
  [
    'an unsubscribe URL',
    unsubscribeUrlFault,
    ['https://x.org/u/1?a=b&c=d', 'http://127.0.0.1:8025/u/1'],
    [
      '',
      'ftp://x.org',
      'mailto:a@b',
      'https://x.org/ a',
      'https://x/>, <mailto:e@v>',
      'https://x/\r\nBcc: e@v',
      'https://ü.org',
      `https://${'a'.repeat(901)}`,
    ],
  ],
])('%s has a pattern of its own', (_what, fault, good, bad) => {
  expect(good.map(fault)).toEqual(good.map(() => undefined));
  expect(bad.filter((value) => fault(value) === undefined)).toEqual([]);
});

describe('a mail', () => {
  test('without a fault has none', () => {
    expect(mailFault(mail)).toBeUndefined();
    expect(
      mailFault({
        ...mail,
        ics: { method: 'request', content: CALENDAR },
        cc: [],
        bcc: [{ email: 'b@x.org', name: '' }],
      }),
    ).toBeUndefined();
  });

  const file = { filename: 'a.txt', contentType: 'text/plain', contentBase64: 'YQ==' };
  test.each<[string, Partial<Mail>]>([
    ['from.email', { from: { email: 'a@b@c' } }],
    ['to.name', { to: { email: 'a@b.org', name: 'A\nB' } }],
    ['cc.1.email', { cc: [{ email: 'a@b.org' }, { email: '' }] }],
    ['bcc.0.name', { bcc: [{ email: 'a@b.org', name: '\0' }] }],
    ['replyTo.email', { replyTo: { email: 'x' } }],
    ['subject', { subject: 'a\r\nBcc: e@v' }],
    ['text', { text: '\0' }],
    ['html', { html: '\ud800' }],
    ['attachments.1.filename', { attachments: [file, { ...file, filename: '' }] }],
    ['attachments.0.contentId', { attachments: [{ ...file, contentId: '<a>' }] }],
    ['headers.Bcc', { headers: { Bcc: 'e@v' } }],
    ['headers.X-A', { headers: { 'X-A': 'a\nb' } }],
    ['headers.x-a', { headers: { 'X-A': 'a', 'x-a': 'b' } }],
    ['headers.__proto__', { headers: JSON.parse('{"__proto__":"a\\nb"}') as Record<string, string> }],
    ['inReplyTo', { inReplyTo: 'x' }],
    ['references.1', { references: ['<a@b>', '<c d>'] }],
    ['unsubscribeUrl', { unsubscribeUrl: 'x.org' }],
  ])('is refused for its %s', (field, change) => {
    expect(mailFault({ ...mail, ...change })).toMatchObject({ field });
  });

  test('does not repeat a malformed header name in the path', () => {
    expect(mailFault({ ...mail, headers: { 'X-A\r\nBcc': 'e@v' } })).toMatchObject({ field: 'headers' });
  });

  test.each([
    ['another method', 'CANCEL', CALENDAR],
    ['no METHOD line', 'REQUEST', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'],
    ['two that differ', 'REQUEST', CALENDAR.replace('END:', 'METHOD:CANCEL\r\nEND:')],
    ['a METHOD only inside a text', 'REQUEST', 'BEGIN:VCALENDAR\r\nSUMMARY:METHOD:REQUEST\r\nEND:VCALENDAR'],
    ['a method that is none', 'REQUEST; x=y', CALENDAR],
    ['a method with a line break', 'REQUEST\r\nBcc: e@v', CALENDAR],
  ])('with a calendar of %s is refused', (_what, method, content) => {
    expect(mailFault({ ...mail, ics: { method, content } })).toMatchObject({ field: 'ics.method' });
  });

  test.each(['METHOD:REQUEST', 'method:Request', 'METHOD;X-A=1:REQUEST', 'METHOD: REQUEST '])(
    'with %j agrees on REQUEST',
    (line) => {
      const content = `BEGIN:VCALENDAR\n${line}\nEND:VCALENDAR\n`;
      expect(mailFault({ ...mail, ics: { method: 'REQUEST', content } })).toBeUndefined();
    },
  );
});
