import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Verdict } from './rules.js';
import { toSendError } from './send-error.js';

const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  rule: 'x',
  class: 'retryable',
  scope: 'message',
  ...more,
});
const said = { code: '451 4.7.1', message: 'later' };

describe('the wait', () => {
  test('is the longer of the rule’s and the server’s', () => {
    const both = (minimumWaitSeconds: number, retryAfterSeconds: number) =>
      toSendError(verdict({ minimumWaitSeconds, retryAfterSeconds }), said).retryAfterSeconds;
    expect(both(300, 60)).toBe(300);
    expect(both(300, 900)).toBe(900);
  });

  test('is whichever there is, 0 included, and absent where there is none', () => {
    expect(toSendError(verdict({ minimumWaitSeconds: 5 }), said).retryAfterSeconds).toBe(5);
    expect(toSendError(verdict({ retryAfterSeconds: 0 }), said).retryAfterSeconds).toBe(0);
    expect(toSendError(verdict(), said)).toEqual({
      class: 'retryable',
      scope: 'message',
      code: '451 4.7.1',
      message: 'later',
    });
  });
});

test('a soft bounce stays one', () => {
  expect(toSendError(verdict({ softBounce: true }), said)).toMatchObject({ softBounce: true });
  expect(toSendError(verdict(), said)).not.toHaveProperty('softBounce');
});

describe('the text', () => {
  const clean = (message: string) => toSendError(verdict(), { code: 'X', message }).message;

  test('becomes one line without controls, escapes and turned directions', () => {
    expect(clean('a\r\nb\tc\u0000\u0007\u001b[31md\u009b\u202ee\u2028f')).toBe('a b c[31mde f');
  });

  test('is cut at 500 characters and never inside a pair', () => {
    expect(clean('x'.repeat(501))).toBe('x'.repeat(500));
    expect(clean(`${'x'.repeat(499)}📮 and more`)).toBe('x'.repeat(499));
  });

  test('of any bytes is well-formed, short and free of controls', () => {
    const texts = fc
      .array(fc.oneof(fc.nat(0xff), fc.nat(0xffff)), { maxLength: 2_000 })
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(texts, (text) => {
        for (const line of [clean(text), toSendError(verdict(), { code: text, message: '' }).code]) {
          expect(line.isWellFormed()).toBe(true);
          expect(line.length).toBeLessThanOrEqual(500);
          expect(/\p{Cc}/u.test(line)).toBe(false);
        }
      }),
    );
  });
});
