import { expect, test } from 'vitest';
import { visible } from './visible';

test('plain text of any script stays as it is', () => {
  for (const text of ['Ada Okafor', 'Grüße, 東京 🎉', 'مرحبا', '']) expect(visible(text)).toBe(text);
});

test('controls are seen, and break no line', () => {
  expect(visible('a\r\nBcc: x\0\u001b[2J\u007f\u0085')).toBe('a␍␊Bcc: x␀␛[2J␡‹0085›');
});

test('what would turn the text around is seen', () => {
  expect(visible('invoice\u202Efdp.exe')).toBe('invoice‹202E›fdp.exe');
});

test('what has no width is seen, unless it joins letters', () => {
  expect(visible('pay\u200Bpal \u00AD\u2060\uFEFF')).toBe('pay‹200B›pal ‹00AD›‹2060›‹FEFF›');
  expect(visible('می\u200Cخواهم \u{1F469}\u200D\u{1F4BB}')).toBe('می\u200Cخواهم \u{1F469}\u200D\u{1F4BB}');
});

test('where lines are meant, they stay lines', () => {
  expect(visible('a\n\tb\rc', { lines: true })).toBe('a\n\tb␍c');
});
