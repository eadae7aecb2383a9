import { expect, test } from 'vitest';
import { amount, harmless, relative } from './terminal.js';

const NOW = Date.UTC(2026, 10, 16, 14);

test.each([
  [0, '0 s ago'],
  [-31_000, '31 s ago'],
  [72_000, 'in 1 m 12 s'],
  [-31 * 60_000, '31 m 0 s ago'],
  [3 * 3_600_000 + 5 * 60_000, 'in 3 h 5 m'],
  [-86_400_000, '2026-11-15 14:00'],
  [9 * 86_400_000, '2026-11-25 14:00'],
])('%i ms from now is shown as %s', (away, text) => {
  expect(relative(NOW + away, NOW)).toBe(text);
});

test.each([
  ['colours and cursor moves', '\u001b[31mred\u001b[2J\u001b[H', ' [31mred [2J [H'],
  ['a title and a bell', '\u001b]0;owned\u0007', ' ]0;owned '],
  ['C1 controls', 'a\u009b31mb', 'a 31mb'],
  ['line ends of every kind', 'a\r\nb\u2028c\u2029d\u0085e', 'a  b c d e'],
  ['turned direction', 'gpj.\u202efdp', 'gpj. fdp'],
  ['invisible characters', 'a\u200bb\u2066c\ufeffd', 'a b c d'],
  ['nothing at all', 'Größe 日本語 👍', 'Größe 日本語 👍'],
])('%s in words of strangers are made harmless', (_what, text, shown) => {
  expect(harmless(text)).toBe(shown);
});

test.each([
  [0, '0 messages'],
  [1, '1 message'],
  [1_200, '1,200 messages'],
])('%i are %s', (count, text) => {
  expect(amount(count, 'message')).toBe(text);
});
