import { describe, expect, test } from 'vitest';
import { rulesOf } from '../rules.js';
import { SENDING_DEFAULTS } from '../sending.js';
import { dayQuotas } from './day-quotas.js';

const NOW = Date.parse('2026-11-18T08:00:00Z');
const rules = rulesOf(
  { ...SENDING_DEFAULTS, dailyQuota: 18 },
  { type: 'email', rampUp: { enabled: true, start: 5, step: 5 } },
  NOW,
);
const known = {
  today: '2026-11-18',
  daysSent: 1,
  dates: ['2026-11-17', '2026-11-18', '2026-11-20', '2026-11-23'],
};

describe('what an account may send on its dates', () => {
  test.each([
    ['2026-11-16', 5],
    ['2026-11-17', 5],
    ['2026-11-18', 10],
    ['2026-11-19', 15],
    ['2026-11-20', 15],
    ['2026-11-23', 18],
    ['2027-01-04', 18],
  ])('on %s it is %i: dates with mail before it raise it, as far as the workspace allows', (date, quota) => {
    expect(dayQuotas(rules, known)('email', date)).toBe(quota);
  });

  test('is the limit where nothing ramps up', () => {
    const flat = rulesOf(SENDING_DEFAULTS, { type: 'email', dailyLimitEmails: 7 }, NOW);
    expect(dayQuotas(flat, known)('email', '2026-11-18')).toBe(7);
    expect(dayQuotas(flat, known)('inmail', '2026-11-18')).toBe(0);
  });
});
