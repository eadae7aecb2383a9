import { expect, test } from 'vitest';
import { daysWords, rampWords, spacingWords, windowWords } from './limits-words';

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

test('a window that differs by day says so, days that are alike together', () => {
  const window = { sendingDays: [1, 2, 3, 4, 5], startHour: 9, endHour: 18, timezone: 'Europe/Berlin' };
  const full = [
    ['13:30', '18:00'],
    ['09:00', '12:30'],
  ];
  const hours = { 1: full, 2: full, 3: full, 5: [['09:00', '12:00']], 6: [] };
  expect(windowWords({ ...window, hours })).toBe(
    'Mon to Wed, 09:00–12:30 and 13:30–18:00; Fri, 09:00–12:00 Europe/Berlin',
  );
});

test('limits are told as they are stored', () => {
  expect(spacingWords({ minSeconds: 30, maxSeconds: 90 })).toBe('30 to 90 s');
  expect(spacingWords({ minSeconds: 30, maxSeconds: 30 })).toBe('30 s');
  expect(rampWords({ enabled: false, start: 5, step: 5 })).toBe('off');
  expect(rampWords({ start: 5, step: 5 })).toBe('5, then 5 more each day');
});
