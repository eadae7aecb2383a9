import { describe, expect, test } from 'vitest';
import { dayOfLabel, isoWeekday, labelOf, zoneNamed } from './zone.js';

const at = (instant: string): number => Date.parse(instant);
const iso = (instant: number): string => new Date(instant).toISOString();
const HOUR_MS = 3_600_000;

describe('a local day', () => {
  test.each([
    ['has 23 hours where clocks go forward', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00', 23],
    ['has 25 hours where they go back', 'Europe/Berlin', '2026-10-25', '2026-10-24T22:00', 25],
    ['has 23 and a half on Lord Howe Island', 'Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30', 23.5],
    ['and 24 and a half', 'Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00', 24.5],
    ['begins at one where there is no midnight', 'America/Havana', '2026-03-08', '2026-03-08T05:00', 23],
    ['begins half an hour after midnight nowhere', 'Asia/Kolkata', '2026-03-08', '2026-03-07T18:30', 24],
  ] as const)('%s', (_, name, date, starts, hours) => {
    const zone = zoneNamed(name);
    const start = zone.startOf(dayOfLabel(date));
    expect(iso(start)).toBe(`${starts}:00.000Z`);
    expect((zone.dayEnd(start) - start) / HOUR_MS).toBe(hours);
    expect(labelOf(zone.dayOf(start))).toBe(date);
    expect(labelOf(zone.dayOf(start - 1))).not.toBe(date);
  });

  test('may not exist: Apia went from the 29th to the 31st', () => {
    const zone = zoneNamed('Pacific/Apia');
    const [thirtieth, next] = ['2011-12-30', '2011-12-31'].map(dayOfLabel) as [number, number];
    expect(iso(zone.startOf(thirtieth))).toBe('2011-12-30T10:00:00.000Z');
    expect(zone.startOf(thirtieth)).toBe(zone.startOf(next));
    expect(labelOf(zone.dayOf(zone.startOf(thirtieth) - 1))).toBe('2011-12-29');
    expect(labelOf(zone.dayOf(zone.startOf(thirtieth)))).toBe('2011-12-31');
  });

  test('may be in two pieces: St. John’s went back at one minute past midnight', () => {
    const zone = zoneNamed('America/St_Johns');
    const label = (instant: string) => labelOf(zone.dayOf(at(instant)));
    // 00:00 of the 7th, then 23:01 of the 6th once more.
    expect(label('2010-11-07T02:29:59Z')).toBe('2010-11-06');
    expect(label('2010-11-07T02:30:00Z')).toBe('2010-11-07');
    expect(label('2010-11-07T02:31:00Z')).toBe('2010-11-06');
    expect(label('2010-11-07T03:30:00Z')).toBe('2010-11-07');
    // What begins before the first midnight ends there, and goes on after the minute.
    expect(iso(zone.dayEnd(at('2010-11-07T02:00:00Z')))).toBe('2010-11-07T02:30:00.000Z');
    expect(iso(zone.dayEnd(at('2010-11-07T02:40:00Z')))).toBe('2010-11-07T03:30:00.000Z');
  });
});

describe('a local hour', () => {
  test.each([
    ['that is shown twice is two', 'Europe/Berlin', '2026-10-25T00:30Z', '00:00', '01:00'],
    ['the second of them', 'Europe/Berlin', '2026-10-25T01:30Z', '01:00', '02:00'],
    ['before one that is missing', 'Europe/Berlin', '2026-03-29T00:59Z', '00:00', '01:00'],
    [
      'is half as long where clocks go forward by half an hour',
      'Australia/Lord_Howe',
      '2026-10-03T15:40Z',
      '15:30',
      '16:00',
    ],
    ['begins at half past where the offset has one', 'Asia/Kolkata', '2026-11-16T10:00Z', '09:30', '10:30'],
  ] as const)('%s', (_, name, instant, from, until) => {
    const zone = zoneNamed(name);
    const time = (t: number) => iso(t).slice(11, 16);
    expect([time(zone.hourOf(at(instant))), time(zone.hourEnd(at(instant)))]).toEqual([from, until]);
  });
});

test('days have labels, and weeks begin on Monday', () => {
  expect(labelOf(dayOfLabel('2028-02-29'))).toBe('2028-02-29');
  expect(['2026-11-16', '2026-11-22', '1969-12-29'].map((day) => isoWeekday(dayOfLabel(day)))).toEqual([
    1, 7, 1,
  ]);
  expect(dayOfLabel('2026-02-30x')).toBeNaN();
});

test('a mailbox whose zone was never set, or is none, has the clock of UTC', () => {
  for (const name of ['', 'Nowhere/Atall']) {
    const zone = zoneNamed(name);
    expect(zone.offsetAt(at('2026-07-01T00:00Z'))).toBe(0);
    expect(iso(zone.startOf(dayOfLabel('2026-07-01')))).toBe('2026-07-01T00:00:00.000Z');
  }
});
