import { expect, test } from 'vitest';
import { lineRange, piecesOf, unseenIn, withoutUnseen } from './marks';

test('what is Liquid stands apart, also while it is not finished', () => {
  expect(piecesOf('Hi {{ a }}, {% if b')).toEqual([
    { text: 'Hi ', liquid: false },
    { text: '{{ a }}', liquid: true },
    { text: ', ', liquid: false },
    { text: '{% if b', liquid: true },
  ]);
  expect(piecesOf('')).toEqual([]);
});

test('a line is found by its number', () => {
  expect(lineRange('ab\ncd\nef', 2)).toEqual([3, 5]);
  expect(lineRange('ab', 9)).toEqual([2, 2]);
});

test('what nobody sees is told by its line', () => {
  const text = 'a\nb\u202Ec\u200B';
  expect(unseenIn(text)).toEqual([{ line: 2, codes: 'U+202E, U+200B' }]);
  expect(withoutUnseen('b\u202Ec')).toBe('bc');
});
