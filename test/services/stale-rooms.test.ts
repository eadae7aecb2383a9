import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../scripts/services/processes.mjs';
import { roomPrefix, sweepRooms } from '../../scripts/services/stale-rooms.mjs';
import { PATIENCE_MS } from '../patience.js';

const source = process.env['PILLARBOX_TEST_OPENSMTPD_ROOT']!;

/** A shell that waits for a word, with this as its root. */
async function startIn(parent: string) {
  await mkdir(parent);
  const room = join(parent, 'root');
  await run('cp', ['-al', source, room], { timeoutMs: PATIENCE_MS });
  const shell = spawn('chroot', [room, '/bin/sh', '-c', 'echo here; read word'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(shell, 'exit');
  await once(shell.stdout, 'data');
  return { shell, ended };
}

test('what tests left that were killed is ended and removed, and nothing else', async () => {
  const directory = await mkdtemp(join(dirname(source), 'sweep-'));
  const gone = spawn('true');
  await once(gone, 'exit');
  const ours = `${roomPrefix(directory)}a`;
  const stale = await startIn(join(directory, `room-${gone.pid}-a`));
  const living = await startIn(ours);
  await mkdir(join(directory, 'postfix'));

  await sweepRooms(directory);
  expect(await stale.ended).toEqual([null, 'SIGKILL']);
  expect((await readdir(directory)).sort()).toEqual([ours.slice(directory.length + 1), 'postfix'].sort());

  living.shell.stdin.end('word\n');
  expect(await living.ended).toEqual([0, null]);
  await sweepRooms(join(directory, 'nowhere'));
  await rm(directory, { recursive: true });
});
