import { expect, test } from 'vitest';
import { readParts, readSubject } from './mail-parts.js';

const mail = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');

test('headers are shown decoded and as they came, repeated ones too', async () => {
  const { headers } = await readParts(
    mail(
      'Received: from a',
      'Received: from b',
      'Subject: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?=',
      ' =?UTF-8?Q?_XL?=',
      'To: "=?UTF-8?Q?Zo=C3=AB?=" <zoe@example.org>',
      '',
      'x',
    ),
  );
  expect(headers.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Received: from a',
    'Received: from b',
    'Subject: Größe XL',
    'To: "Zoë" <zoe@example.org>',
  ]);
  expect(headers[2]!.raw.replace(/\r?\n/g, '|')).toBe(
    'Subject: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?=| =?UTF-8?Q?_XL?=',
  );
});

test('an invitation is the calendar part; a calendar file stays an attachment', async () => {
  const parts = await readParts(
    mail(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/calendar; charset=utf-8; method=CANCEL',
      '',
      'BEGIN:VCALENDAR',
      '--b',
      'Content-Type: text/calendar; name=x.ics',
      'Content-Disposition: attachment; filename=x.ics',
      'Content-Transfer-Encoding: base64',
      '',
      'QkVHSU46VkNBTEVOREFSCg==',
      '--b--',
      '',
    ),
  );
  expect(parts.calendar).toEqual({
    method: 'CANCEL',
    content: expect.stringMatching(/^BEGIN:VCALENDAR\n?$/) as string,
  });
  expect(parts.attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([
    ['x.ics', 'BEGIN:VCALENDAR\n'],
  ]);
});

test('a mail that cannot be read has no parts, and is no error', async () => {
  const deep = Array.from(
    { length: 400 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}`,
  );
  expect(await readParts(mail(...deep, ''))).toEqual({
    headers: [],
    text: undefined,
    html: undefined,
    calendar: undefined,
    attachments: [],
  });
});

test.each([
  ['Subject: Hello\r\n\r\nSubject: not this one\r\n', 'Hello'],
  ['Subject: =?UTF-8?B?8J+RjQ==?=\r\n', '👍'],
  ['Subject: =?UTF-8?Q?a=1B[31mb=00c?=\r\n\r\n', 'a [31mb c'],
  [`Subject: ${'x'.repeat(2_000)}\r\n\r\n`, 'x'.repeat(998)],
  ['From: a@example.org\r\n\r\nbody', ''],
  ['', ''],
])('the subject is read from the head alone: %#', async (raw, subject) => {
  expect(await readSubject(Buffer.from(raw))).toBe(subject);
});
