import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { databases, freshSqlite } from '../databases.js';
import { freshDatabase } from '../postgres.js';
import { callerOf } from './caller.js';
import { Carrier, sent } from './carrier.js';
import type { Post } from './post.js';
import { Posts, postsOn } from './posts.js';
import { Signal } from './signal.js';

/** Takes its time, so that an outage finds it at every step. */
const unhurried = () =>
  new Carrier(async (message, gate) => {
    await sleep(3);
    const passed = await gate();
    await sleep(3);
    return passed ? sent(message) : undefined;
  });

const expectSentOnce = async (post: Post, ids: readonly string[]) => {
  for (const id of ids) {
    await post.becomes('sent', id);
    const outcomes = (await post.box.messages.attempts(id)).map(({ outcome }) => outcome);
    expect({ id, outcomes, copies: post.carrier.copiesOf(id) }).toEqual({
      id,
      outcomes: ['success'],
      copies: 1,
    });
  }
};

describe('a worker goes on', () => {
  test('when PostgreSQL ends all its sessions, again and again', async () => {
    const database = await freshDatabase();
    const posts = new Posts({ databaseUrl: database.url });
    try {
      // A claim whose answer was lost is waited for; nobody who lives loses his lease.
      const post = await posts.start(unhurried(), { concurrency: 5, leaseSeconds: 15 });
      const ids = await post.putMany(150, { onDoubt: 'hold' });
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      let ended = 0;
      for (let round = 1; round <= 5; round += 1) {
        await post.carrier.until('some more', () => post.carrier.left.length >= 20 * round);
        const { rowCount } = await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
        );
        ended += rowCount ?? 0;
      }
      await client.end();
      expect(ended).toBeGreaterThanOrEqual(10);
      await expectSentOnce(post, ids);
    } finally {
      await posts.close();
      await database.drop();
    }
  });

  test('when another process keeps the write lock of SQLite for a while', async () => {
    const database = await freshSqlite();
    const posts = new Posts({ databaseUrl: database.url });
    try {
      const post = await posts.start(unhurried(), { concurrency: 5 });
      const ids = await post.putMany(60, { onDoubt: 'hold' });
      const caller = await callerOf(posts.place);
      for (const part of [10, 30]) {
        await post.carrier.until('some more', () => post.carrier.left.length >= part);
        await caller.transaction(async () => {
          await sleep(300);
        });
      }
      await caller.end();
      await expectSentOnce(post, ids);
    } finally {
      await posts.close();
      await database.drop();
    }
  });
});

describe.each(databases)('a worker on $name', (database) => {
  const onPosts = postsOn(database);

  test(
    'that has claimed mail of an account it cannot read lets go of it, and it leaves later',
    onPosts(async (posts) => {
      const signal = new Signal();
      let letGo = false;
      const log = {
        ...silent,
        // The guard reads accounts before it claims: its failure says nothing of these messages.
        warn: (_: object, text: string) => {
          letGo ||= text === 'could not claim mail; trying again';
          signal.tell();
        },
      };
      const post = await posts.open(new Carrier(), { leaseSeconds: 0.5, log });
      await post.box.start();
      const { databaseUrl } = posts.place;
      const table = databaseUrl.startsWith('sqlite:') ? 'accounts' : 'pillarbox.accounts';
      const caller = await callerOf(posts.place);
      await caller.run(`alter table ${table} rename to accounts_away`);
      const ids = await post.putMany(3);
      await signal.until('a claim that was let go', () => letGo);
      expect(post.carrier.offered).toEqual([]);
      await caller.run(`alter table ${table}_away rename to accounts`);
      await caller.end();
      await expectSentOnce(post, ids);
      expect((await post.get(ids[0]!)).leaseLosses).toBeGreaterThanOrEqual(1);
    }),
  );
});
