import { describe, expect, test } from 'vitest';
import { checkRule, draw, faultOfTag, faultsFor, wordsFor, type Fault, type Rule } from './behaviour.js';

const refuse = (code: number, at: 'mail' | 'rcpt' | 'data' = 'rcpt'): Fault => ({
  kind: 'refuse',
  at,
  code,
  text: 'no',
});

describe('the tag of an address', () => {
  test.each<[string, unknown]>([
    ['ada+550@example.org', { kind: 'refuse', at: 'rcpt', code: 550, text: '5.1.1 no such user here' }],
    [
      'ada+421@example.org',
      { kind: 'refuse', at: 'rcpt', code: 421, text: '4.7.0 too many connections, try again later' },
    ],
    [
      'ada+499@example.org',
      { kind: 'refuse', at: 'rcpt', code: 499, text: '4.0.0 refused, as the address asked' },
    ],
    [
      'ada+data554@example.org',
      { kind: 'refuse', at: 'data', code: 554, text: '5.7.1 message refused by policy' },
    ],
    ['ada+drop@example.org', { kind: 'drop', at: 'after_dot' }],
    ['ada+cut@example.org', { kind: 'drop', at: 'before_dot' }],
    ['ada+slow@example.org', { kind: 'delay', at: 'data', ms: 5_000 }],
    ['ada+slow30@example.org', { kind: 'delay', at: 'data', ms: 30_000 }],
    ['ada+slow999@example.org', { kind: 'delay', at: 'data', ms: 600_000 }],
    ['ada+list+DROP@example.org', { kind: 'drop', at: 'after_dot' }],
  ])('%s asks for a fault', (address, fault) => {
    expect(faultOfTag(address)).toEqual(fault);
  });

  test.each([
    'ada@example.org',
    '550@example.org',
    'ada+550+list@example.org',
    'ada+250@example.org',
    'ada+5500@example.org',
    'ada+slowly@example.org',
    'ada+@example.org',
    'ada@+550.example.org',
  ])('%s is an ordinary address', (address) => {
    expect(faultOfTag(address)).toBeUndefined();
  });
});

test('a rule strikes those whose address begins so, whatever the case, and one without a recipient everybody', () => {
  const rules: Rule[] = [{ recipient: 'ADA@', fault: refuse(550) }, { fault: refuse(451) }];
  const codes = (...recipients: string[]) =>
    faultsFor(rules, { recipients }).map((fault) => 'code' in fault && fault.code);
  expect(codes('ada@example.org')).toEqual([550, 451]);
  expect(codes('ada2@example.org')).toEqual([451]);
  expect(codes('bob@example.org', 'Ada@example.org')).toEqual([550, 451]);
  expect(codes()).toEqual([451]);
});

test.each<[string, Rule, Parameters<typeof faultsFor>[1][], Parameters<typeof faultsFor>[1][]]>([
  [
    'a whole domain',
    { recipient: '@Example.org', fault: refuse(451) },
    [{ recipients: ['bob@example.org'] }, { recipients: ['a@x.org', 'ADA@EXAMPLE.ORG'] }],
    [{ recipients: ['ada@sub.example.org'] }, { recipients: ['ada@example.org.uk'] }, { recipients: [] }],
  ],
  [
    'one sender',
    { sender: 'news@', fault: refuse(421, 'mail') },
    [{ sender: 'News@example.org', recipients: [] }],
    [{ sender: 'box@example.org', recipients: [] }, { recipients: ['news@example.org'] }],
  ],
  [
    'what is too large',
    { largerThanBytes: 100, fault: refuse(552, 'data') },
    [{ recipients: ['a@x.org'], bytes: 101 }],
    [{ recipients: ['a@x.org'], bytes: 100 }, { recipients: ['a@x.org'] }],
  ],
])('a rule can be about %s', (_what, rule, struck, spared) => {
  expect(struck.map((known) => faultsFor([rule], known))).toEqual(struck.map(() => [rule.fault]));
  expect(spared.map((known) => faultsFor([rule], known))).toEqual(spared.map(() => []));
});

test('a refusal names the recipient where it says <>', () => {
  expect(wordsFor('5.1.1 <>: unknown', ['a@x.org', 'b@x.org'])).toBe('5.1.1 <a@x.org>: unknown');
  expect(wordsFor('5.1.1 <>: unknown', [])).toBe('5.1.1 <>: unknown');
});

test('rules come before the tags of the recipients', () => {
  const recipients = ['a+550@x.org', 'b@x.org', 'c+drop@x.org'];
  const faults = faultsFor([{ fault: refuse(451) }], { recipients });
  expect(faults.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
    'refuse rcpt',
    'refuse rcpt',
    'drop after_dot',
  ]);
});

test('a share is drawn for each mail', () => {
  const rules: Rule[] = [{ share: 0.3, fault: refuse(451) }, { fault: refuse(550) }];
  let drawn = 0;
  const struck = Array.from({ length: 1_000 }, (_, n) => draw(rules, () => n / 1_000)).flat();
  for (const { share } of struck) if (share === 0.3) drawn += 1;
  expect(drawn).toBe(300);
  expect(struck).toHaveLength(1_300);
  expect(draw([{ share: 0, fault: refuse(451) }], () => 0)).toEqual([]);
});

test.each<[string, Rule, string]>([
  ['a share above one', { share: 1.5, fault: refuse(550) }, 'share'],
  ['a share that is no number', { share: NaN, fault: refuse(550) }, 'share'],
  ['a code that is no refusal', { fault: refuse(250) }, 'code'],
  ['a second line', { fault: { kind: 'refuse', at: 'data', code: 550, text: 'no\r\n250 yes' } }, 'text'],
  ['a delay without end', { fault: { kind: 'delay', at: 'data', ms: Infinity } }, 'ms'],
  ['a recipient where none is known', { recipient: 'ada', fault: refuse(451, 'mail') }, 'recipient'],
  ['a size where none is known', { largerThanBytes: 9, fault: refuse(552) }, 'largerThanBytes'],
])('%s is refused', (_what, rule, field) => {
  expect(() => checkRule(rule)).toThrow(expect.objectContaining({ code: 'invalid_input', field }));
});
