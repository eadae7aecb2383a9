import { describe, expect, test } from 'vitest';
import { redact, REDACTED } from './redaction.js';

const CANARY = 'canary-7f3a';

describe('redact', () => {
  test.each([
    ['password', { password: CANARY }],
    ['password in a list', { users: [{ name: 'Ada', password: CANARY }] }],
    ['secret of a provider', { transport: { kind: 'gmail', clientSecret: CANARY, refreshToken: CANARY } }],
    ['API key of a provider', { transport: { kind: 'unipile', apiKey: CANARY } }],
    ['name written another way', { smtp_PASSWORD: CANARY, 'api-key': CANARY, 'X-Auth-Token': CANARY }],
    ['whole object under such a name', { credentials: { user: CANARY, more: [CANARY] } }],
    ['number under such a name', { pin: 1234, note: 'x' }],
    ['password in an address', { transport: { kind: 'smtp', url: `smtp://ada:${CANARY}@mail.example:587` } }],
    ['user name in an address', { url: `smtps://${CANARY}@mail.example` }],
    ['token in the query of an address', { baseUrl: `https://api.example/v1?token=${CANARY}&page=2` }],
    ['address within a text', { note: `it was smtp://a:${CANARY}@mail.example before` }],
    ['key of ours within a text', { note: `use pbx_${CANARY}` }],
  ])('removes a %s', (_, value) => {
    const text = JSON.stringify(redact(value));
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain('1234');
  });

  test('keeps what is no secret, in the same shape', () => {
    const value = {
      name: 'Billing',
      url: 'smtp://mail.example:587?tls=none',
      idempotencyKey: 'booking-7',
      window: { sendingDays: [1, 2], startHour: 9 },
      enabled: true,
      password: null,
      nothing: null,
    };
    expect(redact(value)).toEqual(value);
    expect(redact({ url: 'smtp://ada:x@mail.example/' })).toEqual({ url: 'smtp://mail.example/' });
    expect(redact({ password: 'x', role: 'admin' })).toEqual({ password: REDACTED, role: 'admin' });
  });

  test('keeps it short: texts, lists, fields and depth have an end', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 1_000; level += 1) deep = { deep };
    const long = {
      text: 'x'.repeat(10_000),
      cut: `${'x'.repeat(499)}\u{1f600}`,
      list: Array.from({ length: 1_000 }, (_, index) => index),
      wide: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, index])),
      deep,
    };
    const short = redact(long) as typeof long;
    expect(JSON.stringify(short).length).toBeLessThan(5_000);
    expect(short.list.at(-1)).toBe('… 950 more');
    expect(short.cut.isWellFormed()).toBe(true);
  });

  test('what is cut is cut between two words: half an address would not show that it holds a password', () => {
    // Credentials shrink to nothing, so that what stands far behind comes into sight.
    const straddling = `smtp://${'x'.repeat(3_973)}@ smtp://ada:hunter2hunter2@mail.example`;
    expect(straddling.slice(0, 4_000)).toMatch(/ada:hunter2$/);
    expect(JSON.stringify(redact(straddling))).not.toContain('hunter2');
    expect(redact('x'.repeat(100_000))).toBe('…');
  });

  test('a field called __proto__ pollutes nothing', () => {
    const redacted = redact(JSON.parse('{"__proto__":{"admin":true}}')) as Record<string, unknown>;
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expect(Object.keys(redacted)).toEqual(['__proto__']);
  });
});
