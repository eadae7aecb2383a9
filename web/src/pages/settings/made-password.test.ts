import { expect, test } from 'vitest';
import { makePassword } from './made-password';

test('a password has 24 characters that cannot be mistaken for each other', () => {
  for (let n = 0; n < 200; n++) expect(makePassword()).toMatch(/^[a-km-np-zA-HJ-NP-Z2-9]{24}$/);
});

test('bytes that would favour some characters are thrown away', () => {
  let calls = 0;
  const password = makePassword((bytes) => bytes.fill(calls++ === 0 ? 255 : 0));
  expect(calls).toBe(2);
  expect(password).toBe('a'.repeat(24));
});
