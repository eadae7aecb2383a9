import { expect, test } from 'vitest';
import { auditLines } from './audit-lines';

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

test('an entry without details has no lines', () => {
  for (const nothing of [null, undefined, {}, [], 'x', { changed: {} }])
    expect(auditLines(nothing)).toEqual([]);
});
