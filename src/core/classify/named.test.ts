import { expect, test } from 'vitest';
import { classifyNamed } from './named.js';

test.each([
  ['ECONNRESET', 'retryable'],
  ['ETIMEDOUT', 'retryable'],
  ['ENOTFOUND', 'retryable'],
  ['RATE_LIMIT_EXCEEDED', 'rate_limited'],
  ['TEMPORARY_FAILURE', 'retryable'],
  ['SERVICE_UNAVAILABLE', 'retryable'],
  ['INVALID_RECIPIENT', 'recipient'],
  ['AUTH_REVOKED', 'account'],
  ['TOKEN_EXPIRED', 'account'],
  ['MAIL_HARD_BOUNCE', 'recipient'],
  ['PERMISSION_DENIED', 'account'],
  ['template_not_found', 'permanent'],
  ['template_missing_locale', 'permanent'],
  ['template_missing_variable', 'permanent'],
  ['unsubscribed', 'permanent'],
])('%s is %s', (name, errorClass) => {
  expect(classifyNamed(name).class).toBe(errorClass);
});

test('names are read in any case, and an unknown one is tried again', () => {
  expect(classifyNamed('invalid_recipient')).toEqual(classifyNamed('INVALID_RECIPIENT'));
  expect(classifyNamed('__proto__')).toMatchObject({ rule: 'named-unknown', class: 'retryable' });
});
