import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import type { FreshDatabase } from './databases.js';

const run = promisify(execFile);

const pathOf = (url: string) => url.replace(/^sqlite:/, '');

/** A file system of 8 MB. Needs the right to mount one; without it this fails, because nothing else shows the same. */
export async function onSmallDisk(): Promise<FreshDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'pillarbox-small-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', directory]);
  } catch (error) {
    await rm(directory, { recursive: true });
    throw new Error(
      'a full disk is tried on a small tmpfs, and this user may not mount one: run it as root',
      { cause: error },
    );
  }
  return {
    url: `sqlite:${join(directory, 'mail.db')}`,
    drop: async () => {
      await run('umount', ['--lazy', directory]);
      await rm(directory, { recursive: true });
    },
  };
}

/** Takes all room that is left beside the database. Answers how to give it back. */
export function fillDisk(url: string): () => Promise<void> {
  // Someone who reads keeps the log from being reused, so that every write needs room.
  const reader = new DatabaseSync(pathOf(url));
  reader.exec('pragma busy_timeout = 10000');
  reader.exec('begin');
  reader.prepare('select count(*) from messages').get();
  const ballast = join(pathOf(url), '..', 'ballast');
  const file = openSync(ballast, 'w');
  for (const size of [65_536, 4_096, 1]) writeAll(file, Buffer.alloc(size));
  closeSync(file);
  return async () => {
    reader.exec('rollback');
    reader.close();
    await rm(ballast);
  };
}

function writeAll(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
