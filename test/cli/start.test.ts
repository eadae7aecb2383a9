import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isStale } from '../../scripts/stale.mjs';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pillarbox-test-'));
  await mkdir(join(directory, 'src/deep'), { recursive: true });
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Files and folders alike, at a minute of the day. */
async function changed(minute: number, ...paths: readonly string[]): Promise<void> {
  const at = new Date(Date.UTC(2026, 10, 16, 12, minute));
  for (const path of paths) await utimes(join(directory, path), at, at);
}

const stale = () => isStale(join(directory, 'made'), [join(directory, 'src'), join(directory, 'missing')]);

test('is made again when it is missing, and when something of what it is made from has changed or gone', async () => {
  await writeFile(join(directory, 'src/deep/a.ts'), '');
  await changed(1, 'src/deep/a.ts', 'src/deep', 'src');
  expect(stale()).toBe(true);
  await writeFile(join(directory, 'made'), '');
  await changed(2, 'made');
  expect(stale()).toBe(false);
  await changed(3, 'src/deep/a.ts');
  expect(stale()).toBe(true);
  await changed(4, 'made');
  expect(stale()).toBe(false);
  await rm(join(directory, 'src/deep/a.ts'));
  await changed(5, 'src/deep');
  expect(stale()).toBe(true);
});
