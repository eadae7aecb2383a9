import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERROR_CLASSES } from '../report.js';
import type { HttpAnswer } from './http-rule.js';
import { classifyHttp } from './http.js';
import { fastestMs } from '../../../test/fastest.js';

const NOW = Date.parse('2026-10-03T09:00:00Z');

const answer = (more: Partial<HttpAnswer>): HttpAnswer => ({
  provider: 'gmail',
  status: 500,
  body: undefined,
  headers: {},
  idempotent: false,
  now: NOW,
  ...more,
});

describe('waiting', () => {
  test('Gmail says in its text when to come back', () => {
    const body = {
      error: { code: 429, message: 'User-rate limit exceeded.  Retry after 2026-10-03T09:15:00.000Z' },
    };
    expect(classifyHttp(answer({ status: 429, body }))).toMatchObject({
      class: 'rate_limited',
      scope: 'account',
      retryAfterSeconds: 900,
    });
  });

  test('the header wins over the text, and garbage in it is not heard', () => {
    const body = { message: 'try again in 60 seconds' };
    const status = 429;
    expect(classifyHttp(answer({ status, body, headers: { 'retry-after': '7' } })).retryAfterSeconds).toBe(7);
    expect(classifyHttp(answer({ status, body, headers: { 'retry-after': 'soon' } })).retryAfterSeconds).toBe(
      60,
    );
    expect(classifyHttp(answer({ status, headers: { 'retry-after': 'soon' } }))).not.toHaveProperty(
      'retryAfterSeconds',
    );
  });

  test('503 with a Retry-After is a limit for a provider with keys, and still a doubt for Gmail', () => {
    const unavailable = { status: 503, headers: { 'retry-after': '30' } };
    expect(classifyHttp(answer({ ...unavailable, provider: 'http' })).class).toBe('rate_limited');
    expect(classifyHttp(answer(unavailable)).class).toBe('in_doubt');
  });
});

describe('doubt', () => {
  test.each([500, 502, 503, 504, 520])(
    '%i after the POST is a doubt, unless a key makes a second one harmless',
    (status) => {
      expect(classifyHttp(answer({ status })).class).toBe('in_doubt');
      expect(classifyHttp(answer({ status, provider: 'unipile' })).class).toBe('in_doubt');
      expect(classifyHttp(answer({ status, provider: 'http', idempotent: true })).class).toBe('retryable');
    },
  );

  test('a token endpoint that fails is asked again', () => {
    expect(classifyHttp(answer({ status: 503, idempotent: true })).class).toBe('retryable');
  });
});

describe('reasons', () => {
  test('Google writes them in two places', () => {
    const old = { error: { errors: [{ reason: 'userRateLimitExceeded' }] } };
    const details = { error: { status: 'RESOURCE_EXHAUSTED', details: [{ reason: 'RATE_LIMIT_EXCEEDED' }] } };
    expect(classifyHttp(answer({ status: 403, body: old })).rule).toBe('gmail-rate');
    expect(classifyHttp(answer({ status: 403, body: details })).rule).toBe('gmail-rate');
    expect(
      classifyHttp(answer({ status: 403, body: { error: { errors: [{ reason: 'domainPolicy' }] } } })).class,
    ).toBe('account');
  });

  test.each(['errors/disconnected_account', 'provider/disconnected_account', 'disconnected_account'])(
    'Unipile means the same by %s',
    (type) => {
      expect(classifyHttp(answer({ provider: 'unipile', status: 401, body: { type } })).rule).toBe(
        'unipile-account',
      );
    },
  );

  test('a reason of one provider means nothing from another', () => {
    const body = { type: 'errors/cannot_resend_yet' };
    expect(classifyHttp(answer({ provider: 'unipile', status: 422, body })).class).toBe('rate_limited');
    expect(classifyHttp(answer({ provider: 'http', status: 422, body })).class).toBe('permanent');
  });
});

test('any status and any body have one of the six classes, and none suppresses an address', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('gmail', 'unipile', 'http'),
      fc.oneof(fc.integer({ min: 100, max: 599 }), fc.double()),
      fc.anything({ maxDepth: 4 }),
      fc.dictionary(fc.constantFrom('retry-after', 'date', 'x'), fc.string()),
      fc.boolean(),
      (provider, status, body, headers, idempotent) => {
        const verdict = classifyHttp(answer({ provider, status, body, headers, idempotent }));
        expect(ERROR_CLASSES).toContain(verdict.class);
        expect(verdict.class).not.toBe('recipient');
        if (verdict.class === 'in_doubt') expect(idempotent).toBe(false);
      },
    ),
  );
});

test('a body that is deep, wide or endless ends the walk and not the process', () => {
  const ring: Record<string, unknown> = { error: 'x' };
  ring['self'] = ring;
  let deep: unknown = { reason: 'dailyLimitExceeded' };
  for (let level = 0; level < 10_000; level += 1) deep = { error: deep };
  const wide = Array.from({ length: 100_000 }, () => ({ reason: 'x'.repeat(100) }));
  const walking = fastestMs(() => {
    for (const body of [ring, deep, wide, 'retry after '.repeat(10_000)]) {
      expect(classifyHttp(answer({ status: 400, body })).class).toBe('permanent');
    }
  });
  // It has not seen all of it.
  expect(walking).toBeLessThan(fastestMs(() => JSON.stringify(wide)));
});
