import { expect, test } from 'vitest';
import { auditLines, targetWords } from './audit-lines';

test('a change tells from what to what, down to the field that differs', () => {
  const lane = { onDoubt: 'hold', guarded: false };
  const details = {
    body: { anything: 1 },
    changed: {
      pauseReason: { from: null, to: 'moving house' },
      lanes: { from: { outbox: lane }, to: { outbox: { ...lane, guarded: true } } },
    },
  };
  expect(auditLines(details)).toEqual([
    { name: 'pauseReason', from: 'none', to: 'moving house' },
    { name: 'lanes.outbox.guarded', from: 'false', to: 'true' },
  ]);
});

test('what was made tells what was given, what was removed tells what stood there', () => {
  const given = { name: 'Billing', scopes: ['send'], password: '[redacted]', window: { startHour: 9 } };
  expect(auditLines({ body: given })).toEqual([
    { name: 'name', to: 'Billing' },
    { name: 'scopes', to: '["send"]' },
    { name: 'window.startHour', to: '9' },
  ]);
  expect(auditLines({ was: { email: 'ada@example.org' } })).toEqual([
    { name: 'email', from: 'ada@example.org' },
  ]);
});

test('an address, or what somebody wrote, is told apart from others without being told', () => {
  const [a, b] = ['5_OIAYuNhDbS8gARTq0w23', 's-IsG5FYNs2E7uuE1kXM_n'];
  const changed = {
    emailAddress: { from: `person:${a}`, to: `person:${b}` },
    pauseReason: { to: `text:${a}` },
  };
  expect(auditLines({ changed })).toEqual([
    { name: 'emailAddress', from: 'an address (5_OIAY)', to: 'an address (s-IsG5)' },
    { name: 'pauseReason', from: 'none', to: 'a text (5_OIAY)' },
  ]);
  expect(auditLines({ body: { name: `Desk of person:${a}` } })).toEqual([
    { name: 'name', to: 'Desk of an address (5_OIAY)' },
  ]);
  expect(targetWords('person:…')).toBe('an address (…)');
  expect(targetWords('acc_2')).toBe('acc_2');
});

test('an entry without details has no lines', () => {
  for (const nothing of [null, undefined, {}, [], 'x', { changed: {} }])
    expect(auditLines(nothing)).toEqual([]);
});
