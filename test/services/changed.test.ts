import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changedFiles } from '../../scripts/changed.mjs';

const run = promisify(execFile);
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pillarbox-test-'));
  await mkdir(join(directory, 'src/core'), { recursive: true });
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const git = (...args: readonly string[]) =>
  run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: directory });
const write = (path: string, text: string) => writeFile(join(directory, path), text);

test('what differs from the last commit is named as tests import it; what is gone or ignored is not', async () => {
  await git('init', '--quiet');
  await write('.gitignore', 'dist/\n');
  for (const path of ['src/core/kept.ts', 'src/core/edited.ts', 'src/core/gone.ts']) await write(path, '');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'All of it');
  expect(await changedFiles(directory)).toEqual([]);
  await write('src/core/edited.ts', 'edited');
  await rm(join(directory, 'src/core/gone.ts'));
  await write('added.test.ts', '');
  await mkdir(join(directory, 'dist'));
  await write('dist/built.js', '');
  expect(await changedFiles(directory)).toEqual([
    'src/core/edited.ts',
    'dist/core/edited.js',
    'added.test.ts',
  ]);
});
