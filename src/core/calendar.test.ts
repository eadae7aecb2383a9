import { describe, expect, test } from 'vitest';
import { calendarFor } from './calendar.js';
import type { SendingWindow } from './sending.js';

const at = (instant: string): number => Date.parse(instant);
const iso = (instant: number): string => new Date(instant).toISOString().slice(0, 16);
const DAYS = [1, 2, 3, 4, 5, 6, 7];

const window = (timezone: string, startHour: number, endHour: number, sendingDays = DAYS): SendingWindow => ({
  ...{ timezone, startHour, endHour, sendingDays },
});

/** The intervals of a window that begin in a stretch of UTC. */
function intervals(
  from: string,
  until: string,
  of: SendingWindow,
  holidays: readonly string[] = [],
): string[] {
  const calendar = calendarFor(of, holidays, at(from));
  const found: string[] = [];
  for (let next = calendar.interval(at(from)); next && next.opensAt < at(until);) {
    found.push(`${iso(next.opensAt)} ${iso(next.closesAt)}`);
    next = calendar.interval(next.closesAt);
  }
  return found;
}

describe('a window is the set of instants whose wall clock is inside', () => {
  test('an hour that is missing has no place in it', () => {
    expect(intervals('2026-03-28T00:00Z', '2026-03-29T12:00Z', window('Europe/Berlin', 1, 4))).toEqual([
      '2026-03-28T00:00 2026-03-28T03:00',
      '2026-03-29T00:00 2026-03-29T02:00',
    ]);
    // All of it is missing.
    expect(intervals('2026-03-28T02:00Z', '2026-03-31T00:00Z', window('Europe/Berlin', 2, 3))).toEqual([
      '2026-03-30T00:00 2026-03-30T01:00',
    ]);
  });

  test('one that is shown twice has both, as one interval or as two', () => {
    const night = ['2026-10-25T00:00Z', '2026-10-26T00:00Z'] as const;
    expect(intervals(...night, window('Europe/Berlin', 2, 3))).toEqual(['2026-10-25T00:00 2026-10-25T02:00']);
    const hours = { 7: [['02:15', '02:45']] } as SendingWindow['hours'];
    expect(intervals(...night, { ...window('Europe/Berlin', 0, 24), hours: hours! })).toEqual([
      '2026-10-25T00:15 2026-10-25T00:45',
      '2026-10-25T01:15 2026-10-25T01:45',
    ]);
  });

  test('a day without a midnight begins when it begins', () => {
    expect(intervals('2026-03-08T00:00Z', '2026-03-09T00:00Z', window('America/Havana', 0, 3))).toEqual([
      '2026-03-08T05:00 2026-03-08T07:00',
    ]);
  });

  test('half an hour more or less, on Lord Howe Island', () => {
    const early = window('Australia/Lord_Howe', 1, 3);
    expect(intervals('2026-10-03T12:00Z', '2026-10-04T12:00Z', early)).toEqual([
      '2026-10-03T14:30 2026-10-03T16:00',
    ]);
    expect(intervals('2026-04-04T12:00Z', '2026-04-05T12:00Z', early)).toEqual([
      '2026-04-04T14:00 2026-04-04T16:30',
    ]);
  });

  test('a date that was skipped has none', () => {
    expect(intervals('2011-12-29T00:00Z', '2012-01-01T00:00Z', window('Pacific/Apia', 9, 10))).toEqual([
      '2011-12-29T19:00 2011-12-29T20:00',
      '2011-12-30T19:00 2011-12-30T20:00',
      '2011-12-31T19:00 2011-12-31T20:00',
    ]);
  });

  test('a day in two pieces has its window in both, and each minute belongs to its own day', () => {
    // Clocks went from 00:01 of Sunday back to 23:01 of Saturday.
    const saturdays = window('America/St_Johns', 23, 24, [6]);
    expect(intervals('2010-11-06T12:00Z', '2010-11-08T00:00Z', saturdays)).toEqual([
      '2010-11-07T01:30 2010-11-07T02:30',
      '2010-11-07T02:31 2010-11-07T03:30',
    ]);
    expect(
      intervals('2010-11-06T12:00Z', '2010-11-08T00:00Z', window('America/St_Johns', 0, 1, [7])),
    ).toEqual(['2010-11-07T02:30 2010-11-07T02:31', '2010-11-07T03:30 2010-11-07T04:30']);
  });

  test('holidays and days off are left out', () => {
    const working = window('America/New_York', 9, 17, [1, 2, 3, 4, 5]);
    expect(intervals('2026-11-25T00:00Z', '2026-11-30T00:00Z', working, ['2026-11-26'])).toEqual([
      '2026-11-25T14:00 2026-11-25T22:00',
      '2026-11-27T14:00 2026-11-27T22:00',
    ]);
  });

  test('it is asked about the instant in question, and not about now', () => {
    const working = window('Europe/Berlin', 9, 17);
    // Asked on a summer's night for a winter's morning: open by the clock of that morning.
    const calendar = calendarFor(working, [], at('2026-07-01T23:00Z'));
    expect(calendar.isOpen(at('2026-12-01T08:00Z'))).toBe(true);
    expect(calendar.isOpen(at('2026-12-01T07:30Z'))).toBe(false);
    expect(calendar.isOpen(at('2026-07-02T07:30Z'))).toBe(true);
    expect(iso(calendar.next(at('2026-12-01T17:00Z')))).toBe('2026-12-02T08:00');
  });

  test('beyond the years that are known nothing opens', () => {
    const calendar = calendarFor(window('UTC', 0, 24), [], at('2026-01-01T00:00Z'));
    expect(calendar.next(at('2034-01-01T00:00Z'))).toBeNaN();
    expect(calendar.interval(at('2034-01-01T00:00Z'))).toBeUndefined();
  });
});
