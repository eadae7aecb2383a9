import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPillarbox, type Pillarbox } from 'pillarbox';
import { Inbox } from '#pillarbox/catcher/inbox';
import { readDashboard } from '#pillarbox/overview/dashboard';
import { loadDemo, type LoadOptions } from '#pillarbox/demo/load';
import { silent } from '#pillarbox/log/log';
import { listApiKeys } from '#pillarbox/store/scripts/api-keys';
import { listAudit } from '#pillarbox/store/scripts/audit';
import { listMembers } from '#pillarbox/store/scripts/users';
import { addWorkspace } from '#pillarbox/store/scripts/workspaces';
import { databases, freshSqlite, type FreshDatabase } from '../databases.js';

const HOUR_MS = 3_600_000;
const NEWEST = 1_000_000;

const loadInto = (databaseUrl: string, over: Partial<LoadOptions> = {}) =>
  loadDemo({ databaseUrl, leaseSeconds: 60, alone: true, patienceMs: 1_500, log: silent, ...over });

describe.each(databases)('demo data in an empty database, on $name', ({ fresh }) => {
  let database: FreshDatabase;
  let box: Pillarbox;
  let bornAt: number;
  let loaded: Awaited<ReturnType<typeof loadDemo>>;

  beforeAll(async () => {
    database = await fresh();
    bornAt = Date.now();
    loaded = await loadInto(database.url);
    box = await createPillarbox({ databaseUrl: database.url });
  });
  afterAll(async () => {
    await box.stop();
    await database.drop();
  });

  const all = async () => (await box.messages.list({ limit: 200 })).items;

  test('has something to show on every page', async () => {
    const { store, home } = box;
    const { states, series, accounts, health, workers } = await store.read(
      readDashboard(store, home.id, '1h', await box.now()),
    );
    for (const state of [
      'sent',
      'dead',
      'held',
      'retry_scheduled',
      'scheduled',
      'skipped',
      'expired',
      'cancelled',
    ] as const)
      expect([state, states[state]]).toEqual([state, expect.toSatisfy((n: number) => n > 0)]);
    expect(loaded).toMatchObject({ sent: states.sent, dead: states.dead, held: states.held });
    expect(series.filter(({ sent }) => sent > 0).length).toBeGreaterThan(1);
    expect(series.filter(({ failed }) => failed > 0).length).toBeGreaterThan(3);
    expect(health.level).not.toBe('fine');
    // Whoever told it is gone.
    expect(workers.alive).toBe(0);
    expect(accounts.filter(({ account }) => account.pauseReason?.includes('Runa'))).toHaveLength(1);
    expect(accounts.filter(({ account }) => account.cooldownUntil > Date.now())).toHaveLength(1);
    expect((await new Inbox(store).list({ limit: 50 })).items.length).toBeGreaterThan(20);
    expect(await store.read(listMembers(store, home.id, NEWEST, 10))).toHaveLength(2);
    expect(await store.read(listApiKeys(store, home.id, NEWEST, 10))).toHaveLength(2);
    const audit = await store.read(listAudit(store, home.id, NEWEST, 50));
    expect(audit.length).toBeGreaterThan(8);
    expect(audit.every(({ actor }) => actor.includes('demo'))).toBe(true);
    expect((await home.settings.profile()).name).toMatch(/demo/);
  });

  test('has dead letters of several causes and ages, each with the answer of a real server', async () => {
    const groups = await box.messages.deadGroups();
    expect(groups.map(({ code }) => code).sort()).toEqual([
      '451 4.3.0',
      '550 5.1.1',
      '550 5.1.2',
      '552 5.3.4',
      '554 5.7.1',
    ]);
    const [unknown] = groups.filter(({ code }) => code === '550 5.1.1');
    expect(unknown!.lastAt - unknown!.firstAt).toBeGreaterThan(48 * HOUR_MS);
    expect(unknown!.sample).toMatch(/^<[a-z.]+@[a-z-]+\.example>: Recipient address rejected/);
    const [outOfTries] = (await box.messages.list({ state: 'dead', limit: 200 })).items.filter(
      ({ deadReason }) => deadReason === 'max_attempts',
    );
    const tries = await box.messages.attempts(outOfTries!.id);
    expect(tries.map(({ errorCode }) => errorCode)).toEqual(Array(5).fill('451 4.3.0'));
    const minutes = (tries.at(-1)!.finishedAt - tries[0]!.finishedAt) / 60_000;
    expect(minutes).toBeGreaterThanOrEqual(15);
    expect(minutes).toBeLessThan(25);
  });

  test('happened when it says, none of it in the future', async () => {
    const messages = await all();
    const created = messages.map(({ createdAt }) => createdAt);
    expect(Math.max(...created)).toBeLessThan(bornAt + 60_000);
    expect(created.filter((at) => at < bornAt - 2 * 60_000).length).toBeGreaterThan(20);
    for (const { state, createdAt, sentAt } of messages)
      if (state === 'sent') expect(sentAt! - createdAt).toBeLessThan(HOUR_MS);
    for (const { receivedAt } of (await new Inbox(box.store).list({ limit: 200 })).items)
      expect(receivedAt).toBeLessThan(Date.now());
  });

  test('points nowhere but to this machine', async () => {
    const { items } = await box.home.accounts.list();
    const urls = items.flatMap(({ transport }) => ('url' in transport ? [transport.url] : []));
    expect(urls).toHaveLength(4);
    for (const url of urls) expect(url).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
    // What the default account sends may go to a real server one day.
    const [own] = items.filter(({ isDefault }) => isDefault);
    expect((await all()).filter(({ accountId }) => accountId === own!.id)).toEqual([]);
  });

  test('is not loaded twice', async () => {
    const before = (await all()).length;
    await expect(loadInto(database.url)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('the demo data is here already'),
    });
    expect(await all()).toHaveLength(before);
  });
});

describe('a database that is not empty', () => {
  let database: FreshDatabase;
  let box: Pillarbox;

  beforeEach(async () => {
    database = await freshSqlite();
    box = await createPillarbox({ databaseUrl: database.url });
  });
  afterEach(async () => {
    await box.stop();
    await database.drop();
  });

  const mail = { to: 'ada@example.org', subject: 'Booked', text: 'See you.' };
  const transport = { kind: 'smtp', url: 'smtp://mail.example.org' } as const;

  test.each<[string, () => Promise<unknown>, string]>([
    ['a message', () => box.outbox.enqueue(mail), 'there are messages in it'],
    [
      'another workspace',
      () => box.store.transaction(addWorkspace(box.store, 'other', 1)),
      'there is more than one workspace in it',
    ],
    [
      'an account of its own',
      () => box.home.accounts.create({ name: 'ours', emailAddress: 'us@example.org', transport }),
      'there is an account in it that somebody has set up',
    ],
  ])('with %s gets no demo data', async (_what, put, why) => {
    await put();
    const before = await box.home.settings.profile();
    await expect(loadInto(database.url)).rejects.toMatchObject({
      code: 'conflict',
      message: `demo data goes only into an empty database: ${why}`,
    });
    expect(await box.home.settings.profile()).toEqual(before);
    expect((await box.home.accounts.list()).items.length).toBeLessThanOrEqual(2);
  });
});
