import { expect, test } from 'vitest';
import { daysWords, holidayWords, rampWords, spacingWords, windowWords } from './limits-words';

test('days in a row are a stretch, others a list', () => {
  expect(daysWords([5, 1, 2, 3, 4])).toBe('Mon to Fri');
  expect(daysWords([1, 3])).toBe('Mon, Wed');
  expect(daysWords([6, 7])).toBe('Sat, Sun');
  expect(daysWords([])).toBe('never');
});

test('a window names its zone', () => {
  const window = { sendingDays: [1, 2, 3], startHour: 8, endHour: 17, timezone: 'Europe/Berlin' };
  expect(windowWords(window)).toBe('Mon to Wed, 08:00–17:00 Europe/Berlin');
});

test('limits are told as they are stored', () => {
  expect(spacingWords({ minSeconds: 30, maxSeconds: 90 })).toBe('30 to 90 s');
  expect(spacingWords({ minSeconds: 30, maxSeconds: 30 })).toBe('30 s');
  expect(rampWords({ enabled: false, start: 5, step: 5 })).toBe('off');
  expect(rampWords({ start: 5, step: 5 })).toBe('5, then 5 more each day');
  expect(holidayWords([])).toBe('none');
  expect(holidayWords(['2026-12-25', '2027-01-01'])).toBe('2026-12-25, 2027-01-01');
});
