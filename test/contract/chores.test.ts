import { describe, expect, test } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { readContent, readMessages } from '#pillarbox/store/scripts/messages';
import { noteSoftBounce } from '#pillarbox/store/scripts/suppressions';
import { expireWaiting, foldTallies, forgetFinished } from '#pillarbox/store/scripts/sweep';
import { databases } from '../databases.js';
import {
  aMessage,
  asking,
  LEASE_MS,
  nothingToTake,
  openFixture,
  put,
  result,
  rows,
  take,
  useFixture,
} from './fixture.js';

describe.each(databases)('chores on $name', ({ name, fresh, ready }) => {
  const fixture = useFixture(ready);

  const stateOf = async (id: number) =>
    (await fixture.store.read(readMessages(fixture.store, fixture.workspaceId, [id])))[0]!.state;

  test('what waits past its time expires, and nothing else', async () => {
    const { store } = fixture;
    const now = await store.now();
    const late = await put(fixture, { expiresAt: now - 1 });
    const intime = await put(fixture, { expiresAt: now + 60_000 });
    const endless = await put(fixture);
    expect(await store.transaction(expireWaiting(store, now, 100))).toBe(1);
    expect([await stateOf(late), await stateOf(intime), await stateOf(endless)]).toEqual([
      'expired',
      'scheduled',
      'scheduled',
    ]);
  });

  test('tallies of past minutes become hourly totals, once', async () => {
    const { store } = fixture;
    for (let n = 0; n < 3; n += 1) await put(fixture);
    const claim = await take(fixture);
    await store.settle(claim.messages.map((message) => result(claim, message)));
    const later = (await store.now()) + 120_000;
    await store.transaction(foldTallies(store, later));
    await store.transaction(foldTallies(store, later));
    const totals = await rows<{ state: string; n: number }>(
      fixture,
      `select state, n from ${store.at('totals')}`,
    );
    expect(totals.map(({ state, n }) => [state, n])).toEqual([['sent', 3]]);
    expect(await rows(fixture, `select * from ${store.at('tallies')}`)).toEqual([]);
  });

  test('retention forgets contents and history, but never the key, nor what was not sent', async () => {
    const { store } = fixture;
    const sent = await put(fixture, { idempotencyKey: 'k', subject: 'secret' });
    const claim = await take(fixture);
    await store.settle([result(claim, claim.messages[0]!)]);
    const waiting = await put(fixture);
    const later = (await store.now()) + 1_000;
    const step = await store.transaction(
      forgetFinished(store, fixture.workspaceId, { now: later, keepMs: 0 }, 100),
    );
    expect(step).toEqual({ forgotten: 1, more: false });
    expect(await store.read(readContent(store, sent))).toBeUndefined();
    expect(await store.read(readContent(store, waiting))).toBeDefined();
    const [message] = await store.read(readMessages(store, fixture.workspaceId, [sent]));
    expect(message).toMatchObject({ state: 'sent', subject: null, to: { email: '' }, idempotencyKey: 'k' });
    const [again] = await store.enqueue([aMessage(fixture, { idempotencyKey: 'k' })]);
    expect(again).toMatchObject({ id: sent, duplicate: true });
  });

  test('retention walks in steps and says whether there is more', async () => {
    const { store, workspaceId } = fixture;
    for (let n = 0; n < 5; n += 1) await put(fixture);
    const keeping = { now: (await store.now()) + 1_000, keepMs: 0 };
    const steps = [];
    for (const limit of [2, 2, 10])
      steps.push(await store.transaction(forgetFinished(store, workspaceId, keeping, limit)));
    expect(steps.map(({ more }) => more)).toEqual([true, true, false]);
  });

  test('three soft bounces of an address within a week suppress it; two do not', async () => {
    const { store, workspaceId } = fixture;
    const bounce = (message: number, at: number) =>
      store.transaction(noteSoftBounce(store, workspaceId, 'full@example.org', message, at));
    const suppressed = () => rows(fixture, `select address, reason from ${store.at('suppressions')}`);
    await bounce(1, 1_000);
    await bounce(1, 2_000);
    await bounce(2, 3_000);
    expect(await suppressed()).toEqual([]);
    await bounce(3, 3_000 + 8 * 24 * 3_600_000);
    expect(await suppressed()).toEqual([]);
    await bounce(4, 3_000 + 8 * 24 * 3_600_000);
    await bounce(5, 3_000 + 8 * 24 * 3_600_000);
    expect(await suppressed()).toMatchObject([{ address: 'full@example.org', reason: 'soft_bounces' }]);
  });

  test('many processes may open and migrate a new database at once [F57]', async () => {
    const empty = await fresh();
    const stores = await Promise.all(
      Array.from({ length: 6 }, () => openStore({ databaseUrl: empty.url, leaseMs: LEASE_MS, log: silent })),
    );
    expect(new Set(stores.map(({ installation }) => installation)).size).toBe(1);
    await Promise.all(stores.map((store) => store.close()));
    await empty.drop();
  });

  test('a schema from the future is refused and left alone [F57]', async () => {
    const { store } = fixture;
    await store.transaction(
      (function* () {
        yield { sql: `insert into ${store.at('migrations')} values (999, 'future', 1)`, parameters: [] };
      })(),
    );
    await expect(
      openStore({ databaseUrl: fixture.url, leaseMs: LEASE_MS, log: silent }),
    ).rejects.toMatchObject({
      code: 'schema_too_new',
      message: expect.stringContaining('999'),
    });
  });

  test('a transaction that fails leaves nothing behind', async () => {
    const { store } = fixture;
    const failing = store.transaction(
      (function* () {
        yield* store.enqueueWithin([aMessage(fixture)]);
        throw new Error('the caller changed his mind');
      })(),
    );
    await expect(failing).rejects.toThrow('changed his mind');
    expect(await nothingToTake(fixture)).toBe(true);
    expect(await rows(fixture, `select id from ${store.at('messages')}`)).toEqual([]);
  });

  test('processes that use one virtual clock agree, also after a restart, and leases stay on real time', async () => {
    const clock = '2030-01-01T00:00:00Z*1000';
    const one = await openFixture(fixture.url, { clock });
    const two = await openFixture(fixture.url, { clock });
    const [a, b] = [await one.store.now(), await two.store.now()];
    expect(Math.abs(a - b)).toBeLessThan(60_000);
    expect(a).toBeGreaterThanOrEqual(Date.UTC(2030, 0, 1));
    const id = await put(one, { dueAt: a + 3_600_000 });
    expect(await nothingToTake(one)).toBe(true);
    // An hour of virtual time is 3.6 s.
    await expect.poll(() => nothingToTake(two), { interval: 100 }).toBe(false);
    const [message] = await two.store.read(readMessages(two.store, two.workspaceId, [id]));
    expect(message!.lockedUntil! - Date.now()).toBeLessThanOrEqual(LEASE_MS);
    await one.store.close();
    await two.store.close();
  });

  test('a clock that is set, again and again, rules every move of its own connection and no lease', async () => {
    const { store } = fixture;
    const other = await openFixture(fixture.url);
    const start = Date.now() - 3 * 3_600_000;
    for (const hour of [0, 1, 2]) {
      const at = start + hour * 3_600_000;
      await store.setClock(at);
      await put(fixture);
      const claim = await take(fixture);
      const [message] = claim.messages;
      const [gate] = await store.gate([asking(claim, message!)]);
      const now = await store.now();
      await store.settle([result(claim, message!)]);
      const [sent] = await store.read(readMessages(store, fixture.workspaceId, [message!.id]));
      for (const instant of [
        claim.claimedAt,
        (gate as { handedAt: number }).handedAt,
        now,
        sent!.sentAt!,
        sent!.createdAt,
      ]) {
        expect(instant).toBeGreaterThanOrEqual(at);
        expect(instant).toBeLessThan(at + 60_000);
      }
    }
    expect(await other.store.now()).toBeGreaterThan(start + 3 * 3_600_000 - 1);
    await put(fixture);
    const claim = await take(fixture);
    const [held] = await store.read(readMessages(store, fixture.workspaceId, [claim.messages[0]!.id]));
    expect(held!.lockedUntil!).toBeGreaterThan(Date.now());
    expect(await other.store.takeOver('other', 10)).toEqual([]);
    await other.store.close();
  });

  test(`says what it is when ${name} cannot be had`, async () => {
    const nowhere =
      name === 'SQLite' ? 'sqlite:/proc/nowhere/mail.db' : 'postgres://postgres@127.0.0.1:1/none';
    await expect(openStore({ databaseUrl: nowhere, leaseMs: LEASE_MS, log: silent })).rejects.toThrow(
      expect.objectContaining({ code: 'store_unavailable' }),
    );
  });
});
