import { describe, expect, test } from 'vitest';
import { NOTHING_TAKEN, takenInHour, takenOn, usageOn, type Taken } from './taken.js';

const taken: Taken = {
  ...NOTHING_TAKEN,
  daysSent: 4,
  days: [
    { day: '2026-11-02', counts: { email: 7 } },
    { day: '2026-11-16', counts: { email: 3, inmail: 1 } },
    { day: '2026-11-18', counts: { email: 5 } },
    { day: '2026-11-19', counts: { email: 0 } },
    { day: '2026-11-20', counts: { email: 2 } },
  ],
  hours: [{ hour: 36, action: 'email', count: 2 }],
};

describe('what is taken', () => {
  test('is told by day and by hour, one action at a time', () => {
    expect(takenOn(taken, 'email', '2026-11-16')).toBe(3);
    expect(takenOn(taken, 'email', '2026-11-16', '2026-11-18')).toBe(8);
    expect(takenInHour(taken, 'email', 36)).toBe(2);
    expect(takenInHour(taken, 'inmail', 36)).toBe(0);
  });

  test('elsewhere in its week and month, and on days with mail between today and then, says what a day may have', () => {
    expect(usageOn(taken, 'email', '2026-11-18', '2026-11-20')).toEqual({
      daysSent: 5,
      restOfWeek: 8,
      restOfMonth: 15,
    });
    expect(usageOn(taken, 'email', '2026-11-18', '2026-11-18').daysSent).toBe(4);
  });
});
