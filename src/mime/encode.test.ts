import { describe, expect, test } from 'vitest';
import { expectCost } from '../../test/cost.js';
import { encodeText, wrapBase64 } from './encode.js';

describe('the lightest encoding', () => {
  test.each([
    ['plain short lines', 'Hello\r\nworld\r\n', '7bit'],
    ['a tab inside a line', 'a\tb', '7bit'],
    ['a line of 76', 'x'.repeat(76), '7bit'],
    ['nothing', '', '7bit'],
    ['a line of 77', 'x'.repeat(77), 'quoted-printable'],
    ['a leading dot', 'a\n.b', 'quoted-printable'],
    ['a leading From', 'a\nFrom b', 'quoted-printable'],
    ['a blank before a line end', 'a \nb', 'quoted-printable'],
    ['a blank at the end', 'a\t', 'quoted-printable'],
    ['the begin of a boundary', 'a =_ b', 'quoted-printable'],
    ['a control character', 'a\u0007b', 'quoted-printable'],
    ['some umlauts', 'schöne Grüße aus Köln, bis bald im Herbst', 'quoted-printable'],
    ['mostly Greek', 'Καλημέρα κόσμε', 'base64'],
    ['mostly emoji', '👩‍👩‍👧‍👦', 'base64'],
  ])('for %s is chosen', (_what, text, encoding) => {
    expect(encodeText(text).encoding).toBe(encoding);
  });

  test('makes CRLF of every line end and drops a byte order mark', () => {
    expect(encodeText('\ufeffa\nb\rc\r\nd')).toEqual({ encoding: '7bit', content: 'a\r\nb\r\nc\r\nd' });
    expect(encodeText('\ufeffΚαλημέρα\nκόσμε').content).toBe(
      Buffer.from('Καλημέρα\r\nκόσμε').toString('base64'),
    );
  });
});

describe('quoted-printable', () => {
  test.each([
    ['a=b=_', 'a=3Db=3D_'],
    ['.\n..\n.a', '=2E\r\n=2E.\r\n=2Ea'],
    ['From me\n>From me', '=46rom me\r\n>From me'],
    ['Fromage \n', 'Fromage=20\r\n'],
    ['a \t\nb\t', 'a =09\r\nb=09'],
    [
      'ü and € and 😀 in a line of nothing but ASCII',
      '=C3=BC and =E2=82=AC and =F0=9F=98=80 in a line of nothing but ASCII',
    ],
    ['a\u0000\u007f', 'a=00=7F'],
  ])('of %j is %j', (text, content) => {
    expect(encodeText(text)).toEqual({ encoding: 'quoted-printable', content });
  });

  test('breaks softly at 76, never inside a character, and hides a dot that comes to stand first', () => {
    expect(encodeText('x'.repeat(75) + '.y').content).toBe(`${'x'.repeat(75)}=\r\n=2Ey`);
    expect(encodeText('x'.repeat(75) + 'From y').content).toBe(`${'x'.repeat(75)}=\r\n=46rom y`);
    expect(encodeText('x'.repeat(70) + '€ y').content).toBe(`${'x'.repeat(70)}=\r\n=E2=82=AC y`);
    expect(encodeText('x'.repeat(66) + '€ y').content).toBe(`${'x'.repeat(66)}=E2=82=AC=\r\n y`);
    expect(encodeText('x'.repeat(74) + ' \n').content).toBe(`${'x'.repeat(74)}=\r\n=20\r\n`);
    expect(encodeText('x'.repeat(72) + ' \n').content).toBe(`${'x'.repeat(72)}=20\r\n`);
  });
});

test.each([0, 75, 76, 77, 152, 153, 1000])('base64 of %d characters comes in lines of 76', (length) => {
  const base64 = 'YWJj'.repeat(250).slice(0, length);
  expect(wrapBase64(base64)).toBe(base64.match(/.{1,76}/g)?.join('\r\n') ?? '');
});

test('a body of 1.6 MB and the worst of lines take linear time', () => {
  const work = () => {
    for (const unit of ['a ', ' \n', '\n.', 'ü', 'aaaaaaaaaaü', '=', '\r', 'From ', ' '])
      encodeText(unit.repeat(1_600_000 / unit.length));
  };
  expectCost(work, 6_000);
});
