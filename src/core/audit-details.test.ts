import { expect, test } from 'vitest';
import { anonymous, anonymousTarget, bounded, cutTexts } from './audit-details.js';

const mask = (text: string) => `#${String(text.length)}`;

test('numbers, choices, settings, ids and times stay as they are', () => {
  const said = {
    ...{ name: 'Billing', role: 'viewer', scopes: ['send', 'read'], guarded: true, retentionDays: 7 },
    ...{ accountId: 'acc_4t', ids: ['msg_1', 'msg_2'], createdAt: '2026-11-16T14:00:00.000Z', none: null },
    ...{
      window: { timezone: 'Europe/Berlin', hours: { '1': [['09:00', '12:30']] } },
      holidays: ['2026-12-25'],
    },
    ...{ transport: { kind: 'smtp', url: 'smtps://mail.example.org' }, password: '[redacted]' },
  };
  expect(anonymous(said, mask)).toEqual(said);
});

test('addresses and free texts become hashes, wherever they stand', () => {
  const said = {
    ...{ email: 'ada@example.org', displayName: 'Ada', pauseReason: 'ill', empty: '' },
    ...{ name: 'Desk of ada@example.org (old)', to: { email: 'bob@example.org', name: 'Bob' } },
  };
  expect(anonymous(said, mask)).toEqual({
    ...{ email: 'person:#15', displayName: 'text:#3', pauseReason: 'text:#3', empty: '' },
    ...{ name: 'Desk of person:#15 (old)', to: { email: 'person:#15', name: 'text:#3' } },
  });
});

test('where no hash can be made, nothing is left of them', () => {
  expect(anonymous({ email: 'ada@example.org', q: 'x y' }, undefined)).toEqual({
    email: 'person:…',
    q: 'text:…',
  });
  expect(anonymousTarget('ada@example.org', undefined)).toBe('person:…');
  expect(anonymousTarget('acc_4t', undefined)).toBe('acc_4t');
});

test('texts are cut, and details that nobody would read are told by their fields', () => {
  expect(cutTexts({ a: ['x'.repeat(10_000)], n: 1 })).toEqual({ a: ['x'.repeat(500)], n: 1 });
  const small = { body: { a: 1 } };
  expect(bounded(small)).toBe(small);
  const large = {
    body: Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`f${String(n)}`, 'x'.repeat(500)])),
  };
  const kept = bounded(large) as { cut: boolean; fields: { body: string[] } };
  expect(kept.cut).toBe(true);
  expect(kept.fields.body).toHaveLength(50);
  expect(JSON.stringify(kept).length).toBeLessThan(4_000);
});
