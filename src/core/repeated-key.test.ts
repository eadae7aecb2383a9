import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as repeated from './repeated-key.js';

const repeatedKey = (text: string) => repeated.repeatedKey(text, JSON.parse(text));

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"b":{"c":[{"d":1},{"d":1,"e":0,"d":2}]}}', 'd'],
  [String.raw`{"a":1,"\u0061":2}`, 'a'],
  [String.raw`{"\"":1,"x":"\\","\"":2}`, '"'],
  ['{"":1,"":2}', ''],
  ['[{"a":[]},{"a":{}},{"b":1 , "b" :2}]', 'b'],
  ['{"a":{"a":{"a":1}},"b":{"a":1},"a":0}', 'a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('in %s a key stands twice: %s', (text, key) => {
  expect(repeatedKey(text)).toBe(key);
});

test.each([
  '{}',
  '[]',
  '"a"',
  '1',
  '{"a":"a","b":"a"}',
  '["a","a"]',
  '{"a":["a","a",{"a":"a"}],"b":"a"}',
  '{"a" \n:\t":","b":["a:",null,true]}',
  String.raw`{"a":"\",\"a\":","b":"{\"a\":1,\"a\":2}\\"}`,
])('in %s none does', (text) => {
  expect(repeatedKey(text)).toBeUndefined();
});

test('no JSON that was written from a value has one; with a key said again it has', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, key) => {
      expect(repeatedKey(JSON.stringify(value, undefined, 1))).toBeUndefined();
      const name = JSON.stringify(key);
      expect(repeatedKey(`[{"x ":0,${name}:${JSON.stringify(value)},${name}:0}]`)).toBe(key);
    }),
  );
});

test('a text of any depth is looked through [F44]', () => {
  const depth = 100_000;
  expect(repeatedKey('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))).toBeUndefined();
  expect(repeatedKey('['.repeat(depth) + '{"a":1,"a":1}' + ']'.repeat(depth))).toBe('a');
});
