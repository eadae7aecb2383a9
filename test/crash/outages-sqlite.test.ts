import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { barrier, onScene, type Scene } from './scene.js';

const LEASE_SECONDS = 1;

describe.concurrent('when SQLite', () => {
  test(
    'is shared by four processes and locked by a foreign one, nobody is told that it is busy',
    onScene({ fresh: freshSqlite }, async (scene) => {
      const workers = await Promise.all(
        Array.from({ length: 4 }, () => scene.start({ leaseSeconds: LEASE_SECONDS })),
      );
      await scene.enqueue(400);
      await scene.farSide.until('traffic', () => scene.farSide.delivered.length > 100);
      const foreign = openForeign(scene.url);
      foreign.exec('begin immediate');
      // Longer than a lease, and than whatever waits inside SQLite: all of it has to be waited for outside.
      const released = sleep(6_000).then(() => foreign.exec('commit'));
      const mails = scene.mails(5);
      const answers = mails.map((mail) => scene.box.outbox.enqueue(mail));
      await released;
      foreign.close();
      for (const [index, answer] of answers.entries()) scene.accept(mails[index]!, (await answer).id);
      await scene.enqueue(100);
      await scene.drained();
      // A lease that ran out meanwhile may have left a doubt; its own reply resolves it.
      await scene.untilStates({ sent: 505 });
      const { dots } = await scene.clean('4 processes on one SQLite file, locked for 6 s');
      expect(dots).toBe(505);
      expect(workers.map(({ alive }) => alive)).toEqual([true, true, true, true]);
      await expectRenewals(scene);
    }),
  );

  test(
    'has no room left, nothing is promised or handed over, and with room again all goes on by itself',
    onScene({ fresh: onSmallDisk }, async (scene) => {
      const go = barrier();
      scene.farSide.script = () => ({ beforeGo: go.wait });
      const worker = await scene.start({ leaseSeconds: LEASE_SECONDS, concurrency: 5 });
      await scene.enqueue(60);
      await scene.farSide.until('offers', () => scene.farSide.offers.length >= 5);
      // Someone who reads keeps the log from being reused, so that every write needs room.
      const reader = openForeign(scene.url);
      reader.exec('begin');
      reader.prepare('select count(*) from messages').get();
      const free = fill(scene.url);

      const [refused] = scene.mails(1);
      await expect(scene.box.outbox.enqueue(refused!)).rejects.toMatchObject({ code: 'store_unavailable' });
      go.open();
      await worker.until('a result that cannot be stored', () =>
        worker.warnings.some((warning) => warning.startsWith('could not store results')),
      );
      expect(scene.farSide.delivered).toEqual([]);

      reader.exec('rollback');
      reader.close();
      await free();
      await scene.drained();
      await scene.enqueue(10);
      await scene.drained();
      const { dots, states, inDoubt } = await scene.clean('SQLite on a full disk');
      expect({ dots, states, inDoubt }).toEqual({ dots: 70, states: { sent: 70 }, inDoubt: [] });
      expect(worker.alive).toBe(true);
      await expectRenewals(scene);
    }),
  );
});

/** After what happened leases are still renewed: a send that takes three of them is not taken over. */
async function expectRenewals(scene: Scene): Promise<void> {
  scene.farSide.script = () => ({ beforeReply: sleep(3 * LEASE_SECONDS * 1_000) });
  const slow = await scene.enqueueOne();
  await scene.untilState(slow, 'sent');
  expect(await scene.registered(slow)).toMatchObject({ leaseLosses: 0, attempts: ['success'] });
}

const pathOf = (url: string) => url.replace(/^sqlite:/, '');

function openForeign(url: string): DatabaseSyncInstance {
  const database = new DatabaseSync(pathOf(url));
  database.exec('pragma busy_timeout = 10000');
  return database;
}

const run = promisify(execFile);

/** A file system of 8 MB. Needs the right to mount one; without it this fails, because nothing else shows the same. */
async function onSmallDisk(): Promise<FreshDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'pillarbox-small-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', directory]);
  } catch (error) {
    await rm(directory, { recursive: true });
    throw new Error(
      'a full disk is tried on a small tmpfs, and this user may not mount one: run it as root',
      {
        cause: error,
      },
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
function fill(url: string): () => Promise<void> {
  const ballast = join(pathOf(url), '..', 'ballast');
  const file = openSync(ballast, 'w');
  for (const size of [65_536, 4_096, 1]) writeAll(file, Buffer.alloc(size));
  closeSync(file);
  return () => rm(ballast);
}

function writeAll(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
