import { expect, test } from 'vitest';
import { ApiError } from '../../api/client';
import { refusalWords } from './refusal-words';

const wrong = (triesLeft?: number) =>
  refusalWords(new ApiError(401, 'wrong_credentials', 'wrong', undefined, undefined, triesLeft));

test('never says which of the two was wrong', () => {
  expect(wrong().title).toBe('That email and password do not match.');
});

test('says how many tries are left when the server does', () => {
  expect(wrong().text).toBe('After ten wrong tries there is a pause.');
  expect(wrong(3).text).toBe('3 more tries, then a pause of 15 minutes.');
  expect(wrong(1).text).toBe('One more try, then a pause of 15 minutes.');
  expect(wrong(0).text).toBe('That was the last try before a pause of 15 minutes.');
});

test('says when to come back', () => {
  const late = (seconds: number) =>
    refusalWords(new ApiError(429, 'too_many_attempts', 'x', undefined, seconds));
  expect(late(30).text).toBe('Try again in a minute.');
  expect(late(840).text).toBe('Try again in 14 minutes.');
});

test('an outage is not a refusal', () => {
  expect(refusalWords(new ApiError(0, 'offline', 'x')).title).toBe('No connection to the server.');
});
