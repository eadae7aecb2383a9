import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { domainOf, parseAddress } from './address.js';

const addressOf = (input: string): string | undefined => {
  const parsed = parseAddress(input);
  return 'address' in parsed ? parsed.address : undefined;
};

describe('an address that is taken', () => {
  test.each([
    ['ada@example.org', 'ada@example.org'],
    ['Ada.Lovelace+tag@Example.ORG', 'Ada.Lovelace+tag@example.org'],
    ["o'brien_x!#$%&*+/=?^`{|}~-@x.org", "o'brien_x!#$%&*+/=?^`{|}~-@x.org"],
    ['root@localhost', 'root@localhost'],
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example'],
    ['a@日本語。jp', 'a@xn--wgv71a119e.jp'],
    ['a@ab--cd.example', 'a@ab--cd.example'],
    ['zoë@example.org', 'zoë@example.org'],
    ['用户@example.org', '用户@example.org'],
  ])('%s comes back as %s', (input, address) => {
    expect(parseAddress(input)).toEqual({ address });
    expect(parseAddress(address)).toEqual({ address });
  });
});

describe('an address that is refused', () => {
  test.each([
    ['', 'empty'],
    ['ada', 'no_at'],
    ['@x.org', 'bad_local_part'],
    ['a b@x.org', 'bad_local_part'],
    ['.a@x.org', 'bad_local_part'],
    ['a..b@x.org', 'bad_local_part'],
    ['a.@x.org', 'bad_local_part'],
    ['"a b"@x.org', 'bad_local_part'],
    ['a(comment)@x.org', 'bad_local_part'],
    ['a,b@x.org', 'bad_local_part'],
    ['<a@x.org>', 'bad_local_part'],
    ['Ada <ada@x.org>', 'bad_local_part'],
    ['a\r\nRCPT TO:<b@x.org>', 'bad_local_part'],
    ['a\u0000@x.org', 'bad_local_part'],
    ['a\u200b@x.org', 'bad_local_part'],
    ['a\u{e0041}@x.org', 'bad_local_part'],
    ['a\ud800@x.org', 'bad_local_part'],
    ['ada＠example.org@x.org', 'bad_local_part'],
    ['a＜b@x.org', 'bad_local_part'],
    ['a…b@x.org', 'bad_local_part'],
    [`${'a'.repeat(65)}@x.org`, 'bad_local_part'],
    [`${'ü'.repeat(33)}@x.org`, 'bad_local_part'],
    ['a@', 'bad_domain'],
    ['a@b@c', 'bad_domain'],
    ['a@x.org\n', 'bad_domain'],
    ['a@x..org', 'bad_domain'],
    ['a@x.org.', 'bad_domain'],
    ['a@-x.org', 'bad_domain'],
    ['a@x_y.org', 'bad_domain'],
    ['a@[192.0.2.1]', 'bad_domain'],
    ['a@192.0.2.1', 'bad_domain'],
    ['a@0x7f000001', 'bad_domain'],
    ['a@%65xample.org', 'bad_domain'],
    ['a@x\u00adyz.org', 'bad_domain'],
    ['a@x.org＠y.org', 'bad_domain'],
    ['a@xn--a.org', 'bad_domain'],
    [`a@${'b'.repeat(64)}.org`, 'bad_domain'],
    [`a@${'b'.repeat(300)}`, 'too_long'],
    [`${'a'.repeat(20)}@${Array(4).fill('ü'.repeat(55)).join('.')}`, 'too_long'],
  ])('%j is %s', (input, fault) => {
    expect(parseAddress(input)).toEqual({ fault });
  });
});

test('of 100,000 hostile strings none is taken that could be read as more than one address', () => {
  const pieces = [
    'a',
    'b',
    '@',
    '.',
    '\r\n',
    '\n',
    '\r',
    ' ',
    '<',
    '>',
    '"',
    '(',
    ')',
    ',',
    ';',
    ':',
    '\\',
    '\0',
  ];
  pieces.push(
    '\x7f',
    '\t',
    'é',
    'RCPT TO:',
    'x.org',
    'bücher.de',
    '%',
    '%0a',
    '[1.2.3.4]',
    '\u2028',
    '。',
    '＠',
    '\ud800',
  );
  pieces.push('\u00ad', 'ﬀ', '\u0085', 'xn--', '-', '\u{e0020}', 'ß', '＜', 'İ');
  const hostile = fc
    .tuple(
      fc.constantFrom('', '', 'u@'),
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 }),
      fc.constantFrom('', '', '@x.org'),
    )
    .map(([before, middle, after]) => before + middle.join('') + after);
  let taken = 0;
  fc.assert(
    fc.property(hostile, (input) => {
      const address = addressOf(input);
      if (address === undefined) return;
      taken += 1;
      expect(address).not.toMatch(/[^!-~\u00a1-\uffff]|[<>"(),;:\\[\]]/);
      expect(address.split('@')).toHaveLength(2);
      expect(domainOf(address)).toMatch(/^[a-z0-9.-]+$/);
      expect(addressOf(address)).toBe(address);
    }),
    { numRuns: 100_000, seed: 20_261_116 },
  );
  expect(taken).toBeGreaterThan(1_000);
});

test('100 KB of junk costs nothing', () => {
  const junk = ['a', 'a.', '@', '.', ' ', '\0', 'é', '\ud83d\ude00'].map((unit) =>
    unit.repeat(100_000 / unit.length),
  );
  const startedAt = performance.now();
  for (const input of junk) {
    expect(addressOf(input)).toBeUndefined();
    expect(addressOf(`${input}@x.org`)).toBeUndefined();
    expect(addressOf(`a@${input}`)).toBeUndefined();
  }
  expect(performance.now() - startedAt).toBeLessThan(200);
});
