import { expect, test } from 'vitest';
import type { Account } from '../../api/types';
import { changedWords, isWhole, limitsChange, limitsDraft } from './limits-draft';

const account = (over: Partial<Account> = {}): Account => ({
  ...{ id: 'acc_1', name: 'Desk', type: 'email', emailAddress: null, displayName: null, isDefault: false },
  ...{ transport: { kind: 'smtp' }, dkim: null, dailyLimitEmails: 20, dailyLimitMessages: 50 },
  ...{ dailyLimitConnections: 20, dailyLimitInmails: 10, limits: [], window: null, rampUp: null },
  ...{
    spacing: null,
    holidays: null,
    maxConnections: 5,
    mailsInFlight: 1,
    status: 'active',
    pauseReason: null,
  },
  ...{ cooldownUntil: null, cooldownReason: null, createdAt: '', updatedAt: '' },
  ...over,
});

const change = (stored: Account, over: Partial<ReturnType<typeof limitsDraft>>) =>
  limitsChange(limitsDraft(stored), { ...limitsDraft(stored), ...over }, stored);

test('what nobody touched is not told', () => {
  const stored = account({ limits: [{ action: 'email', period: 'week', max: 80 }] });
  expect(change(stored, {})).toEqual({});
  expect(changedWords(limitsDraft(stored), limitsDraft(stored))).toEqual([]);
});

test('limits of the day are a field of their own, all others are a list', () => {
  const stored = account({ limits: [{ action: 'email', period: 'week', max: 80 }] });
  expect(change(stored, { counts: { email: { hour: 5, day: 30, week: null, month: 400 } } })).toEqual({
    dailyLimitEmails: 30,
    limits: [
      { action: 'email', period: 'hour', max: 5 },
      { action: 'email', period: 'month', max: 400 },
    ],
  });
});

test('a limit of the day among the others is the same limit', () => {
  const stored = account({ limits: [{ action: 'email', period: 'day', max: 8 }] });
  expect(limitsDraft(stored).counts.email?.day).toBe(8);
  expect(change(stored, { counts: { email: { hour: null, day: 12, week: null, month: null } } })).toEqual({
    dailyLimitEmails: 12,
    limits: [],
  });
});

test('an account that does several things has limits of each', () => {
  const requests = { action: 'connection_request', period: 'week', max: 100 } as const;
  const { counts } = limitsDraft(account({ type: 'linkedin', limits: [requests] }));
  expect(Object.keys(counts)).toEqual(['message', 'connection_request', 'inmail']);
  expect(counts.connection_request).toEqual({ hour: null, day: 20, week: 100, month: null });
});

test('a window of its own, and none again', () => {
  const week = Array.from({ length: 7 }, (_, n) => (n < 2 ? [[540, 1_020] as const] : []));
  expect(change(account(), { window: { week, timezone: 'UTC' } })).toEqual({
    window: { timezone: 'UTC', sendingDays: [1, 2], startHour: 9, endHour: 17 },
  });
  const half = week.map((day, n) => (n === 0 ? [[540, 750] as const] : day));
  expect(change(account(), { window: { week: half, timezone: 'UTC' } })).toEqual({
    window: { timezone: 'UTC', hours: { '1': [['09:00', '12:30']], '2': [['09:00', '17:00']] } },
  });
  const own = { sendingDays: [1], startHour: 9, endHour: 17, timezone: 'UTC' };
  expect(change(account({ window: own }), { window: null })).toEqual({ window: null });
});

test('holidays are given back to the workspace, and what is not whole is known', () => {
  expect(change(account({ holidays: ['2026-12-24'] }), { holidays: [] })).toEqual({ holidays: null });
  const draft = limitsDraft(account());
  expect(isWhole(draft)).toBe(true);
  expect(isWhole({ ...draft, spacing: { minSeconds: null, maxSeconds: 5 } })).toBe(false);
  expect(isWhole({ ...draft, window: { week: draft.window?.week ?? [[]], timezone: 'UTC' } })).toBe(false);
});
