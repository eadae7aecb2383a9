import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SendReport } from './report.js';
import { reportOfThrow, saneReport } from './sane-report.js';

const failed = (error: object): SendReport =>
  ({ status: 'failed', provider: 'p', error }) as unknown as SendReport;

describe('a report made sane', () => {
  test('keeps what is right', () => {
    const error = {
      class: 'recipient',
      scope: 'recipient',
      code: '550 5.1.1',
      message: 'no such user',
    } as const;
    expect(saneReport({ status: 'failed', provider: 'smtp', error }, true)).toEqual({
      status: 'failed',
      provider: 'smtp',
      error,
    });
    const sent = { status: 'sent', provider: 'smtp', providerMessageId: 'queued as 7' } as const;
    expect(saneReport(sent, true)).toEqual(sent);
  });

  test('keeps how long a key is known, if that can be true', () => {
    const keyed = (keyLifeSeconds: unknown) =>
      saneReport(
        failed({ class: 'retryable', scope: 'message', code: 'x', message: '', keyLifeSeconds }),
        true,
      );
    expect(keyed(90.5)).toMatchObject({ error: { keyLifeSeconds: 90 } });
    expect(keyed(0)).toMatchObject({ error: { keyLifeSeconds: 0 } });
    for (const none of [undefined, NaN, -1, 'long'])
      expect(keyed(none)).not.toHaveProperty('error.keyLifeSeconds');
  });

  test('has no characters that a database refuses', () => {
    const report = saneReport(
      failed({ class: 'retryable', scope: 'message', code: 'a\0b', message: 'x\ud800\0y' }),
      false,
    );
    expect(report).toMatchObject({ error: { code: 'ab', message: 'x\ufffdy' } });
  });

  test.each([NaN, Infinity, -5, 'soon'])('a wait of %s is no wait, or a bounded one', (retryAfterSeconds) => {
    const { error } = saneReport(
      failed({ class: 'retryable', scope: 'message', code: 'x', message: '', retryAfterSeconds }),
      false,
    ) as {
      error: { retryAfterSeconds?: number };
    };
    expect(error.retryAfterSeconds ?? 0).toBeLessThanOrEqual(30 * 24 * 3_600);
    expect(error.retryAfterSeconds ?? 0).toBeGreaterThanOrEqual(0);
  });

  test('a class that does not exist is judged by the gate', () => {
    expect(saneReport(failed({ class: 'odd' }), true).status).toBe('in_doubt');
    expect(saneReport(failed({ class: 'odd' }), false).status).toBe('retryable');
    expect(saneReport({ status: 'retryable', provider: 'p' } as unknown as SendReport, true).status).toBe(
      'in_doubt',
    );
  });

  test('whatever is thrown, it is a report that can be stored', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), fc.boolean(), (thrown, handedOver) => {
        const report = reportOfThrow('p', thrown, handedOver);
        expect(report.status).toBe(handedOver ? 'in_doubt' : 'retryable');
        expect(JSON.stringify(report)).not.toMatch(/\\u0000|\\ud8/);
      }),
    );
  });
});
