import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { retryAfterSeconds, waitInText } from './retry-after.js';

const NOW = Date.parse('2026-10-03T09:00:00Z');

describe('the Retry-After header', () => {
  test.each([
    ['120', 120],
    [' 120 ', 120],
    ['0', 0],
    ['1.2', 2],
    ['86401', 86_400],
    ['99999999999999999999', 86_400],
    ['Sat, 03 Oct 2026 09:05:00 GMT', 300],
    ['Saturday, 03-Oct-26 09:05:00 GMT', 300],
    ['Sat Oct  3 09:05:00 2026', 300],
    ['2026-10-03T09:05:00Z', 300],
    ['2026-10-03T11:05:00.5+02:00', 301],
    ['Fri, 02 Oct 2026 09:05:00 GMT', 0],
    ['Sat, 03 Oct 2099 09:05:00 GMT', 86_400],
  ])('%j is %i s', (header, seconds) => {
    expect(retryAfterSeconds(header, NOW)).toBe(seconds);
  });

  test.each([
    '',
    'soon',
    '-5',
    '1e3',
    '0x10',
    '5 minutes',
    'Sat, 03 Foo 2026 09:05:00 GMT',
    '2026-10-03',
    '10/03/2026',
    '１２',
  ])('%j is not understood', (header) => {
    expect(retryAfterSeconds(header, NOW)).toBeUndefined();
  });

  test('a missing header is no wait', () => {
    expect(retryAfterSeconds(undefined, NOW)).toBeUndefined();
  });
});

describe('a wait in words', () => {
  test.each([
    ['Greylisted, please try again in 300 seconds', 300],
    ['Please try again in 5 minutes', 300],
    ['4.7.1 Greylisting in action, please come back in 00:05:00', 300],
    ['Greylisted for 1 hour', 3_600],
    ['graylisted, retry\r\nafter 90 secs.', 90],
    ['You must wait 30s', 30],
    ['try again later, in about 10 mins', 600],
    ['please retry in 90 hours', 86_400],
  ])('%j is %i s', (text, seconds) => {
    expect(waitInText(text)).toBe(seconds);
  });

  test.each([
    'timeout exceeded after 300 seconds',
    'try again later',
    'Try again later. 192.0.2.7 sent 40 seconds ago',
    'retry in 5 months',
    'too many messages: 300 in 60 seconds',
  ])('%j asks for none', (text) => {
    expect(waitInText(text)).toBeUndefined();
  });

  test('an instant is read where the present is known', () => {
    const text = 'User-rate limit exceeded.  Retry after 2026-10-03T09:10:00.000Z';
    expect(waitInText(text, NOW)).toBe(600);
    expect(waitInText(text)).toBeUndefined();
    expect(waitInText('Retry after 2026-10-01T09:10:00.000Z (Mail sending)', NOW)).toBe(0);
  });
});

test('whatever is said, the wait is a whole number of seconds within a day', () => {
  const texts = fc.oneof(
    fc.string(),
    fc
      .tuple(
        fc.constantFrom('try again in ', 'Retry after ', ''),
        fc.nat(),
        fc.constantFrom(' s', ' hours', ''),
      )
      .map((p) => p.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      for (const seconds of [retryAfterSeconds(text, NOW), waitInText(text, NOW)]) {
        if (seconds === undefined) continue;
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThanOrEqual(86_400);
      }
    }),
  );
});
