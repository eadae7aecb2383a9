import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wallClock } from '../../test/sending-world.js';
import {
  calculateRampUpQuota,
  DEFAULT_DAILY_LIMITS,
  getDailyLimitForAccount,
  getNextSendingSlot,
  isWithinSendingWindow,
  isWithinSendWindow,
  type WindowSettings,
} from './seed-names.js';
import { SENDING_DEFAULTS } from './sending.js';

const newYork = { ...SENDING_DEFAULTS, timezone: 'America/New_York' };
const at = (text: string) => new Date(text);

describe('the names that schedulers know', () => {
  test('whether an instant is inside the window', () => {
    expect(isWithinSendingWindow(newYork, at('2026-11-16T14:00:00Z'))).toBe(true);
    expect(isWithinSendingWindow(newYork, at('2026-11-16T13:59:59Z'))).toBe(false);
    expect(isWithinSendingWindow(newYork, at('2026-11-15T15:00:00Z'))).toBe(false);
    expect(isWithinSendingWindow({ ...newYork, holidays: ['2026-11-16'] }, at('2026-11-16T15:00:00Z'))).toBe(
      false,
    );
  });

  test('settings that were changed since they were last asked about are read anew', () => {
    const monday = at('2026-11-16T15:00:00Z');
    const changing = {
      ...newYork,
      ...{ sendingDays: [1, 2], holidays: ['2026-12-25'] },
      hours: undefined as Record<number, [string, string][]> | undefined,
    };
    const isOpen = () => isWithinSendingWindow(changing as WindowSettings, monday);
    expect(isOpen()).toBe(true);
    changing.holidays.push('2026-11-16');
    expect(isOpen()).toBe(false);
    changing.holidays.pop();
    changing.sendingDays[0] = 3;
    expect(isOpen()).toBe(false);
    changing.hours = { 1: [['10:00', '11:00']] };
    expect(isOpen()).toBe(true);
    changing.hours[1]![0]![0] = '10:30';
    expect(isOpen()).toBe(false);
    changing.timezone = 'America/St_Johns';
    expect(isOpen()).toBe(false);
    changing.hours = { 1: [['11:00', '12:00']] };
    expect(isOpen()).toBe(true);
  });

  test('the next instant that is, over a weekend on which clocks change', () => {
    expect(getNextSendingSlot(newYork, at('2026-10-30T22:00:00Z'))).toEqual(at('2026-11-02T14:00:00Z'));
    expect(getNextSendingSlot(newYork, at('2026-11-02T15:00:01Z'))).toEqual(at('2026-11-02T15:00:01Z'));
  });

  test('a next slot is inside, and nothing before it is', () => {
    const year = fc.date({
      min: at('2026-01-01T00:00:00Z'),
      max: at('2027-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(year, (from) => {
        const slot = getNextSendingSlot(newYork, from);
        expect(isWithinSendingWindow(newYork, slot)).toBe(true);
        if (slot > from) expect(isWithinSendingWindow(newYork, new Date(slot.getTime() - 1))).toBe(false);
        const { weekday, seconds } = wallClock(slot.getTime(), 'America/New_York');
        expect(weekday).toBeLessThanOrEqual(5);
        expect(seconds).toSatisfy((second: number) => second >= 9 * 3_600 && second < 18 * 3_600);
      }),
      { numRuns: 100 },
    );
  });

  test('a window that never opens and a date that is none are said, not looped over', () => {
    expect(() => getNextSendingSlot({ ...newYork, sendingDays: [] }, at('2026-11-16T14:00:00Z'))).toThrow(
      'never opens',
    );
    expect(() => isWithinSendingWindow(newYork, at('soon'))).toThrow('not a date');
  });

  test.each([
    [1, 5],
    [2, 10],
    [20, 100],
    [500, 100],
    [0, 5],
  ])('day %i of a ramp-up may send %i', (dayNumber, quota) => {
    expect(calculateRampUpQuota({ ...newYork, rampUpEnabled: true }, dayNumber)).toBe(quota);
  });

  test('without ramp-up the first day has all of it', () => {
    expect(calculateRampUpQuota(newYork, 1)).toBe(100);
  });

  test('a date that shows the wall clock of its zone', () => {
    expect(isWithinSendWindow(new Date(2026, 10, 16, 9, 0))).toBe(true);
    expect(isWithinSendWindow(new Date(2026, 10, 16, 8, 59, 59))).toBe(false);
    expect(isWithinSendWindow(new Date(2026, 10, 16, 18, 0))).toBe(false);
    expect(isWithinSendWindow(new Date(2026, 10, 15, 12, 0))).toBe(false);
    expect(isWithinSendWindow(new Date(2026, 10, 15, 12, 0), { ...newYork, sendingDays: [7] })).toBe(true);
  });

  test('what an account may do in a day: its own word, else the usual', () => {
    expect(DEFAULT_DAILY_LIMITS).toMatchObject({ email: 20, linkedin_dm: 50, linkedin_connect: 20 });
    expect(getDailyLimitForAccount({ type: 'email' }, 'email')).toBe(20);
    expect(getDailyLimitForAccount({ type: 'email', dailyLimitEmails: 7 }, 'email')).toBe(7);
    expect(getDailyLimitForAccount({ type: 'linkedin', dailyLimitMessages: 9 }, 'linkedin_dm')).toBe(9);
    expect(getDailyLimitForAccount({ type: 'linkedin' }, 'linkedin_connect')).toBe(20);
    const limits = [{ action: 'email', period: 'day', max: 4 } as const];
    expect(getDailyLimitForAccount({ type: 'email', limits }, 'email')).toBe(4);
    expect(getDailyLimitForAccount({ type: 'email' }, 'inmail')).toBe(0);
  });
});
