import { describe, expect, test } from 'vitest';

import { toWire } from './wire.js';

const wireText = (mail: string): string | undefined => {
  const wire = toWire(Buffer.from(mail, 'latin1'));
  return wire && Buffer.concat([...wire.slices, wire.last]).toString('latin1');
};
/** What a strict server makes of it: up to the first line that is a dot, one leading dot taken off each line. */
const received = (wire: string): string => {
  const end = wire.startsWith('.\r\n') ? 0 : wire.indexOf('\r\n.\r\n') + 2;
  expect(wire.slice(end)).toBe('.\r\n');
  return wire.slice(0, end).replace(/(^|\r\n)\./g, '$1');
};

describe('a mail on the wire', () => {
  test.each([
    'Subject: x\r\n\r\nhello\r\n',
    '.\r\n',
    '..\r\n',
    '.a\r\n.\r\n..b\r\n.\r\n',
    '\r\n.\r\n.\r\n\r\n.',
    'a\r\n.\r\nMAIL FROM:<evil@example.org>\r\n',
    'no line end',
  ])('%j arrives as it was, and as one mail', (mail) => {
    const wire = wireText(mail) ?? '';
    expect(received(wire)).toBe(mail.endsWith('\r\n') ? mail : `${mail}\r\n`);
  });

  test.each([
    'a\nb\r\n',
    'a\rb\r\n',
    'a\r\r\n',
    'a\n\r\n',
    'a\r\n\n',
    'a\r',
    '\n',
    '\n.\r\nMAIL FROM:<a@b.c>\r\n',
    '\r\n.\r',
  ])('%j has a bare CR or LF and does not leave', (mail) =>
    expect(toWire(Buffer.from(mail))).toBeUndefined(),
  );

  test('an empty mail is a lone dot', () => expect(wireText('')).toBe('.\r\n'));

  test('knows its size without the doubled dots, and whether it has 8-bit bytes', () => {
    expect(toWire(Buffer.from('.a\r\n.b'))).toMatchObject({ size: 8, eightBit: false });
    expect(toWire(Buffer.from('ä\r\n'))).toMatchObject({ size: 4, eightBit: true });
  });

  test('is held back whole up to 32 KB and poured in slices beyond', () => {
    const small = toWire(Buffer.from('a'.repeat(32 * 1024 - 2) + '\r\n'));
    expect(small?.slices).toEqual([]);
    expect(small?.last.length).toBe(32 * 1024 + 3);
    const large = toWire(Buffer.from('a'.repeat(200_000) + '\r\n'));
    expect(large?.slices.map((slice) => slice.length)).toEqual([65_536, 65_536, 65_536, 3_394]);
    expect(large?.last.toString()).toBe('.\r\n');
  });
});
