import { expect, test } from 'vitest';
import { Recent } from './recent.js';

const asked = (recent: Recent<string>, ...names: string[]) => {
  const made: string[] = [];
  for (const name of names) recent.get(name, () => (made.push(name), name));
  return made;
};

test('what was asked for lately is made once, and the oldest in use goes first', () => {
  const recent = new Recent<string>(2);
  expect(asked(recent, 'a', 'b', 'a', 'c', 'a')).toEqual(['a', 'b', 'c']);
  expect(asked(recent, 'b')).toEqual(['b']);
});

test('what weighs more takes the place of several, and the newest is kept whatever it weighs', () => {
  const recent = new Recent<string>(4, (value) => value.length);
  expect(asked(recent, 'a', 'b', 'ccc', 'b', 'ccc')).toEqual(['a', 'b', 'ccc']);
  expect(asked(recent, 'longer', 'longer', 'b')).toEqual(['longer', 'b']);
});
