import { expect, test } from 'vitest';
import { changedWords, changeOf, isNever, isWhole, sendingDraft } from './sending-draft';

const STORED = {
  ...{ sendingDays: [1, 2, 3, 4, 5], startHour: 9, endHour: 17, timezone: 'America/New_York' },
  ...{ dailyQuota: 100, rampUpEnabled: false, rampUp: { start: 5, step: 5 } },
  ...{ spacing: { minSeconds: 30, maxSeconds: 90 }, holidays: ['2026-12-25'] },
};
const before = sendingDraft(STORED);

test('what nobody touched is no change', () => {
  expect(changeOf(before, before)).toEqual({});
  expect(changedWords(before, before)).toEqual([]);
});

test('only what differs is told, hours as simply as they can be said', () => {
  const shorter = {
    ...before,
    week: before.week.map((day) => (day.length > 0 ? [[600, 960] as const] : [])),
  };
  expect(changeOf(before, shorter)).toEqual({
    ...{ sendingDays: [1, 2, 3, 4, 5], startHour: 10, endHour: 16, hours: null },
  });
  const friday = { ...before, week: before.week.map((day, n) => (n === 4 ? [[540, 780] as const] : day)) };
  expect(Object.keys(changeOf(before, friday))).toEqual(['hours']);
  expect(changedWords(before, friday)).toEqual(['hours of 1 day']);
});

test('holidays, numbers and the zone are named each', () => {
  const draft = {
    ...before,
    ...{ timezone: 'UTC', dailyQuota: 20, holidays: ['2026-12-24'], rampUpEnabled: true },
    spacing: { minSeconds: 60, maxSeconds: 90 },
  };
  expect(changedWords(before, draft)).toEqual([
    'time zone',
    'mails a day',
    'spacing',
    'ramp-up',
    '2 holidays',
  ]);
  expect(changeOf(before, draft)).toEqual({
    ...{ timezone: 'UTC', dailyQuota: 20, rampUpEnabled: true, holidays: ['2026-12-24'] },
    spacing: { minSeconds: 60, maxSeconds: 90 },
  });
});

test('what cannot be saved is known', () => {
  expect(isWhole(before)).toBe(true);
  expect(isWhole({ ...before, dailyQuota: null })).toBe(false);
  expect(isNever(before)).toBe(false);
  expect(isNever({ ...before, week: before.week.map(() => []) })).toBe(true);
});
