import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failureOf } from '#pillarbox/http/answers';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { askCompiled, type Script } from '#pillarbox/store/script';
import type { Store } from '#pillarbox/store/store';
import { CutLine, type Moment } from '../cut-line.js';
import { freshDatabase, readyDatabase, type FreshDatabase } from '../postgres.js';
import { Carrier, sent } from './carrier.js';
import { aMail, Post } from './post.js';

/** How the statements that store mail are called on the wire. */
const STORES = {
  one: 'pillarbox_enqueue_one',
  group: 'pillarbox_enqueue',
  leased: 'pillarbox_enqueue_leased',
};

const WAITING_FOR_A_TABLE = `select pid from pg_locks
  where not granted and relation is not null
    and database = (select oid from pg_database where datname = current_database())`;

describe('PostgreSQL, whose answer to a commit is lost', () => {
  let database: FreshDatabase;
  let line: CutLine;
  let post: Post;

  beforeEach(async () => {
    database = await readyDatabase();
    line = await CutLine.to(database.url);
    post = await Post.open({ databaseUrl: line.url }, new Carrier());
    // Whatever is prepared once is then known by its name.
    await post.put();
    await post.putMany(2);
    await post.box.outbox.send(aMail());
  });

  afterEach(async () => {
    line.revive();
    await post.box.stop();
    await line.close();
    await database.drop();
  });

  const storedFor = async (to: string) => (await post.box.messages.list({ to })).items;

  describe.each<Moment>(['answered', 'before'])('at the moment %s', (moment) => {
    test('a mail without a key is stored once, and its caller has its id', async () => {
      const cut = line.cut(STORES.one, moment);
      const { id, duplicate } = await post.box.outbox.enqueue(aMail({ to: 'once@example.org' }));
      await cut;
      expect(duplicate).toBe(false);
      expect((await storedFor('once@example.org')).map((message) => message.id)).toEqual([id]);
    });

    test('many mails are stored once each, and known keys answer their first mail', async () => {
      const known = await post.box.outbox.enqueue(aMail({ to: 'k@example.org' }), { idempotencyKey: 'k' });
      const cut = line.cut(STORES.group, moment);
      const report = await post.box.outbox.enqueueMany([
        aMail({ to: 'a@example.org' }),
        aMail({ to: 'k@example.org', idempotencyKey: 'k' }),
        aMail({ to: 'b@example.org', idempotencyKey: 'b' }),
        aMail({ to: 'a@example.org' }),
      ]);
      await cut;
      expect(report).toMatchObject({ accepted: 3, duplicates: 1, errors: [] });
      expect(report.ids[1]).toBe(known.id);
      const [a1, , b, a2] = report.ids;
      expect((await storedFor('a@example.org')).map(({ id }) => id)).toEqual([a2, a1]);
      expect((await storedFor('b@example.org')).map(({ id }) => id)).toEqual([b]);
    });

    test('a mail that its caller sends leaves once, by him', async () => {
      const cut = line.cut(STORES.leased, moment);
      const result = await post.box.outbox.send(aMail({ to: 'sent@example.org' }));
      await cut;
      expect(result).toMatchObject({ delivered: true, recorded: true });
      const { id } = result as { id: string };
      expect((await storedFor('sent@example.org')).map((message) => message.id)).toEqual([id]);
      expect(post.carrier.copiesOf(id)).toBe(1);
    });

    test('a decision is made once, and is answered', async () => {
      const id = await post.put();
      const cut = line.cut('commit', moment);
      const cancelled = post.box.messages.cancel(id);
      await cut;
      if (moment === 'answered') expect(await cancelled).toMatchObject({ state: 'cancelled' });
      // The commit never arrived: it is certain that nothing was done, and that is what is said.
      else await expect(cancelled).rejects.toMatchObject({ code: 'store_unavailable' });
    });
  });

  test('a statement that still runs when its caller is cut off is ended before it is tried again', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('begin; lock table pillarbox.tallies in exclusive mode');
    // Two sessions wait for the lock: never at once, because the first is ended.
    const waiting = async () =>
      (await client.query<{ pid: number }>(WAITING_FOR_A_TABLE)).rows.map(({ pid }) => pid);
    let first: readonly number[] = [];
    const cut = line.cut(STORES.one, 'running', async () => {
      first = await until(waiting, (pids) => pids.length === 1);
    });
    const enqueued = post.box.outbox.enqueue(aMail({ to: 'once@example.org' }));
    await cut;
    let atOnce = 0;
    await until(waiting, (pids) => {
      atOnce = Math.max(atOnce, pids.length);
      return pids.length === 1 && pids[0] !== first[0];
    });
    expect(atOnce).toBe(1);
    await client.query('commit');
    await client.end();
    const { id } = await enqueued;
    expect((await storedFor('once@example.org')).map((message) => message.id)).toEqual([id]);
  });

  test('and that stays away: nobody is told that nothing was stored', async () => {
    const cut = line.cut(STORES.one, 'answered');
    const enqueued = post.box.outbox.enqueue(aMail({ to: 'perhaps@example.org' }), { idempotencyKey: 'p' });
    const refused = expect(enqueued).rejects.toMatchObject({ code: 'commit_unknown' });
    await cut;
    line.die();
    await refused;
    // Who has not been able to send anything is told that nothing was stored.
    await expect(post.box.outbox.enqueue(aMail())).rejects.toMatchObject({ code: 'store_unavailable' });
    line.revive();
    const [stored] = await storedFor('perhaps@example.org');
    expect(stored).toMatchObject({ state: 'scheduled' });
    const again = await post.box.outbox.enqueue(aMail({ to: 'perhaps@example.org' }), {
      idempotencyKey: 'p',
    });
    expect(again).toEqual({ id: stored!.id, duplicate: true });
  });

  test('over HTTP it is 503 with a code of its own, and no invitation to repeat it', async () => {
    const cut = line.cut(STORES.one, 'answered');
    const unknown = post.box.outbox.enqueue(aMail()).catch((error: unknown) => error);
    await cut;
    line.die();
    const failure = failureOf(await unknown);
    expect(failure).toMatchObject({ status: 503, code: 'commit_unknown', retryAfterSeconds: undefined });
  });

  describe('and a caller who would rather send than be safe', () => {
    const rash = { evenUnrecorded: true };

    test('sends by himself if nothing can have been stored', async () => {
      line.die();
      // Every connection has noticed: nothing is sent any more on one that is dead.
      await Promise.allSettled(Array.from({ length: 12 }, () => post.box.now()));
      const copies = post.carrier.left.length;
      const result = await post.box.outbox.send(aMail(), rash);
      expect(result).toMatchObject({ delivered: true, recorded: false });
      expect(post.carrier.left.slice(copies).map(({ messageId }) => messageId)).toEqual([
        (result as { messageId: string }).messageId,
      ]);
    });

    test('does not if it may have been', async () => {
      const copies = post.carrier.left.length;
      const cut = line.cut(STORES.leased, 'answered');
      const result = post.box.outbox.send(aMail({ to: 'perhaps@example.org' }), rash);
      const refused = expect(result).rejects.toMatchObject({ code: 'commit_unknown' });
      await cut;
      line.die();
      await refused;
      expect(post.carrier.left.slice(copies)).toEqual([]);
    });

    test('does not if it is stored and the database goes away while it leaves', async () => {
      post.carrier.conduct = async (message, gate) => {
        await gate();
        line.die();
        return sent(message);
      };
      // His answer comes when his time is over: until then its result may still be stored.
      const impatient = await Post.open({ databaseUrl: line.url }, post.carrier, { inlineSeconds: 3 });
      const result = await impatient.box.outbox.send(aMail({ to: 'left@example.org' }), rash);
      expect(result).toMatchObject({ id: expect.stringMatching(/^msg_/) });
      line.revive();
      await impatient.box.stop();
      const [stored] = await storedFor('left@example.org');
      expect(stored!.id).toBe((result as { id: string }).id);
      expect(post.carrier.copiesOf(stored!.id)).toBe(1);
      expect(post.carrier.left.filter(({ mail }) => mail.to.email === 'left@example.org')).toHaveLength(1);
    });

    test.each([
      ['a key', {}, { idempotencyKey: 'k' }],
      ['an account', { accountId: 'acc_1' }, {}],
      ['a time', { sendAt: '2031-01-01T09:00:00Z' }, {}],
    ])('is refused with %s: nobody could keep it', async (_, over, options) => {
      await expect(post.box.outbox.send(aMail(over), { ...rash, ...options })).rejects.toMatchObject({
        code: 'invalid_input',
        field: 'evenUnrecorded',
      });
    });
  });
});

describe('PostgreSQL gives up before its callers do', () => {
  const limitsOf = async (store: Store): Promise<Record<string, string>> => {
    const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    function* show(): Script<Record<string, string>> {
      const rows = (yield {
        sql: 'select name, setting from pg_settings where name = any($1)',
        parameters: [settings],
      }) as readonly { name: string; setting: string }[];
      return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    }
    return store.read(show());
  };

  test('after 15 s of its own, unless it was told to sooner', async () => {
    const database = await freshDatabase();
    const open = () => openStore({ databaseUrl: database.url, leaseMs: 60_000, log: silent });
    const store = await open();
    expect(await limitsOf(store)).toEqual({
      statement_timeout: '15000',
      lock_timeout: '10000',
      idle_in_transaction_session_timeout: '30000',
    });
    await store.transaction(() =>
      askCompiled({ sql: alterDatabase(database.url, 'statement_timeout = 700'), parameters: [] }),
    );
    await store.close();
    const strict = await open();
    expect(await limitsOf(strict)).toMatchObject({ statement_timeout: '700' });
    await strict.close();
    await database.drop();
  });
});

const alterDatabase = (url: string, setting: string) =>
  `alter database ${new URL(url).pathname.slice(1)} set ${setting}`;

async function until<T>(look: () => Promise<T>, happened: (seen: T) => boolean): Promise<T> {
  let seen: T | undefined;
  await expect.poll(async () => happened((seen = await look())), { interval: 10 }).toBe(true);
  return seen as T;
}
