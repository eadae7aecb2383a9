import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { apiTypes, TYPES_FILE } from '../../scripts/api-types.mjs';

test('the admin UI is typed by what the API publishes', async () => {
  expect(await readFile(TYPES_FILE, 'utf8'), 'run npm run build:api').toBe(await apiTypes());
});
