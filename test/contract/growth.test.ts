import { describe, expect, test, vi } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { createPillarbox } from '#pillarbox/library/pillarbox';
import { Sweeper } from '#pillarbox/engine/sweeper';
import { ask } from '#pillarbox/store/script';
import { openStore } from '#pillarbox/store/open';
import { addApiKey, listApiKeys, revokeApiKey } from '#pillarbox/store/scripts/api-keys';
import { writeAudit } from '#pillarbox/store/scripts/audit';
import { CAUGHT_BYTES_KEPT, keepCaught, listCaught } from '#pillarbox/store/scripts/caught';
import { listDeadGroups } from '#pillarbox/store/scripts/dead-groups';
import { readCounts } from '#pillarbox/store/scripts/counts';
import { dismissAll } from '#pillarbox/store/scripts/moves';
import { addInvitation } from '#pillarbox/store/scripts/invitations';
import { noteLoginFailure } from '#pillarbox/store/scripts/login-failures';
import { addSession } from '#pillarbox/store/scripts/sessions';
import { writeSettings } from '#pillarbox/store/scripts/settings';
import { noteSoftBounce } from '#pillarbox/store/scripts/suppressions';
import { foldTallies, forgetFinished, forgetStragglers } from '#pillarbox/store/scripts/sweep';
import type { Script } from '#pillarbox/store/script';
import type { Store } from '#pillarbox/store/store';
import { databases } from '../databases.js';
import { LEASE_MS, noteCause, openFixture, put, result, rows, take, useFixture } from './fixture.js';

const DAY = 24 * 3_600_000;

describe.each(databases)('what grows, and what ends it, on $name', ({ ready }) => {
  const fixture = useFixture(ready);

  const count = async (table: string): Promise<number> =>
    (await rows<{ n: number }>(fixture, `select count(*) as n from ${fixture.store.at(table)}`))[0]!.n;

  const send = async (
    key: string | null,
    event: 'accepted' | 'rejected' = 'accepted',
    fingerprint?: string,
  ) => {
    const id = await put(fixture, { idempotencyKey: key });
    const claim = await take(fixture);
    const over = event === 'rejected' ? { event, reason: 'permanent_error', fingerprint } : {};
    await fixture.store.settle([result(claim, claim.messages[0]!, over)]);
    return id;
  };

  /** As a worker does, until there is nothing left to do now. */
  const sweepAt = async (now: number, retentionMs = 30 * DAY): Promise<void> => {
    await fixture.store.setClock(now);
    const sweeper = new Sweeper(fixture.store, retentionMs, silent);
    // A turn ends by its time, so there may be any number; the line is empty when nothing is asked any more.
    for (let turn = 0; turn < 40; turn += 1) await sweeper.sweep();
  };

  /** How many statements a script asks, and how many rows it is shown. */
  const costOf = async <T>(make: (store: Store) => Script<T>): Promise<{ value: T; seen: number }> => {
    let seen = 0;
    const counting = function* (script: Script<T>): Script<T> {
      let step = script.next([]);
      while (!step.done) {
        const answer = yield step.value;
        seen += answer.length;
        step = script.next(answer);
      }
      return step.value;
    };
    const value = await fixture.store.transaction(counting(make(fixture.store)));
    return { value, seen };
  };

  test('messages without a key go entirely; with one, key, state and time stay for ever', async () => {
    const { store, workspaceId } = fixture;
    await send(null);
    const keyed = await send('k');
    const waiting = await put(fixture, { dueAt: Date.now() + 100 * DAY });
    const dead = await send(null, 'rejected', 'f');
    await sweepAt((await store.now()) + 31 * DAY);
    const left = await rows<{ id: number; recipient: string; state: string | null }>(
      fixture,
      `select m.id, m.recipient, o.state from ${store.at('messages')} m
        left join ${store.at('outcomes')} o on o.message_id = m.id order by m.id`,
    );
    expect(left).toMatchObject([
      { id: keyed, recipient: '', state: 'sent' },
      { id: waiting, recipient: 'ada@example.org', state: null },
      { id: dead, recipient: 'ada@example.org', state: 'dead' },
    ]);
    expect(await count('contents')).toBe(2);
    expect(await count('attempts')).toBe(1);
    const [outbox] = await store.read(readCounts(store, workspaceId));
    expect(outbox).toMatchObject({ pending: 1, finished: { sent: 1, dead: 1 } });
  });

  test('a message without content is forgotten like any other', async () => {
    const { store, workspaceId } = fixture;
    const id = await send('k');
    await store.transaction(ask(store.db.deleteFrom('contents').where('message_id', '=', id)));
    const keeping = { now: (await store.now()) + 1_000, keepMs: 0 };
    expect(await store.transaction(forgetFinished(store, workspaceId, keeping, 10))).toMatchObject({
      forgotten: 1,
    });
    const [row] = await rows<{ recipient: string }>(fixture, `select recipient from ${store.at('messages')}`);
    expect(row!.recipient).toBe('');
  });

  test('what was walked past in an earlier state is forgotten in its own time', async () => {
    const { store, workspaceId } = fixture;
    const dead = await send('k', 'rejected', 'f');
    const start = await store.now();
    await sweepAt(start + 40 * DAY);
    expect(await count('contents')).toBe(1);
    const actor = { workspaceId, now: start + 50 * DAY };
    await store.transaction(dismissAll(store, [dead], actor));
    await sweepAt(start + 79 * DAY);
    expect(await count('contents')).toBe(1);
    await sweepAt(start + 81 * DAY + 1);
    await sweepAt(start + 82 * DAY + 2);
    expect(await count('contents')).toBe(0);
    expect(await count('stragglers')).toBe(0);
  });

  test('a step costs what it forgets, however much was forgotten before', async () => {
    const { store, workspaceId } = fixture;
    for (let n = 0; n < 60; n += 1) await send(`k${String(n)}`);
    const keeping = { now: (await store.now()) + 1_000, keepMs: 0 };
    const walk = () => costOf((each) => forgetFinished(each, workspaceId, keeping, 50));
    const first = await walk();
    expect(first.value).toEqual({ forgotten: 50, more: true });
    expect((await walk()).value).toEqual({ forgotten: 10, more: false });
    const nothing = await walk();
    expect(nothing.value).toEqual({ forgotten: 0, more: false });
    // Where it stands, and that there is nothing behind it.
    expect(nothing.seen).toBeLessThanOrEqual(2);
    const stragglers = await costOf((each) => forgetStragglers(each, keeping, 50));
    expect(stragglers.seen).toBe(0);
  });

  test('two workers at once forget each message once', async () => {
    const { store, workspaceId } = fixture;
    for (let n = 0; n < 40; n += 1) await send(null);
    const other = await openFixture(fixture.url);
    const keeping = { now: (await store.now()) + 1_000, keepMs: 0 };
    const work = async (each: Store) => {
      let forgotten = 0;
      for (let step = 0; step < 200 && (await count('messages')) > 0; step += 1)
        forgotten += (await each.transaction(forgetFinished(each, workspaceId, keeping, 5))).forgotten;
      return forgotten;
    };
    const done = await Promise.all([work(store), work(other.store)]);
    expect(done[0] + done[1]).toBe(40);
    const [outbox] = await store.read(readCounts(store, workspaceId));
    expect(outbox).toMatchObject({ pending: 0, finished: { sent: 0 } });
    await other.store.close();
  });

  test('the audit log is kept for its own time, and a workspace may say for how long', async () => {
    const { store, workspaceId } = fixture;
    const start = await store.now();
    const entry = { workspaceId, actor: 'somebody', action: 'account.update', target: null };
    await store.transaction(writeAudit(store, entry, start));
    await store.transaction(writeAudit(store, entry, start + 300 * DAY));
    await sweepAt(start + 399 * DAY);
    expect(await count('audit')).toBe(2);
    await sweepAt(start + 401 * DAY);
    expect(await count('audit')).toBe(1);
    await store.transaction(writeSettings(store, workspaceId, 'delivery', { auditDays: 7 }));
    await sweepAt(start + 401 * DAY);
    expect(await count('audit')).toBe(0);
    await expect(
      store.transaction(
        (function* () {
          yield* writeAudit(store, entry, start);
          yield* ask(store.db.deleteFrom('audit'));
        })(),
      ),
    ).rejects.toThrow(/append-only/);
  });

  test('a cause that nothing is dead of goes after a while, and its count at once', async () => {
    const { store, workspaceId } = fixture;
    const cause = { transport: 'smtp', class: 'permanent', code: '550', sample: 'no' } as const;
    for (const fingerprint of ['gone', 'stays']) await noteCause(fixture, { ...cause, fingerprint });
    const gone = await send(null, 'rejected', 'gone');
    await send(null, 'rejected', 'stays');
    const start = await store.now();
    await store.transaction(foldTallies(store, start + 60_000));
    expect(await store.read(listDeadGroups(store, workspaceId))).toHaveLength(2);
    await store.transaction(dismissAll(store, [gone], { workspaceId, now: start }));
    await store.transaction(foldTallies(store, start + 60_000));
    const counted = () =>
      rows<{ fingerprint: string }>(
        fixture,
        `select fingerprint from ${store.at('counts')} where fingerprint <> ''`,
      );
    expect(await counted()).toMatchObject([{ fingerprint: 'stays' }]);
    await sweepAt(start + DAY);
    expect(await count('dead_causes')).toBe(2);
    await sweepAt(start + 10 * DAY);
    const left = await rows<{ fingerprint: string }>(
      fixture,
      `select fingerprint from ${store.at('dead_causes')}`,
    );
    expect(left).toMatchObject([{ fingerprint: 'stays' }]);
  });

  test('a cause that comes back in time stays', async () => {
    const { store } = fixture;
    const start = await store.now();
    const cause = { transport: 'smtp', class: 'permanent', code: '550', sample: 'no' } as const;
    await noteCause(fixture, { ...cause, fingerprint: 'f' });
    await sweepAt(start + DAY);
    await send(null, 'rejected', 'f');
    await sweepAt(start + 2 * DAY);
    await sweepAt(start + 12 * DAY);
    expect(await rows(fixture, `select idle_since from ${store.at('dead_causes')}`)).toMatchObject([
      { idle_since: null },
    ]);
  });

  test('what only counts, and what ends by its age, ends', async () => {
    const { store, workspaceId, channelId } = fixture;
    const start = await store.now();
    await store.transaction(noteSoftBounce(store, workspaceId, 'ada@example.org', 1, start));
    await store.transaction(
      (function* () {
        const { db } = store;
        const old = { workspace_id: workspaceId, n: 1, state: 'sent' };
        yield* ask(db.insertInto('minutes').values({ ...old, minute: 1, channel_id: channelId }));
        yield* ask(db.insertInto('totals').values({ ...old, hour: 3_600_000 }));
        const death = { workspace_id: workspaceId, n: 1, fingerprint: 'f', channel_id: channelId };
        yield* ask(db.insertInto('deaths').values({ ...death, hour: 3_600_000 }));
        yield* addSession(store, 'old', 1, 1);
        yield* addSession(store, 'new', 1, Date.now());
        const invitation = { workspaceId, madeBy: 1 };
        yield* addInvitation(store, { ...invitation, userId: 1, hash: 'old', expiresAt: Date.now() - 1 }, 1);
        yield* addInvitation(store, { ...invitation, userId: 2, hash: 'new', expiresAt: start + DAY }, 1);
        yield* ask(db.insertInto('login_failures').values({ subject: 'old', failed_at: 1 }));
        yield* noteLoginFailure(store, ['new'], Date.now());
        const key = { workspaceId, name: 'k', scopes: ['read'] as const, hint: 'x' };
        for (const hash of ['a', 'b', 'c']) yield* addApiKey(store, { ...key, hash }, start);
        yield* revokeApiKey(store, workspaceId, 1, start);
        yield* revokeApiKey(store, workspaceId, 2, start + 60 * DAY);
      })(),
    );
    await sweepAt(start + 7 * DAY);
    const present = ['soft_bounces', 'minutes', 'totals', 'deaths', 'sessions', 'login_failures'];
    const counts = async () => {
      const counted = new Map<string, number>();
      for (const table of [...present, 'invitations', 'api_keys']) counted.set(table, await count(table));
      return Object.fromEntries(counted);
    };
    expect(await counts()).toEqual({
      ...{ soft_bounces: 1, minutes: 0, totals: 0, deaths: 0, sessions: 1, login_failures: 1 },
      ...{ invitations: 1, api_keys: 3 },
    });
    await sweepAt(start + 91 * DAY);
    expect(await counts()).toMatchObject({ soft_bounces: 0, sessions: 1, login_failures: 1, api_keys: 2 });
    expect(await store.read(listApiKeys(store, workspaceId, 99, 99))).toHaveLength(1);
  });

  test('one workspace with much to forget does not keep another waiting', async () => {
    const { store } = fixture;
    const start = await store.now();
    const entry = { actor: 'a', action: 'x.y', target: null };
    await store.transaction(
      (function* () {
        for (let n = 0; n < 1_500; n += 1)
          yield* writeAudit(store, { ...entry, workspaceId: fixture.workspaceId }, start);
        yield* ask(store.db.insertInto('workspaces').values({ id: 77, name: 'small', created_at: 1 }));
        yield* writeAudit(store, { ...entry, workspaceId: 77 }, start);
      })(),
    );
    await store.setClock(start + 401 * DAY);
    const left = async (workspaceId: number) =>
      (await rows(fixture, `select id from ${store.at('audit')} where workspace_id = ${String(workspaceId)}`))
        .length;
    const wipe = store.wipe.bind(store);
    const seen: (readonly [large: number, small: number])[] = [];
    store.wipe = async (script) => {
      const done = await wipe(script);
      seen.push([await left(fixture.workspaceId), await left(77)]);
      return done;
    };
    const sweeper = new Sweeper(store, 30 * DAY, silent);
    for (let turn = 0; turn < 500 && (await left(fixture.workspaceId)) > 0; turn += 1) await sweeper.sweep();
    expect(seen.find(([, small]) => small === 0)![0]).toBe(1_000);
    expect(seen.at(-1)![0]).toBe(0);
  });

  test('tallies are folded a bounded number at a time, and all of them in the end', async () => {
    const { store, workspaceId } = fixture;
    for (let n = 0; n < 25; n += 1) await put(fixture);
    const later = (await store.now()) + 120_000;
    const more = [];
    for (let step = 0; step < 3; step += 1) more.push(await store.transaction(foldTallies(store, later, 10)));
    expect(more).toEqual([true, true, false]);
    expect(await count('tallies')).toBe(0);
    const [outbox] = await store.read(readCounts(store, workspaceId));
    expect(outbox!.pending).toBe(25);
  });

  test('where no worker runs, the process that stores mail does the chores', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const box = await createPillarbox({ databaseUrl: fixture.url, from: 'box@example.org' });
    try {
      await box.store.setClock((await box.store.now()) - 3 * 60_000);
      for (let n = 0; n < 3; n += 1)
        await box.outbox.enqueue({ to: 'ada@example.org', subject: 'x', text: 'x' });
      expect(await count('tallies')).toBeGreaterThan(0);
      await box.store.setClock((await box.store.now()) + 2 * 60_000);
      vi.advanceTimersByTime(60_000);
      await expect.poll(() => count('tallies')).toBe(0);
    } finally {
      vi.useRealTimers();
      await box.stop();
    }
  });

  test('the catcher keeps so many bytes, and the newest mail in any case', async () => {
    const { store } = fixture;
    const mail = { receivedAt: 1, sender: '', recipients: [], raw: Buffer.from('x') };
    const keep = (subject: string, size: number) =>
      store.transaction(keepCaught(store, { ...mail, subject, size }));
    const third = Math.floor(CAUGHT_BYTES_KEPT / 3);
    for (const subject of ['1', '2', '3', '4']) await keep(subject, third);
    const subjects = async () =>
      (await store.read(listCaught(store, { limit: 9 }))).map((each) => each.subject);
    expect(await subjects()).toEqual(['4', '3', '2']);
    await keep('huge', CAUGHT_BYTES_KEPT + 1);
    expect(await subjects()).toEqual(['huge']);
    await keep('small', 1);
    expect(await subjects()).toEqual(['small']);
  });

  test('of virtual clocks the newest hundred are remembered', async () => {
    const { store } = fixture;
    await store.transaction(
      (function* () {
        for (let n = 1; n <= 150; n += 1)
          yield* ask(store.db.insertInto('clocks').values({ setting: `old ${String(n)}`, anchor_ms: n }));
      })(),
    );
    const clock = '2030-01-01T00:00:00Z*10';
    const opened = await openStore({ databaseUrl: fixture.url, leaseMs: LEASE_MS, clock, log: silent });
    await opened.close();
    expect(await count('clocks')).toBeLessThanOrEqual(101);
    expect(
      await rows(fixture, `select 1 from ${store.at('clocks')} where setting = '${clock}'`),
    ).toHaveLength(1);
  });

  test('a worker that died without a word is forgotten after a day', async () => {
    const { store } = fixture;
    const worker = { kind: 'worker', host: 'h', version: '1', started_at: 1 } as const;
    await store.transaction(
      (function* () {
        yield* ask(store.db.insertInto('workers').values({ ...worker, name: 'old', seen_at: 1 }));
        yield* ask(store.db.insertInto('workers').values({ ...worker, name: 'new', seen_at: Date.now() }));
      })(),
    );
    await sweepAt(await store.now());
    expect(await rows(fixture, `select name from ${store.at('workers')}`)).toMatchObject([{ name: 'new' }]);
  });
});
