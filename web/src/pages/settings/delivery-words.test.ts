import { expect, test } from 'vitest';
import { expiryEffect, readWaits, retryEffect, secondsWords, writeWaits } from './delivery-words';

test.each([
  [0, '0 s'],
  [45, '45 s'],
  [90, '1 m 30 s'],
  [5_400, '1 h 30 m'],
  [86_400, '1 day'],
  [172_800, '2 days'],
])('%d seconds are "%s"', (seconds, words) => expect(secondsWords(seconds)).toBe(words));

test('a policy is told by what it does', () => {
  expect(retryEffect({ maxAttempts: 5, delaysSeconds: [60, 120, 240, 480] })).toBe(
    '5 tries, waiting 1 m, 2 m, 4 m, 8 m. Dead after 15 m.',
  );
  expect(retryEffect({ maxAttempts: 1, delaysSeconds: [60] })).toBe(
    'One try. If it fails, the mail is dead.',
  );
});

test('the last wait goes on where there are more tries than waits', () => {
  expect(retryEffect({ maxAttempts: 4, delaysSeconds: [0, 60] })).toBe(
    '4 tries, waiting not at all, 1 m, 1 m. Dead after 2 m.',
  );
});

test('waits are read as they are written', () => {
  expect(readWaits('1m 5m, 1h 2d 30s')).toEqual([60, 300, 3_600, 172_800, 30]);
  expect(writeWaits([60, 300, 3_600, 172_800, 30, 0])).toBe('1m 5m 1h 2d 30s 0s');
  for (const wrong of ['', 'soon', '5', '5 m', '-1m', '1.5h']) expect(readWaits(wrong)).toBeUndefined();
});

test('an expiry says what it costs', () => {
  expect(expiryEffect(null)).toBe('It is tried as long as its retries last.');
  expect(expiryEffect(86_400)).toBe('What has not left 1 day after it was accepted is not sent any more.');
});
