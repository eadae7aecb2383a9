import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CODES, invalidInput, PillarboxError } from './errors.js';

test('docs/errors.md lists every code with its meaning, and no other', () => {
  const document = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const listed = [...document.matchAll(/^\| `(\w+)` +\| (.*?) *\|$/gm)].map(([, code, meaning]) => [
    code,
    meaning,
  ]);
  expect(listed).toEqual(Object.entries(ERROR_CODES));
});

test('an error of the input names the field', () => {
  const error = invalidInput('to', 'is empty');
  expect(error).toBeInstanceOf(PillarboxError);
  expect(error).toMatchObject({ code: 'invalid_input', field: 'to', message: 'to: is empty' });
});
