import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalAddress, canonicalBeginning, domainOf, parseAddress } from './address.js';
import { fastestMs } from '../../test/fastest.js';

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

test('100 KB of junk costs less than to read it', () => {
  const junk = ['a', 'a.', '@', '.', ' ', '\0', 'é', '\ud83d\ude00'].map((unit) =>
    unit.repeat(100_000 / unit.length),
  );
  const parsing = fastestMs(() => {
    for (const input of junk) {
      for (const text of [input, `${input}@x.org`, `a@${input}`]) {
        if (addressOf(text) !== undefined) expect.fail(`taken: ${text.slice(0, 20)}`);
      }
    }
  });
  const reading = fastestMs(() => {
    let letters = 0;
    for (const input of junk) for (const letter of input) letters += letter.length;
    expect(letters).toBe(800_000);
  });
  expect(parsing).toBeLessThan(reading);
});

describe('the canonical form of an address', () => {
  const JOERG = 'jörg@xn--bcher-kva.example';

  test.each([
    'jörg@bücher.example',
    'Jörg@bücher.example',
    'JÖRG@BÜCHER.EXAMPLE',
    'jörg@Bücher.Example',
    'jo\u0308rg@bücher.example',
    'JO\u0308RG@bu\u0308cher.example',
    'jörg@xn--bcher-kva.example',
    'JÖRG@XN--BCHER-KVA.EXAMPLE',
    'jörg@bücher。example',
    'jÖrG@ＢÜCHER.example',
  ])('is the same for %s as for nine other spellings [D23]', (spelling) => {
    expect(canonicalAddress(spelling)).toBe(JOERG);
    const parsed = parseAddress(spelling);
    expect('address' in parsed && canonicalAddress(parsed.address)).toBe(JOERG);
  });

  test('knows a letter whose shape depends on its place', () => {
    expect(canonicalAddress('ΝΊΚΟΣ@example.org')).toBe(canonicalAddress('νίκος@example.org'));
    expect(canonicalAddress('ΝΊΚΟΣ.Α@example.org')).toBe(canonicalAddress('νίκοσ.α@example.org'));
  });

  test('leaves dots and tags alone: whose they are is not ours to know', () => {
    const others = [
      'ada.lovelace@gmail.com',
      'adalovelace@gmail.com',
      'ada+x@gmail.com',
      'ada@googlemail.com',
    ];
    expect(new Set(others.map(canonicalAddress)).size).toBe(4);
  });

  test('comes back unchanged, and does not know case', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.tuple(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.domain()).map((parts) => parts.join('@')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const canonical = canonicalAddress(text);
        expect(canonicalAddress(canonical)).toBe(canonical);
      }),
      { numRuns: 500 },
    );
    const plain = fc.stringMatching(
      /^[A-Za-z0-9]{1,12}(\.[A-Za-z0-9+-]{1,12})?@[A-Za-z0-9]{1,12}\.[A-Za-z]{2,6}$/,
    );
    fc.assert(
      fc.property(plain, (address) => {
        expect(canonicalAddress(address)).toBe(address.toLowerCase());
        expect(canonicalAddress(address.toUpperCase())).toBe(address.toLowerCase());
      }),
    );
  });

  test('begins as what a person has typed of it', () => {
    expect(canonicalBeginning('Bob')).toBe('bob');
    expect(canonicalBeginning('Bob@Exa')).toBe('bob@exa');
    expect(canonicalBeginning('Bob@Bücher.example')).toBe('bob@xn--bcher-kva.example');
  });
});
