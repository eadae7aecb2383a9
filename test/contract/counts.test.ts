import { beforeEach, describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import { FINISHED_STATES } from '#pillarbox/core/lifecycle';
import { Messages } from '#pillarbox/messages/messages';
import { readCauseCounts, readCounts } from '#pillarbox/store/scripts/counts';
import { resolveLate } from '#pillarbox/store/scripts/late-replies';
import { expireWaiting, foldTallies } from '#pillarbox/store/scripts/sweep';
import { databases } from '../databases.js';
import {
  aMessage,
  anAccount,
  asking,
  failedTry,
  noteCause,
  openFixture,
  put,
  result,
  rows,
  take,
  useFixture,
} from './fixture.js';

/** Counters say what counting would say, whatever was done, and whenever they are folded. */
const CAUSE = {
  fingerprint: 'f1',
  transport: 'smtp',
  class: 'permanent',
  code: '550',
  sample: 'no',
} as const;

describe.each(databases)('counters on $name', ({ ready }) => {
  const fixture = useFixture(ready);
  let messages: Messages;

  beforeEach(() => {
    messages = new Messages(fixture.store, fixture.workspaceId);
  });

  const fold = async () => {
    const { store } = fixture;
    await store.transaction(foldTallies(store, (await store.now()) + 120_000));
  };

  const counted = async () => {
    const lanes = await fixture.store.read(readCounts(fixture.store, fixture.workspaceId));
    const outbox = lanes.find(({ lane }) => lane === 'outbox')!;
    return { pending: outbox.pending, ...outbox.finished };
  };

  /** By looking at every row. */
  const scanned = async () => {
    const { store, workspaceId } = fixture;
    const [all] = await rows<{ n: number }>(
      fixture,
      `select count(*) as n from ${store.at('messages')} where workspace_id = ${workspaceId}`,
    );
    const ended = await rows<{ state: string; n: number }>(
      fixture,
      `select state, count(*) as n from ${store.at('outcomes')} where workspace_id = ${workspaceId} group by state`,
    );
    const finished = FINISHED_STATES.map((state) => [
      state,
      ended.find((row) => row.state === state)?.n ?? 0,
    ]) as [string, number][];
    const done = finished.reduce((sum, [, n]) => sum + n, 0);
    return { pending: all!.n - done, ...Object.fromEntries(finished) };
  };

  const agree = async () => {
    expect(await counted()).toEqual(await scanned());
  };

  /** One message each way. */
  async function settleAs(event: 'accepted' | 'exhausted' | 'doubted' | 'deferred', fingerprint?: string) {
    const id = await put(fixture);
    const claim = await take(fixture, 1);
    const attempt = event === 'accepted' ? result(claim, claim.messages[0]!).attempt! : failedTry;
    const over = { event, attempt, fingerprint, reason: event === 'exhausted' ? 'max_attempts' : undefined };
    await fixture.store.settle([
      result(claim, claim.messages[0]!, { ...over, waitMs: event === 'deferred' ? 3_600_000 : undefined }),
    ]);
    return { id: formatId('message', id), number: id, lease: claim.lease };
  }

  test('follow every move, before and after they are folded', async () => {
    const { store } = fixture;
    const now = await store.now();
    const moves: (() => Promise<unknown>)[] = [
      () => put(fixture, { idempotencyKey: 'k', dueAt: now + 3_600_000 }),
      // A duplicate is not counted again.
      () => put(fixture, { idempotencyKey: 'k' }),
      () => store.enqueue([1, 2, 3].map(() => aMessage(fixture, { dueAt: now + 3_600_000 }))),
      () => store.enqueueLeased([aMessage(fixture)], 'caller'),
      () => settleAs('accepted'),
      () => settleAs('deferred'),
      async () => messages.retry((await settleAs('exhausted', 'f1')).id),
      async () => messages.cancel(formatId('message', (await take(fixture, 1)).messages[0]!.id)),
      async () => messages.dismiss((await settleAs('exhausted', 'f1')).id),
      async () => messages.dismiss((await settleAs('doubted')).id),
      async () => messages.resolve((await settleAs('doubted')).id, 'sent'),
      async () => messages.resolve((await settleAs('doubted')).id, 'unsent'),
      async () => messages.cancel(formatId('message', (await take(fixture, 1)).messages[0]!.id)),
      async () => messages.cancel(formatId('message', await put(fixture))),
      async () => {
        await put(fixture, { expiresAt: now - 1 });
        await store.transaction(expireWaiting(store, now, 10));
      },
      async () => {
        const { number, lease } = await settleAs('doubted');
        await store.transaction(resolveLate(store, [{ id: number, lease, left: true }], now));
      },
      async () => {
        const { number, lease } = await settleAs('doubted');
        await store.transaction(resolveLate(store, [{ id: number, lease, left: false }], now));
        await messages.cancel(formatId('message', number));
      },
      () => settleAs('doubted'),
      () => settleAs('exhausted', 'f2'),
    ];
    for (const [n, move] of moves.entries()) {
      await move();
      await agree();
      if (n % 3 === 2) await fold();
      await agree();
    }
    await fold();
    await agree();
    expect(await rows(fixture, `select n from ${store.at('tallies')}`)).toEqual([]);
    expect(await counted()).toMatchObject({ held: 1, dead: 1, expired: 1 });
  });

  test('a withdrawn message is counted as cancelled when its worker lets go of it', async () => {
    const id = await put(fixture);
    const claim = await take(fixture, 1);
    await messages.cancel(formatId('message', id));
    await fixture.store.gate([asking(claim, claim.messages[0]!)]);
    await fixture.store.settle([
      result(claim, claim.messages[0]!, { event: 'released', attempt: undefined }),
    ]);
    await agree();
    expect(await counted()).toMatchObject({ pending: 0, cancelled: 1 });
  });

  test('a transaction of the caller that is rolled back counts nothing', async () => {
    const { store } = fixture;
    const failing = store.transaction(
      (function* () {
        yield* store.enqueueWithin([aMessage(fixture)]);
        throw new Error('the caller changed his mind');
      })(),
    );
    await expect(failing).rejects.toThrow('changed his mind');
    await agree();
  });

  test('dead letters are counted by cause, retried and dismissed ones no more', async () => {
    const { store, workspaceId } = fixture;
    const causes = () => store.read(readCauseCounts(store, workspaceId));
    const first = await settleAs('exhausted', 'f1');
    await settleAs('exhausted', 'f1');
    await settleAs('exhausted', 'f2');
    expect([...(await causes())].sort()).toEqual([
      ['f1', 2],
      ['f2', 1],
    ]);
    await fold();
    await messages.retry(first.id);
    await messages.dismissGroup('f2');
    expect([...(await causes())]).toEqual([['f1', 1]]);
    await fold();
    expect([...(await causes())]).toEqual([['f1', 1]]);
  });

  test('a group tells when its first and its last letter died', async () => {
    const { store } = fixture;
    await noteCause(fixture, CAUSE);
    const started = await store.now();
    await settleAs('exhausted', 'f1');
    await settleAs('exhausted', 'f1');
    const ended = await store.now();
    const [group] = await messages.deadGroups();
    expect(group).toMatchObject({ fingerprint: 'f1', count: 2, code: '550' });
    expect(group!.firstAt).toBeGreaterThanOrEqual(started);
    expect(group!.lastAt).toBeGreaterThanOrEqual(group!.firstAt);
    expect(group!.lastAt).toBeLessThanOrEqual(ended);
  });

  test('a group that two people retry at once is retried once, and the two together did all of it', async () => {
    await noteCause(fixture, CAUSE);
    for (let n = 0; n < 12; n += 1) await settleAs('exhausted', 'f1');
    const other = await openFixture(fixture.url);
    const theirs = new Messages(other.store, fixture.workspaceId);
    const done = await Promise.all([messages.retryGroup('f1'), theirs.retryGroup('f1')]);
    await other.store.close();
    expect(done[0] + done[1]).toBe(12);
    await agree();
    expect((await take(fixture, 50)).messages).toHaveLength(12);
  });

  test('another workspace has its own', async () => {
    const { store } = fixture;
    await settleAs('exhausted', 'f1');
    const other = await store.transaction(anAccount(store, 'other'));
    await put({ ...fixture, ...other });
    const theirs = await store.read(readCounts(store, other.workspaceId));
    expect(theirs.map(({ lane, pending, finished }) => [lane, pending, finished.dead])).toEqual([
      ['outbox', 1, 0],
      ['campaign', 0, 0],
      ['notification', 0, 0],
    ]);
    expect([...(await store.read(readCauseCounts(store, other.workspaceId)))]).toEqual([]);
    await agree();
  });

  test('two sweepers that fold at once count nothing twice', async () => {
    const other = await openFixture(fixture.url);
    for (let n = 0; n < 20; n += 1) await settleAs('accepted');
    const later = (await fixture.store.now()) + 120_000;
    await Promise.all(
      [fixture, other, fixture, other].map(({ store }) => store.transaction(foldTallies(store, later))),
    );
    await other.store.close();
    await agree();
    expect(await counted()).toMatchObject({ sent: 20, pending: 0 });
  });
});
