import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { PillarboxError } from '#pillarbox/core/errors';
import { askCompiled } from '#pillarbox/store/script';
import { PATIENCE_MS } from '../patience.js';
import { crash, readyDatabase, privatePostgres, type PrivatePostgres } from '../postgres.js';
import { onScene, PATIENT, type Scene } from './scene.js';

const OPTIONS = { leaseSeconds: 2, concurrency: 10 };
/** They look by themselves every 20 s: what starts sooner was woken. */
const RARELY_LOOKING = { ...OPTIONS, lookTakesMs: 1_000 };

describe.concurrent('when PostgreSQL goes away', PATIENT, () => {
  test(
    'by crashing under load, again and again: workers survive, and all is accounted for [D18] [F19]',
    onOwnServer(async (scene, server) => {
      await Promise.all([scene.start(RARELY_LOOKING), scene.start(RARELY_LOOKING)]);
      const traffic = load(scene);
      for (let crashes = 0; crashes < 3; crashes += 1) {
        const before = scene.farSide.delivered.length;
        await scene.farSide.until('traffic', () => scene.farSide.delivered.length > before + 100);
        await server.restart('immediate');
      }
      await traffic.stop();
      await scene.drained();
      await scene.clean('PostgreSQL crashed 3 times');
      expect(aliveOf(scene)).toEqual([true, true]);
      await expectWakeUps(scene);
    }),
  );

  test(
    'session by session, ten a second: workers survive, and all is accounted for [F20]',
    onScene({ ready: readyDatabase }, async (scene) => {
      await Promise.all([scene.start(RARELY_LOOKING), scene.start(RARELY_LOOKING)]);
      const traffic = load(scene);
      expect(await terminateSessions(scene.url, 40)).toBeGreaterThan(30);
      await traffic.stop();
      await scene.drained();
      await scene.clean('PostgreSQL sessions terminated');
      expect(aliveOf(scene)).toEqual([true, true]);
      await expectWakeUps(scene);
    }),
  );

  test(
    'in the middle of a transaction: the caller is told, and the process lives',
    onScene({ ready: readyDatabase }, async ({ store }) => {
      const suicide = askCompiled({ sql: 'select pg_terminate_backend(pg_backend_pid())', parameters: [] });
      await expect(store.transaction(suicide)).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(await store.now()).toBeGreaterThan(0);
    }),
  );

  test(
    'and stays away: a worker told to stop ends by itself, and nothing is lost',
    onOwnServer(async (scene, server) => {
      const worker = await scene.start({ ...OPTIONS, graceSeconds: 1 });
      // Answers come when the database is gone: every result then waits to be written.
      scene.farSide.script = () => ({ beforeReply: sleep(1_500) });
      await scene.enqueue(30);
      await scene.farSide.until('dots', () => scene.farSide.delivered.length >= 10);
      await crash(server);
      expect(await worker.stop()).toEqual({ code: 0, signal: null });
      await server.restart('immediate');
      scene.farSide.script = () => undefined;
      await scene.start(OPTIONS);
      await scene.drained();
      await scene.clean('stopped while PostgreSQL was away');
    }),
  );

  test(
    'behind a lock, with a statement timeout shorter than that: results are kept until they are taken [F22]',
    onScene({ ready: readyDatabase }, async (scene) => {
      const client = await connected(scene.url);
      await client.query(`do $$ begin
        execute format('alter database %I set statement_timeout = 200', current_database()); end $$`);
      const worker = await scene.start({ leaseSeconds: 20 });
      await client.query('begin; lock table pillarbox.outcomes in exclusive mode');
      await scene.enqueue(10);
      const untaken = 'could not store results';
      await worker.until('results that are not taken', () =>
        worker.warnings.some((told) => told.startsWith(untaken)),
      );
      await client.query('commit');
      await client.end();
      await scene.drained();
      const { states, inDoubt } = await scene.clean('locked out by PostgreSQL');
      expect({ states, inDoubt }).toEqual({ states: { sent: 10 }, inDoubt: [] });
    }),
  );

  test(
    'between a claim and the look at its account: nobody holds on to what nobody has in hand',
    onScene({ ready: readyDatabase }, async (scene) => {
      const options = { leaseSeconds: 0.6, concurrency: 1 };
      // A lease to take over, with a mail in doubt; and mails to claim, which whoever dies must not have claimed as well.
      await scene.enqueue(1);
      await scene.launch({ ...options, faults: [{ point: 'after_gate', action: 'kill' }] }).ended;
      await scene.enqueue(7);
      await rename(scene, 'accounts', 'accounts_away');
      const worker = await scene.start(options);
      for (const failure of ['could not claim mail', 'a chore failed']) {
        await worker.until(failure, () => worker.warnings.some((warning) => warning.startsWith(failure)));
      }
      await rename(scene, 'accounts_away', 'accounts');
      await scene.drained();
      const { states } = await scene.clean('accounts out of reach');
      expect(states).toEqual({ sent: 7, held: 1 });
    }),
  );
});

/** The body of a test with a PostgreSQL of its own, to be crashed at will. */
function onOwnServer(act: (scene: Scene, server: PrivatePostgres) => Promise<void>): () => Promise<void> {
  return async () => {
    const server = await privatePostgres();
    const database = { url: server.url, drop: () => server.stop() };
    await onScene({ ready: () => Promise.resolve(database) }, (scene) => act(scene, server))();
  };
}

/** Callers that try again with the same key until they are answered, and go on until they are told to stop. */
function load(scene: Scene): { stop(): Promise<void> } {
  let stopped = false;
  const caller = async () => {
    while (!stopped) {
      await enqueuePersistently(scene);
      await sleep(2);
    }
  };
  const callers = Promise.all(Array.from({ length: 8 }, caller));
  // Told to the test when it stops; until then nobody listens.
  callers.catch(() => undefined);
  return {
    stop: async () => {
      stopped = true;
      await callers;
    },
  };
}

async function enqueuePersistently(scene: Scene): Promise<void> {
  const [mail] = scene.mails(1);
  for (;;) {
    try {
      const { id } = await scene.box.outbox.enqueue(mail!, { idempotencyKey: mail!.to as string });
      scene.accept(mail!, id);
      return;
    } catch (error) {
      // Whatever the outage does, the caller is told so in these words and no others.
      const told =
        error instanceof PillarboxError && ['store_unavailable', 'commit_unknown'].includes(error.code);
      if (!told) throw error;
      await sleep(50);
    }
  }
}

/** Woken, a worker starts within moments; one that only looks by itself takes up to 20 s. Six in a row are no accident. */
async function expectWakeUps(scene: Scene): Promise<void> {
  const waits: number[] = [];
  const deadline = performance.now() + PATIENCE_MS;
  while (waits.length < 6 || waits.slice(-6).some((ms) => ms > 5_000)) {
    expect(performance.now(), `waited: ${waits.join(' ')} ms`).toBeLessThan(deadline);
    // At no fixed distance from the last look.
    await sleep(Math.random() * 250);
    const started = performance.now();
    const { to } = await scene.enqueueOne();
    await scene.farSide.until('a mail', () => scene.farSide.copiesOf(to) === 1);
    waits.push(performance.now() - started);
  }
}

const aliveOf = (scene: Scene) => scene.workers.map(({ alive }) => alive);

async function rename({ store }: Scene, from: string, to: string): Promise<void> {
  await store.transaction(
    askCompiled({ sql: `alter table ${store.at(from)} rename to ${to}`, parameters: [] }),
  );
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function terminateSessions(url: string, times: number): Promise<number> {
  const client = await connected(url);
  let terminated = 0;
  for (let round = 0; round < times; round += 1) {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1`,
    );
    terminated += rowCount ?? 0;
    await sleep(100);
  }
  await client.end();
  return terminated;
}
