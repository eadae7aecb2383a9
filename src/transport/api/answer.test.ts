import { expect, test } from 'vitest';
import { codeOf, fieldOf, parseBody, textIn } from './answer.js';

const answer = (body: unknown) => ({ status: 403, headers: {}, body, whole: true });

test.each([
  [
    'Google',
    { error: { code: 403, status: 'PERMISSION_DENIED', errors: [{ reason: 'domainPolicy' }] } },
    '403 domainPolicy',
  ],
  ['Google, without a list', { error: { code: 403, status: 'PERMISSION_DENIED' } }, '403 PERMISSION_DENIED'],
  ['OAuth', { error: 'invalid_grant', error_description: 'x' }, '403 invalid_grant'],
  ['Unipile', { type: 'errors/account_restricted', title: 'x' }, '403 errors/account_restricted'],
  ['Resend', { statusCode: 403, name: 'invalid_api_key', message: 'x' }, '403 invalid_api_key'],
  ['a page', '<html>', '403'],
  ['nothing', null, '403'],
  ['a shape of its own', { error: { errors: [null], status: 7 } }, '403'],
])('the code of an error from %s', (_whom, body, code) => {
  expect(codeOf(answer(body))).toBe(code);
});

test('a field is read only if the answer has it itself', () => {
  expect(fieldOf({ a: 1 }, 'a')).toBe(1);
  expect(fieldOf({}, 'constructor')).toBeUndefined();
  expect(fieldOf('text', 'length')).toBeUndefined();
  expect(textIn({ id: '' }, 'id')).toBeUndefined();
  expect(textIn({ id: 7 }, 'id')).toBeUndefined();
});

test('a body is what it says, or its text', () => {
  expect(parseBody(Buffer.from('{"a":"ë"}'))).toEqual({ a: 'ë' });
  expect(parseBody(Buffer.from('{"a"'))).toBe('{"a"');
});
