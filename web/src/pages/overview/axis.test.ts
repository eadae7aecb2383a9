import { describe, expect, test } from 'vitest';
import type { Series } from '../../api/types';
import { labelsOf, marksOf, rangeOf, stretchWords, ticksUpTo } from './axis';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const aSeries = (from: string, points: number, stepMs: number): Series =>
  Array.from({ length: points }, (_, n) => ({
    at: new Date(Date.parse(from) + n * stepMs).toISOString(),
    sent: 0,
    failed: 0,
  }));

const hour = aSeries('2026-11-16T14:43:00Z', 60, MINUTE);
const day = aSeries('2026-11-15T16:00:00Z', 24, HOUR);
const week = aSeries('2026-11-09T16:00:00Z', 168, HOUR);
const EST = 'America/New_York';

describe('the height of the chart', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [2, [0, 1, 2]],
    [5, [0, 2, 4, 6]],
    [16, [0, 10, 20]],
    [260, [0, 100, 200, 300]],
    [300, [0, 100, 200, 300]],
    [301, [0, 200, 400]],
    [4_800, [0, 2_000, 4_000, 6_000]],
  ])('for at most %i mails has the lines %j', (most, lines) => {
    expect(ticksUpTo(most)).toEqual(lines);
  });

  test('never has more than four lines, begins at 0 and holds the most', () => {
    for (let most = 0; most < 20_000; most = Math.ceil(most * 1.07) + 1) {
      const lines = ticksUpTo(most);
      expect(lines.length).toBeLessThanOrEqual(4);
      expect(lines[0]).toBe(0);
      expect(lines.at(-1)).toBeGreaterThanOrEqual(most);
    }
  });
});

describe('the times under the chart', () => {
  const texts = (series: Series, zone: string, widthPx: number) =>
    labelsOf(series, zone, widthPx).map(({ text }) => text);

  test('know an hour, a day and a week from their points', () => {
    expect([hour, day, week].map(rangeOf)).toEqual(['1h', '24h', '7d']);
  });

  test('are round ones of the zone, as many as there is room for', () => {
    expect(texts(hour, EST, 700)).toEqual(['09:50', '10:00', '10:10', '10:20', '10:30', '10:40']);
    expect(texts(hour, EST, 200)).toEqual(['10:00', '10:20', '10:40']);
    expect(texts(hour, 'Asia/Kolkata', 200)).toEqual(['20:20', '20:40', '21:00']);
  });

  test('name the day where it begins', () => {
    expect(texts(day, EST, 700)).toEqual([
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      'Mon 16 Nov',
      '03:00',
      '06:00',
      '09:00',
    ]);
    expect(texts(week, EST, 700)).toHaveLength(7);
    expect(texts(week, EST, 700)[0]).toBe('Tue 10 Nov');
    expect(texts(week, EST, 300)).toHaveLength(4);
  });

  test('keep to whole hours of the zone where its hours begin at half past', () => {
    expect(texts(day, 'Asia/Kolkata', 300)).toEqual(['00:30', '06:30', '12:30', '18:30']);
  });

  test('mark where the day changes', () => {
    expect(marksOf(day, EST)).toEqual([{ at: Date.parse('2026-11-16T05:00:00Z'), text: undefined }]);
    expect(marksOf(hour, EST)).toEqual([]);
  });

  test('mark where the clock changes', () => {
    const autumn = aSeries('2026-11-01T00:00:00Z', 24, HOUR);
    expect(marksOf(autumn, EST)).toEqual([
      { at: Date.parse('2026-11-01T04:00:00Z'), text: undefined },
      { at: Date.parse('2026-11-01T06:00:00Z'), text: 'clock changes to EST' },
    ]);
  });

  test('tell the exact stretch that a bar counts', () => {
    const at = Date.parse('2026-11-16T15:00:00Z');
    expect(stretchWords(at, MINUTE, EST)).toBe('10:00 EST');
    expect(stretchWords(at, HOUR, EST)).toBe('Mon 16 Nov, 10:00–11:00 EST');
  });
});
