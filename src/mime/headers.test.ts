import { describe, expect, test } from 'vitest';
import { expectCost } from '../../test/cost.js';
import { addressHeader, dateText, foldedHeader, textHeader } from './headers.js';

describe('a text header', () => {
  test('is plain where nothing on the way can change it', () => {
    expect(textHeader('Subject', 'Your booking')).toBe('Subject: Your booking\r\n');
    expect(textHeader('Subject', '')).toBe('Subject:\r\n');
  });

  test('is folded at blanks', () => {
    const header = textHeader('Subject', 'word '.repeat(40).trim());
    expect(header.split('\r\n').every((line) => line.length <= 76)).toBe(true);
    expect(header.replace(/\r\n/g, '')).toBe(`Subject: ${'word '.repeat(40).trim()}`);
  });

  test.each([' a', 'a ', 'a  b', 'a =?UTF-8?Q?b?=', 'ä'])('with %j is encoded as a whole', (value) => {
    expect(textHeader('Subject', value)).toMatch(/^Subject: =\?UTF-8\?[QB]\?[^? ]+\?=\r\n$/);
  });

  test('with an unbroken word of 1,200 characters is encoded into lines of 76', () => {
    const lines = textHeader('Subject', 'x'.repeat(1_200)).trimEnd().split('\r\n');
    expect(lines.every((line) => line.length <= 76)).toBe(true);
    const words = lines.map((line) => /^(?:Subject:)? =\?UTF-8\?Q\?(x+)\?=$/.exec(line)?.[1] ?? '');
    expect(words.join('')).toBe('x'.repeat(1_200));
  });

  test('for machines keeps a long word whole, but no line reaches 998', () => {
    const url = `<https://example.org/${'a'.repeat(100)}>`;
    expect(textHeader('List-Archive', url)).toBe(`List-Archive: ${url}\r\n`);
    expect(textHeader('X-Note', url)).toContain('=?UTF-8?');
    expect(
      textHeader('List-Archive', 'a'.repeat(2_000))
        .split('\r\n')
        .every((line) => line.length <= 76),
    ).toBe(true);
  });

  test('with a name of 76 begins on the next line', () => {
    const name = `X-${'n'.repeat(74)}`;
    expect(textHeader(name, 'a value')).toBe(`${name}:\r\n a value\r\n`);
    expect(textHeader(name, 'ä')).toBe(`${name}:\r\n =?UTF-8?B?w6Q=?=\r\n`);
  });

  test('of 100 KB takes linear time', () => {
    const work = () => {
      for (const unit of ['x', 'é', ' x', '  ', '=?', '"', '👩‍👩‍👧‍👦'])
        textHeader('Subject', unit.repeat(100_000 / unit.length));
    };
    expectCost(work, 1_000);
  });
});

describe('an address header', () => {
  test.each([
    [{ email: 'a@x.org' }, 'a@x.org'],
    [{ email: 'a@x.org', name: '' }, 'a@x.org'],
    [{ email: 'a@x.org', name: '  ' }, 'a@x.org'],
    [{ email: 'a@Bücher.example', name: 'Ada Lovelace' }, 'Ada Lovelace <a@xn--bcher-kva.example>'],
    [{ email: 'a@x.org', name: 'Lovelace, Ada' }, '"Lovelace, Ada" <a@x.org>'],
    [{ email: 'a@x.org', name: 'A "B" \\ <e@v>' }, '"A \\"B\\" \\\\ <e@v>" <a@x.org>'],
    [{ email: 'a@x.org', name: 'e@v' }, '"e@v" <a@x.org>'],
    [{ email: 'a@x.org', name: 'Zoë at Example' }, '=?UTF-8?Q?Zo=C3=AB_at_Example?= <a@x.org>'],
    [{ email: 'zoë@x.org' }, 'zoë@x.org'],
  ])('with %j is %s', (mailbox, written) => {
    expect(addressHeader('To', [mailbox])).toBe(`To: ${written}\r\n`);
  });

  test('is folded between mailboxes, and between name and address', () => {
    const ada = { email: 'ada@example.org', name: 'Ada Lovelace' };
    expect(addressHeader('Cc', [ada, ada, ada])).toBe(
      'Cc: Ada Lovelace <ada@example.org>, Ada Lovelace <ada@example.org>,\r\n Ada Lovelace <ada@example.org>\r\n',
    );
    const long = { email: `${'a'.repeat(40)}@x.org`, name: 'n'.repeat(60) };
    expect(addressHeader('To', [long])).toBe(`To: ${'n'.repeat(60)}\r\n <${'a'.repeat(40)}@x.org>\r\n`);
  });
});

test('a token longer than a line stands where it is, and under 998', () => {
  expect(foldedHeader('References', ['<a@b>', `<${'x'.repeat(240)}@y>`])).toBe(
    `References: <a@b>\r\n <${'x'.repeat(240)}@y>\r\n`,
  );
  expect(foldedHeader('Message-ID', [`<${'x'.repeat(240)}@y>`])).toBe(
    `Message-ID: <${'x'.repeat(240)}@y>\r\n`,
  );
});

test.each([
  [Date.UTC(2026, 10, 16, 8, 59, 1, 999), 'Mon, 16 Nov 2026 08:59:01 +0000'],
  [0, 'Thu, 01 Jan 1970 00:00:00 +0000'],
])('the date %d is %s in every zone', (at, text) => {
  expect(dateText(at)).toBe(text);
});
