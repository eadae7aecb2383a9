import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainCopy } from './plain.js';

const MOST = 10_000;

/** Lists that name each other: a few objects that stand for more values than there are atoms. */
function echo(): unknown {
  let part: unknown = 'x';
  for (let level = 0; level < 30; level += 1) part = [part, part, part, part, part, part, part, part];
  return part;
}

function deep(levels: number): unknown {
  let part: unknown = 1;
  for (let level = 0; level < levels; level += 1) part = level % 2 === 0 ? { a: part } : [part];
  return part;
}

const circle: Record<string, unknown> = { name: 'a' };
circle['self'] = circle;
const endless = { toJSON: () => endless };
const throwing = {
  get inner(): string {
    throw new Error('no');
  },
};
const shouting = {
  toJSON: () => {
    throw new TypeError('no');
  },
};
const proxied = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('no');
    },
  },
);

describe('[F44] what a program hands in is refused, and nothing is thrown, for', () => {
  test.each<readonly [string, unknown, string, RegExp]>([
    ['a circle', circle, 'self', /^is nested deeper than 32 levels$/],
    ['a hundred thousand levels', { a: deep(100_000) }, 'a', /^is nested deeper/],
    ['a value that becomes itself', endless, 'toJSON()', /^is nested deeper/],
    [
      'few objects that stand for many',
      { list: echo() },
      'list',
      /^is longer than 10,000 characters as JSON$/,
    ],
    ['a megabyte', { text: 'x'.repeat(1_000_000) }, 'text', /^is longer than 10,000 characters/],
    ['a name of a megabyte', { ['x'.repeat(1_000_000)]: 1 }, '', /^is longer than 10,000 characters/],
    [
      'a list that is longer than memory',
      { list: new Array(2 ** 32 - 1) },
      'list',
      /^is undefined, which JSON/,
    ],
    ['a bigint', { a: { b: 10n } }, 'a', /^is a bigint, which JSON can not say$/],
    ['NaN', { a: [1, Number.NaN] }, 'a', /^is NaN, which JSON can not say$/],
    ['an infinity', { a: -Infinity }, 'a', /^is -Infinity, which/],
    ['a function', { a: () => 1 }, 'a', /^is a function, which/],
    ['a symbol', { a: Symbol('x') }, 'a', /^is a symbol, which/],
    ['nothing in a list', { a: [undefined] }, 'a', /^is undefined, which/],
    ['a map, which JSON would call empty', { a: new Map([[1, 2]]) }, 'a', /^is a Map, which/],
    ['a getter that throws', { a: throwing }, 'a', /^can not be read/],
    ['a toJSON that throws', { a: shouting }, 'a', /^can not be read/],
    ['a proxy that throws', { a: proxied }, 'a', /^can not be read/],
    ['__proto__', JSON.parse('{"a":{"__proto__":{"x":1}}}'), 'a', /^has a field __proto__$/],
    ['a NUL', { a: 'x\0' }, 'a', /^holds a NUL character$/],
    ['a NUL in a name', { 'a\0': 1 }, '', /^holds a NUL character$/],
    ['half of a surrogate pair', { a: ['\ud800'] }, 'a', /^holds half of a surrogate pair$/],
  ])('%s', (_what, given, first, text) => {
    const read = plainCopy(given, MOST);
    const fault = 'fault' in read ? read.fault : undefined;
    expect(fault?.text).toMatch(text);
    expect(String(fault?.path[0] ?? '')).toBe(first);
    expect(fault!.path.length).toBeLessThanOrEqual(32);
  });
});

test('everything that JSON can say is taken as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (any) => {
      const said = JSON.parse(JSON.stringify(any)) as unknown;
      const read = plainCopy(said, Infinity);
      if ('value' in read) expect(read.value).toEqual(said);
      else expect(read.fault.text).toMatch(/NUL|surrogate|__proto__/);
    }),
    { numRuns: 50 },
  );
});

test('what is left out stays left out, a day is its text, and nothing is shared with whoever handed it in', () => {
  const given = {
    at: new Date(0),
    gone: undefined,
    list: [{ a: 1 }],
    text: String.raw`a \u0000 that is none`,
  };
  const read = plainCopy(given, MOST);
  expect(read).toEqual({
    value: { at: '1970-01-01T00:00:00.000Z', list: [{ a: 1 }], text: String.raw`a \u0000 that is none` },
  });
  given.list[0]!.a = 2;
  expect(read).toMatchObject({ value: { list: [{ a: 1 }] } });
});
