import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import { Messages } from '#pillarbox/messages/messages';
import { runAsync } from '#pillarbox/store/script';
import { noteSoftBounce } from '#pillarbox/store/scripts/suppressions';
import type { Claim, Store } from '#pillarbox/store/store';
import type { FreshDatabase } from '../databases.js';
import { readyDatabase } from '../postgres.js';
import { aMessage, asking, openFixture, result, rows, take, type Fixture } from './fixture.js';

/** SQLite has one writer at a time; on PostgreSQL the order of locks is what keeps two from waiting for each other. */
describe('locks on PostgreSQL', () => {
  let database: FreshDatabase;
  let fixture: Fixture;
  let clients: pg.Client[];

  beforeEach(async () => {
    database = await readyDatabase();
    fixture = await openFixture(database.url);
    clients = [];
  });

  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await fixture.store.close();
    await database.drop();
  });

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url });
    clients.push(client);
    await client.connect();
    return client;
  }

  /** Reads rows as they lie in the table, which the planner may choose whenever there are few. */
  async function connectAsTheyLie(): Promise<pg.Client> {
    const client = await connect();
    await client.query('set enable_indexscan = off; set enable_bitmapscan = off');
    return client;
  }

  /** Leases of some messages each, by their ids. */
  async function leases(count: number, messages: number): Promise<Claim[]> {
    const claims: Claim[] = [];
    for (let n = 0; n < count; n += 1) {
      await fixture.store.enqueue(Array.from({ length: messages }, () => aMessage(fixture)));
      claims.push(await take(fixture, messages));
    }
    return claims.sort((a, b) => a.lease - b.lease);
  }

  const lockedLeases = async (client: pg.Client) => {
    const free = await client.query<{ id: string }>('select id from pillarbox.leases for update skip locked');
    const ids = new Set(free.rows.map(({ id }) => Number(id)));
    const all = await client.query<{ id: string }>('select id from pillarbox.leases order by id');
    return all.rows.map(({ id }) => Number(id)).filter((id) => !ids.has(id));
  };

  const renew = async (store: Store, client: pg.Client, ids: readonly number[]) => {
    await client.query(store.renewal.statement, [ids]);
  };

  test.each<[string, (claims: readonly Claim[]) => Promise<unknown>]>([
    [
      'renewal',
      async (claims) => {
        await renew(fixture.store, await connectAsTheyLie(), claims.map(({ lease }) => lease).reverse());
      },
    ],
    [
      'a settlement',
      (claims) =>
        fixture.store.settle([...claims].reverse().map((claim) => result(claim, claim.messages[0]!))),
    ],
    [
      'the gate',
      (claims) => fixture.store.gate([...claims].reverse().map((claim) => asking(claim, claim.messages[0]!))),
    ],
    [
      'cancelling many',
      (claims) =>
        new Messages(fixture.store, fixture.workspaceId).act(
          { kind: 'cancel' },
          claims.map(({ messages }) => formatId('message', messages[0]!.id)),
        ),
    ],
  ])('%s takes leases in the order of their ids, wherever they lie', async (_, act) => {
    const claims = await leases(4, 2);
    // In the table, and by the numbers of the messages, their order is another one than by their ids.
    const [first, second, third, fourth] = claims.map(({ lease }) => lease) as [
      number,
      number,
      number,
      number,
    ];
    await rows(fixture, `update pillarbox.leases set owner = owner || '' where id = ${first}`);
    await swapMessages(claims[0]!, claims[3]!);
    const blocker = await connect();
    await blocker.query('begin');
    await blocker.query('select id from pillarbox.leases where id = $1 for update', [third]);
    const acting = act(claims);
    const prober = await connect();
    await expect.poll(() => lockedLeases(prober)).toEqual([first, second, third]);
    await sleep(100);
    expect(await lockedLeases(prober)).not.toContain(fourth);
    await blocker.query('commit');
    await acting;
  });

  /** Two leases hold each other's messages, so that the older lease has the younger messages. */
  async function swapMessages(one: Claim, other: Claim): Promise<void> {
    const messages = [...one.messages];
    for (const [claim, held] of [
      [one, other.messages],
      [other, messages],
    ] as const) {
      const ids = held.map(({ id }) => id).join(', ');
      await rows(fixture, `update pillarbox.leases set ids = array[${ids}] where id = ${claim.lease}`);
    }
    Object.assign(one, { messages: other.messages });
    Object.assign(other, { messages });
  }

  test('renewal, gate, settlements, cancellations and take-overs side by side never wait in a circle', async () => {
    const admin = await connect();
    const { rows: names } = await admin.query<{ name: string }>('select current_database() as name');
    const { name } = names[0]!;
    await admin.query(`alter database ${name} set deadlock_timeout = '10ms'`);
    const hammers = await Promise.all(
      Array.from({ length: 3 }, () => openFixture(database.url, { leaseMs: 60_000 })),
    );
    const renewers = [await connectAsTheyLie(), await connectAsTheyLie()];
    for (let round = 0; round < 30; round += 1) {
      const claims = await leases(6, 4);
      await swapMessages(claims[0]!, claims[5]!);
      await swapMessages(claims[1]!, claims[4]!);
      const mixed = shuffled(
        claims.flatMap((claim) => claim.messages.map((message) => ({ claim, message }))),
      );
      const [gated, settled] = [mixed.slice(0, 16), shuffled(mixed).slice(0, 14)];
      const cancelled = shuffled(mixed).slice(0, 12);
      const rest = claims.map(({ lease }) => lease);
      await Promise.all([
        ...renewers.map((renewer) => renew(fixture.store, renewer, shuffled(rest))),
        hammers[0]!.store.gate(gated.map(({ claim, message }) => asking(claim, message))),
        hammers[1]!.store.settle(settled.map(({ claim, message }) => result(claim, message))),
        new Messages(hammers[2]!.store, fixture.workspaceId).act(
          { kind: 'cancel' },
          cancelled.map(({ message }) => formatId('message', message.id)),
        ),
        admin.query(`update pillarbox.leases set until = 0 where id = ${rest[round % rest.length]!}`),
        fixture.store.takeOver('rescuer', 4),
      ]);
      await admin.query('truncate pillarbox.leases');
    }
    // What a connection has counted is known to all when it has ended.
    for (const { store } of [...hammers, fixture]) await store.close();
    await Promise.all(clients.splice(0).map((client) => client.end()));
    const fresh = await connect();
    const others = `select 1 from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await fresh.query(others)).rowCount).toBe(0);
    const { rows: counted } = await fresh.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    fixture = await openFixture(database.url);
    expect(Number(counted[0]!.deadlocks)).toBe(0);
  });

  test('of two soft bounces at once the second counts the first, and suppresses the address', async () => {
    const { store, workspaceId } = fixture;
    const now = await store.now();
    const [one, other] = [await connect(), await connect()];
    const note = (client: pg.Client, message: number) =>
      runAsync(
        noteSoftBounce(store, workspaceId, 'full@example.org', message, now),
        async ({ sql, parameters }) => (await client.query(sql, [...parameters])).rows as unknown[],
      );
    await store.transaction(noteSoftBounce(store, workspaceId, 'full@example.org', 1, now));
    await one.query('begin');
    await other.query('begin');
    await note(one, 2);
    let done = false;
    const second = note(other, 3).then(() => {
      done = true;
    });
    const waiting = `select 1 from pg_locks join pg_database d on d.oid = database
      where datname = current_database() and locktype = 'advisory' and not granted`;
    await expect.poll(async () => done || (await rows(fixture, waiting)).length > 0).toBe(true);
    // Another address has nothing to wait for.
    await store.transaction(noteSoftBounce(store, workspaceId, 'free@example.org', 4, now));
    await one.query('commit');
    await second;
    await other.query('commit');
    const found = await rows<{ address: string }>(fixture, 'select address from pillarbox.suppressions');
    expect(found).toEqual([{ address: 'full@example.org' }]);
  });
});

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
