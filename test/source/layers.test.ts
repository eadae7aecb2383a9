import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CRUISER = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';

test('every file knows only whom its room may know, as `npm run check:layers` says', async () => {
  const args = [CRUISER, '--config', '.dependency-cruiser.cjs', 'src'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  expect(stdout).toContain('no dependency violations found');
});
