import { describe, expect, test } from 'vitest';
import { expectCost } from '../../test/cost.js';
import type { Mail } from '../core/mail.js';
import { compose, toBytes } from './compose.js';
import { ComposeError } from './compose-error.js';

const stamp = { messageId: '<m1@send.example.org>', date: Date.UTC(2026, 10, 16, 8, 59) };
const mail: Mail = {
  from: { email: 'news@send.example.org', name: 'Example News' },
  to: { email: 'ada@example.org', name: 'Ada' },
  subject: 'Booked',
  text: 'Hello Ada\n',
};
const lines = (...of: string[]): string => of.map((line) => `${line}\r\n`).join('');
const raw = (change: Partial<Mail>): string => toBytes(compose({ ...mail, ...change }, stamp)).toString();

test('a text is one part, and its headers have a fixed order', () => {
  expect(
    raw({
      cc: [{ email: 'cy@example.org' }],
      bcc: [{ email: 'bo@example.org' }],
      replyTo: { email: 'desk@example.org' },
      inReplyTo: '<p1@send.example.org>',
      headers: { 'X-Campaign': 'seven' },
      unsubscribeUrl: 'https://example.org/u/token',
    }),
  ).toBe(
    lines(
      'Message-ID: <m1@send.example.org>',
      'Date: Mon, 16 Nov 2026 08:59:00 +0000',
      'From: Example News <news@send.example.org>',
      'Reply-To: desk@example.org',
      'To: Ada <ada@example.org>',
      'Cc: cy@example.org',
      'Subject: Booked',
      'In-Reply-To: <p1@send.example.org>',
      'References: <p1@send.example.org>',
      'List-Unsubscribe: <https://example.org/u/token>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'X-Campaign: seven',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
      '',
      'Hello Ada',
    ),
  );
});

/** The tree of a mail, as the kinds of its parts in order, each below its container. */
function treeOf(text: string): string[] {
  return Array.from(text.matchAll(/^Content-Type:\s+([^;\r]+)/gm), (match) => match[1] ?? '');
}

describe('the tree of a mail', () => {
  const html = '<img src="cid:logo">';
  const ics = { method: 'CANCEL', content: 'BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\nEND:VCALENDAR\r\n' };
  const png = { filename: 'logo.png', contentType: 'image/png', contentBase64: 'YWJj', contentId: 'logo' };
  const pdf = { filename: 'a.pdf', contentType: 'application/pdf', contentBase64: 'YWJj' };

  test.each<[string, Partial<Mail>, string[]]>([
    ['text and html', { html }, ['multipart/alternative', 'text/plain', 'text/html']],
    ['all three', { html, ics }, ['multipart/alternative', 'text/plain', 'text/html', 'text/calendar']],
    [
      'an image that html shows',
      { html, attachments: [png] },
      ['multipart/alternative', 'text/plain', 'multipart/related', 'text/html', 'image/png'],
    ],
    ['a file', { attachments: [pdf] }, ['multipart/mixed', 'text/plain', 'application/pdf']],
    [
      'an image with an id but no html',
      { attachments: [png] },
      ['multipart/mixed', 'text/plain', 'image/png'],
    ],
    [
      'everything',
      { html, ics, attachments: [pdf, png] },
      [
        'multipart/mixed',
        'multipart/alternative',
        'text/plain',
        'multipart/related',
        'text/html',
        'image/png',
        'text/calendar',
        'application/pdf',
      ],
    ],
  ])('with %s', (_what, change, tree) => {
    expect(treeOf(raw(change))).toEqual(tree);
  });

  test('without any content is an empty text', () => {
    const { from, to, subject } = mail;
    const composed = compose({ from, to, subject }, stamp);
    expect(treeOf(composed.head)).toEqual(['text/plain']);
    expect(composed.body).toBe('\r\n');
  });

  test('with html or a calendar alone has no empty text beside it', () => {
    const { from, to, subject } = mail;
    expect(treeOf(compose({ from, to, subject, html }, stamp).head)).toEqual(['text/html']);
    expect(treeOf(compose({ from, to, subject, ics }, stamp).head)).toEqual(['text/calendar']);
  });

  test('names its files and says how they are shown', () => {
    const text = raw({ html, attachments: [png, { ...pdf, filename: 'Größe.pdf' }] });
    expect(text).toContain(
      lines(
        'Content-Type: image/png',
        'Content-Transfer-Encoding: base64',
        'Content-ID: <logo>',
        'Content-Disposition: inline;',
        ' filename="logo.png"',
        '',
        'YWJj',
      ),
    );
    expect(text).toContain(
      lines(
        'Content-Disposition: attachment;',
        ' filename="Gro_e.pdf";',
        " filename*=utf-8''Gr%C3%B6%C3%9Fe.pdf",
        '',
        'YWJj',
      ),
    );
  });
});

describe('a calendar part', () => {
  const content = (method: string): string =>
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      `METHOD:${method}`,
      'BEGIN:VEVENT',
      'UID:b7@example.org',
      'SEQUENCE:1',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\n');

  test.each(['REQUEST', 'CANCEL'])(
    'of method %s stands byte for byte as it should, on every try',
    (method) => {
      const ics = { method, content: content(method) };
      const part = lines(
        `Content-Type: text/calendar; charset=utf-8; method=${method}`,
        'Content-Transfer-Encoding: 7bit',
        '',
        ...ics.content.slice(0, -1).split('\n'),
      );
      expect(raw({ ics })).toContain(part);
      expect(raw({ ics: { method, content: ics.content.replaceAll('\n', '\r\n') } })).toBe(raw({ ics }));
      expect(raw({ ics })).toBe(raw({ ics }));
    },
  );

  test('whose METHOD is another one is refused', () => {
    expect(() => raw({ ics: { method: 'REQUEST', content: content('CANCEL') } })).toThrow(
      expect.objectContaining({ name: 'ComposeError', field: 'ics.method' }),
    );
  });
});

describe('a mail inside a mail', () => {
  const inner = (text: string) => ({
    filename: 'forwarded.eml',
    contentType: 'message/rfc822',
    contentBase64: Buffer.from(text, 'latin1').toString('base64'),
  });
  const forward = 'From: ada@example.org\nSubject: As it was\n\n.a dot\r\nThe end.\n';

  test('travels as it is, with line ends of ours', () => {
    const text = raw({ attachments: [inner(forward)] });
    expect(text).toContain(
      'Content-Type: message/rfc822\r\nContent-Transfer-Encoding: 7bit\r\n' +
        'Content-Disposition: attachment;\r\n filename="forwarded.eml"\r\n\r\n' +
        'From: ada@example.org\r\nSubject: As it was\r\n\r\n.a dot\r\nThe end.\r\n\r\n--=_',
    );
  });

  test('that knows our boundary gets another one, the same on every try', () => {
    const boundaryIn = (text: string) => /boundary="(=_[0-9a-f]{24})\.m"/.exec(text)?.[1] ?? '';
    const usual = boundaryIn(raw({ attachments: [inner(forward)] }));
    const knowing = [inner(`${forward}--${usual}.m--\n`)];
    const other = boundaryIn(raw({ attachments: knowing }));
    expect(other).toMatch(/^=_/);
    expect(other).not.toBe(usual);
    expect(raw({ attachments: knowing })).toBe(raw({ attachments: knowing }));
  });

  test.each([
    ['bytes beyond ASCII', 'Subject: Gr\u00fc\u00dfe\n\n', /bytes beyond ASCII; attach it as application/],
    ['a line that is too long', `Subject: a\n\n${'x'.repeat(999)}`, /more than 998 characters/],
    ['no header', 'Hello\n\nworld', /does not begin with a header/],
    ['nothing in it', '', /does not begin with a header/],
  ])('with %s is refused', (_what, text, expected) => {
    expect(() => raw({ attachments: [inner(text)] })).toThrow(expected);
  });
});

test.each([
  ['Rechnung f\u00fcr M\u00e4rz.pdf', 'Rechnung fur Marz.pdf'],
  ['\u8acb\u6c42\u66f8.pdf', '___.pdf'],
  [`${'\u00e4'.repeat(100)}.docx`, `${'a'.repeat(55)}.docx`],
  ['a"b\\c=?\u00e4.txt', 'a_b_c__a.txt'],
])('a file called %s has a plain name beside its own', (filename, plain) => {
  const attachments = [{ filename, contentType: 'application/pdf', contentBase64: '' }];
  expect(raw({ attachments })).toContain(`filename="${plain}";\r\n filename*`);
});

describe('threads', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `<p${String(index)}@x.org>`);
  const references = (text: string): string[] =>
    /^References:((?:\s+<[^>]+>)+)/m.exec(text)?.[1]?.trim().split(/\s+/) ?? [];

  test('keep their first message and the last twenty', () => {
    expect(references(raw({ references: ids }))).toEqual([ids[0], ...ids.slice(20)]);
    expect(references(raw({ references: ids.slice(0, 21) }))).toEqual(ids.slice(0, 21));
  });

  test('have no header when there is nothing to refer to', () => {
    expect(raw({ references: [] })).not.toContain('References');
  });
});

test('a local part beyond ASCII travels as UTF-8 and asks for SMTPUTF8; nothing else does', () => {
  const composed = compose({ ...mail, to: { email: 'zoë@bücher.example', name: 'Zoë' } }, stamp);
  expect(composed.needsSmtpUtf8).toBe(true);
  expect(toBytes(composed).toString('utf8')).toContain(
    'To: =?UTF-8?B?Wm/Dqw==?= <zoë@xn--bcher-kva.example>\r\n',
  );
  expect(
    compose({ ...mail, subject: 'Grüße', to: { email: 'zoe@bücher.example' } }, stamp).needsSmtpUtf8,
  ).toBe(false);
});

test('the boundary depends on the Message-ID alone', () => {
  const boundary = (text: string): string | undefined => /boundary="([^"]+)"/.exec(text)?.[1];
  const one = raw({ html: 'a' });
  expect(boundary(one)).toMatch(/^=_[0-9a-f]{24}\.a$/);
  expect(boundary(raw({ html: 'b', subject: 'c' }))).toBe(boundary(one));
  expect(boundary(compose({ ...mail, html: 'a' }, { ...stamp, messageId: '<m2@x>' }).head)).not.toBe(
    boundary(one),
  );
});

test('an error names the field and says what is wrong with it', () => {
  const error = new ComposeError('subject', 'holds a line break');
  expect(error).toMatchObject({ message: 'subject holds a line break', field: 'subject', code: 'ECOMPOSE' });
  expect(() => raw({ subject: 'a\r\nBcc: e@v' })).toThrow(ComposeError);
});

test('a file of 10 MB is composed in a moment', () => {
  const contentBase64 = Buffer.alloc(10_000_000, 'mail').toString('base64');
  const attachments = [{ filename: 'a.bin', contentType: 'application/octet-stream', contentBase64 }];
  const composed = () => toBytes(compose({ ...mail, attachments }, stamp));
  expect(composed().length).toBeGreaterThan(13_000_000);
  expectCost(composed, 5_000);
});
