import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';
import type { Mail } from '#pillarbox/core/mail';
import { compose, toBytes } from '#pillarbox/mime/compose';
import { ComposeError } from '#pillarbox/mime/compose-error';
import { envelopeOf } from '#pillarbox/mime/envelope';
import { toWire } from '#pillarbox/transport/smtp/wire';

const stamp = { messageId: '<m1@send.example.org>', date: Date.UTC(2026, 10, 16, 14) };

/** Every field that a mail can have. The type makes sure that a new one is tried as well. */
const whole: Required<Mail> = {
  from: { email: 'news@send.example.org', name: 'News' },
  to: { email: 'ada@example.org', name: 'Ada' },
  linkedinId: 'ACoAAB1',
  cc: [{ email: 'cy@example.org', name: 'Cy' }],
  bcc: [{ email: 'bo@example.org', name: 'Bo' }],
  replyTo: { email: 're@example.org', name: 'Re' },
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  ics: { content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n', method: 'REQUEST' },
  attachments: [{ filename: 'a.png', contentType: 'image/png', contentBase64: 'YWJj', contentId: 'logo' }],
  headers: { 'X-Campaign': 'seven' },
  inReplyTo: '<p1@send.example.org>',
  references: ['<p0@send.example.org>', '<p1@send.example.org>'],
  threadId: 'thread-1',
  unsubscribeUrl: 'https://example.org/u/token',
};

/** Bodies may hold anything; they are encoded. */
const BODIES = ['text', 'html', 'ics.content'];

const POISONS = [
  ...[
    '\r\nBcc: eve@evil.example',
    '\nBcc: eve@evil.example',
    '\rBcc: eve@evil.example',
    '\r\n\r\n<b>body</b>',
  ],
  ...[
    '\r\n.\r\nMAIL FROM:<eve@evil.example>\r\n',
    '\n.\r\nMAIL FROM:<eve@evil.example>\r\n',
    '\0',
    '\x1b[2J',
    '\x7f',
    '\ud800',
  ],
];

function* pathsOf(value: unknown, path: string[] = []): Generator<string[]> {
  if (typeof value === 'string') yield path;
  else for (const [key, inner] of Object.entries(value as object)) yield* pathsOf(inner, [...path, key]);
}

function poisoned(path: readonly string[], change: (value: string) => string): Mail {
  const mail = structuredClone(whole) as unknown as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  const holder = path.slice(0, -1).reduce((inner, key) => inner[key] as Record<string, unknown>, mail);
  holder[last] = change(holder[last] as string);
  return mail as unknown as Mail;
}

function fieldRefused(mail: Mail): string | undefined {
  try {
    compose(mail, stamp);
    return undefined;
  } catch (error) {
    if (error instanceof ComposeError) return error.field;
    throw error;
  }
}

const headerNames = (bytes: Buffer): string[] =>
  bytes
    .toString('latin1')
    .split('\r\n\r\n', 1)
    .join()
    .split(/\r\n(?![ \t])/)
    .map((line) => line.slice(0, line.indexOf(':')).toLowerCase());

test('the whole mail is fine as it stands', () => {
  expect(fieldRefused(whole)).toBeUndefined();
});

describe.each(Array.from(pathsOf(whole), (path) => ({ field: path.join('.'), path })))(
  '$field',
  ({ field, path }) => {
    const places = POISONS.flatMap((poison) => [
      (value: string) => value + poison,
      (value: string) => poison + value,
      (value: string) => value.slice(0, 2) + poison + value.slice(2),
    ]);

    if (BODIES.includes(field)) {
      test('cannot reach the headers, whatever it holds [F48] [T9]', () => {
        const before = headerNames(toBytes(compose(whole, stamp)));
        for (const place of places) {
          const mail = poisoned(path, place);
          const refused = fieldRefused(mail);
          if (refused === undefined) expect(headerNames(toBytes(compose(mail, stamp)))).toEqual(before);
          else expect(refused).toMatch(/^(?:text|html|ics\.content|ics\.method)$/);
        }
      });
    } else {
      test('is refused by its name with every control character, wherever it stands', () => {
        expect(places.map((place) => fieldRefused(poisoned(path, place)))).toEqual(places.map(() => field));
      });
    }
  },
);

test.each(POISONS)('a Message-ID or a header name with %j is refused', (poison) => {
  expect(() => compose(whole, { ...stamp, messageId: `<m1${poison}@x.org>` })).toThrow(ComposeError);
  expect(() => compose(whole, { ...stamp, messageId: `${stamp.messageId}${poison}` })).toThrow(ComposeError);
  expect(fieldRefused({ ...whole, headers: { [`X-A${poison}`]: 'a' } })).toBe('headers');
  expect(fieldRefused({ ...whole, headers: { [`X-A: b${poison}`]: 'a' } })).toBe('headers');
});

test.each([NaN, Infinity, -1, 1e18])('a date of %d is refused', (date) => {
  expect(() => compose(whole, { ...stamp, date })).toThrow(expect.objectContaining({ field: 'date' }));
});

test.each([
  'Bcc',
  'bcc',
  'To',
  'From',
  'Sender',
  'Content-Type',
  'Resent-Bcc',
  'DKIM-Signature',
  'Message-ID',
])('the header %s is not for the caller [T24]', (name) => {
  expect(fieldRefused({ ...whole, headers: { [name]: 'eve@evil.example' } })).toBe(`headers.${name}`);
});

test('an envelope with a poisoned address is refused by the name of its field', () => {
  const refusedIn = (mail: Mail): string => {
    try {
      envelopeOf(mail);
    } catch (error) {
      if (error instanceof ComposeError) return error.field;
    }
    return 'none';
  };
  const eve = { email: 'a@x.org>\r\nRCPT TO:<eve@evil.example' };
  expect(refusedIn({ ...whole, from: eve })).toBe('from.email');
  expect(refusedIn({ ...whole, to: eve })).toBe('to.email');
  expect(refusedIn({ ...whole, cc: [eve] })).toBe('cc.0.email');
  expect(refusedIn({ ...whole, bcc: [...whole.bcc, eve] })).toBe('bcc.1.email');
});

describe('a body that plays the end of a mail [T10]', () => {
  const smuggled = [
    '\n.\r\nMAIL FROM:<eve@evil.example>\r\n',
    '\r\n.\r\nMAIL FROM:<e@v>\r\n',
    '\r.\rMAIL',
    '\n.\nMAIL',
    '.',
    '\r\n.',
  ];

  test.each(smuggled)('%j stays one message', async (end) => {
    const mail: Mail = {
      from: whole.from,
      to: whole.to,
      subject: 'Hello',
      text: `before${end}after`,
      html: `<p>${end}</p>`,
    };
    const wire = toWire(toBytes(compose(mail, stamp)))!.last.toString('latin1');
    // To a strict server and to every careless one, the only end is the last line.
    expect(wire.search(/(?:\r\n?|\n)\.(?:\r\n?|\n)/)).toBe(wire.length - 5);
    const parsed = await simpleParser(wire.slice(0, -3), { skipTextToHtml: true, skipHtmlToText: true });
    expect(parsed.text?.trimEnd()).toBe(`before${end}after`.replace(/\r\n?|\n/g, '\n').trimEnd());
  });
});

test('a text that holds the boundaries of its own mail is still a text', async () => {
  const [boundary] = /=_[0-9a-f]{24}/.exec(compose(whole, stamp).head) ?? [''];
  const text = `before\n--${boundary}.a\nContent-Type: text/plain\n\nforged\n--${boundary}.a--\n--${boundary}.m--\nafter`;
  for (const mail of [
    { ...whole, text },
    { ...whole, html: text },
    { ...whole, text, html: text },
  ]) {
    const parsed = await simpleParser(toBytes(compose(mail, stamp)), {
      skipTextToHtml: true,
      skipHtmlToText: true,
    });
    expect(parsed.text).toBe(mail.text);
    expect(parsed.html).toBe(mail.html);
    expect(parsed.attachments.map((file) => file.contentType).sort()).toEqual(['image/png', 'text/calendar']);
  }
});
