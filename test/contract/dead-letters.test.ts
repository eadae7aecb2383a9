import { beforeEach, describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import { Messages } from '#pillarbox/messages/messages';
import { foldTallies } from '#pillarbox/store/scripts/sweep';
import { databases } from '../databases.js';
import { anAccount, failedTry, noteCause, put, result, rows, take, useFixture } from './fixture.js';

const CAUSE = { transport: 'smtp', class: 'retryable', code: '451 4.3.0', sample: 'lookup failed' } as const;
const MINUTE = 60_000;

describe.each(databases)('dead letters on $name', ({ ready }) => {
  const fixture = useFixture(ready);
  let messages: Messages;

  beforeEach(async () => {
    const { store, workspaceId } = fixture;
    messages = new Messages(store, workspaceId);
    await noteCause(fixture, { ...CAUSE, fingerprint: 'f1' });
    await noteCause(fixture, { ...CAUSE, class: 'permanent', code: '550', fingerprint: 'f2' });
  });

  const settle = async (
    event: 'exhausted' | 'accepted',
    fingerprint?: string,
    recipient = 'ada@example.org',
  ) => {
    const id = await put(fixture, { recipient });
    const claim = await take(fixture, 1);
    const attempt = event === 'accepted' ? result(claim, claim.messages[0]!).attempt! : failedTry;
    const entry = { event, reason: 'max_attempts', attempt, attempts: 5, fingerprint } as const;
    await fixture.store.settle([result(claim, claim.messages[0]!, entry)]);
    return formatId('message', id);
  };

  const fold = async () => {
    const { store } = fixture;
    await store.transaction(foldTallies(store, (await store.now()) + 2 * MINUTE));
  };

  /** As if it had happened some time ago. */
  const died = async (msAgo: number) => {
    const { store } = fixture;
    const at = (await store.now()) - msAgo;
    await rows(fixture, `update ${store.at('outcomes')} set finished_at = ${at} where state = 'dead'`);
  };

  test('are listed by cause, newest first, page by page, with every other filter', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await settle('exhausted', 'f1', `u${n % 2}@example.org`));
    await settle('exhausted', 'f2');
    await settle('accepted');
    const newest = [...ids].reverse();
    const idsOf = async (filter: Parameters<Messages['list']>[0]) =>
      (await messages.list(filter)).items.map(({ id }) => id);
    expect(await idsOf({ fingerprint: 'f1' })).toEqual(newest);
    const first = await messages.list({ fingerprint: 'f1', state: 'dead', limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(newest.slice(0, 2));
    expect(await idsOf({ fingerprint: 'f1', cursor: first.nextCursor! })).toEqual(newest.slice(2));
    expect(await idsOf({ fingerprint: 'f1', to: 'u1@example.org' })).toEqual([ids[3], ids[1]]);
    expect(await idsOf({ fingerprint: 'f1', q: 'u1@' })).toEqual([ids[3], ids[1]]);
    expect(await idsOf({ fingerprint: 'f1', q: 'hello' })).toEqual(newest);
    expect(await idsOf({ fingerprint: 'f1', lane: 'outbox' })).toEqual(newest);
    expect(await idsOf({ fingerprint: 'f1', state: 'sent' })).toEqual([]);
    expect(await idsOf({ fingerprint: 'other' })).toEqual([]);
    await messages.retry(ids[0]!);
    expect(await idsOf({ fingerprint: 'f1' })).toEqual(newest.slice(0, 4));
  });

  test('a cause tells its accounts, its days and its newest letters, folded or not', async () => {
    for (let n = 0; n < 4; n += 1) await settle('exhausted', 'f1', `u${n}@example.org`);
    const look = async () => (await messages.deadLetters()).groups[0]!;
    const before = await look();
    expect(before).toMatchObject({ count: 4, accounts: ['main'], days: [0, 0, 0, 0, 0, 0, 4] });
    expect(before.newest.map(({ recipient }) => recipient)).toEqual([
      ...['u3@example.org', 'u2@example.org', 'u1@example.org'],
    ]);
    await fold();
    expect(await look()).toEqual(before);
    await messages.retryGroup('f1');
    await settle('exhausted', 'f1');
    // A death stays a death, also when its letter was retried.
    expect(await look()).toMatchObject({ count: 1, days: [0, 0, 0, 0, 0, 0, 5] });
  });

  test('one looks over when enough has left through its account since', async () => {
    await settle('exhausted', 'f1');
    await settle('exhausted', 'f2');
    await died(20 * MINUTE);
    for (let n = 0; n < 9; n += 1) await settle('accepted');
    const outlooks = async () => (await messages.deadLetters()).groups.map(({ outlook }) => outlook).sort();
    expect(await outlooks()).toEqual(['change', 'untried']);
    await settle('accepted');
    expect(await outlooks()).toEqual(['change', 'over']);
    const { summary, groups } = await messages.deadLetters();
    expect(summary.retryable).toEqual({ count: 1, fingerprints: ['f1'] });
    expect(groups.find(({ fingerprint }) => fingerprint === 'f1')).toMatchObject({
      successesSince: 10,
      lastSuccessAt: expect.any(Number) as number,
    });
    await fold();
    expect(await outlooks()).toEqual(['change', 'over']);
  });

  test('what left through another account says nothing', async () => {
    await settle('exhausted', 'f1');
    await died(20 * MINUTE);
    const other = await fixture.store.transaction(anAccount(fixture.store, 'other'));
    const theirs = { ...fixture, ...other };
    for (let n = 0; n < 10; n += 1) {
      await put(theirs);
      const claim = await take(theirs, 1);
      await fixture.store.settle([result(claim, claim.messages[0]!)]);
    }
    expect((await messages.deadLetters()).groups[0]).toMatchObject({ outlook: 'untried', successesSince: 0 });
  });

  test('can be narrowed, and say what else could be asked for', async () => {
    await settle('exhausted', 'f1');
    await settle('exhausted', 'f2');
    const of = async (filter: Parameters<Messages['deadLetters']>[0]) =>
      (await messages.deadLetters(filter)).groups.map(({ fingerprint }) => fingerprint);
    expect(await of({ class: 'permanent' })).toEqual(['f2']);
    expect(await of({ transport: 'gmail' })).toEqual([]);
    await died(2 * 60 * MINUTE);
    expect(await of({ since: '1h' })).toEqual([]);
    expect(await of({ since: '24h' })).toHaveLength(2);
    const { transports, classes, summary } = await messages.deadLetters({ class: 'permanent' });
    expect({ transports, classes }).toEqual({ transports: ['smtp'], classes: ['permanent', 'retryable'] });
    expect(summary.sentence).toContain('1 dead letter');
  });

  test('a large cause is worked off in steps: who asks again does the rest', async () => {
    for (let n = 0; n < 3; n += 1) await settle('exhausted', 'f1');
    expect(await messages.actOnGroup('dismiss', 'f1', 0)).toEqual({ done: 3, conflicts: 0, more: false });
    expect(await messages.actOnGroup('dismiss', 'f1', 0)).toEqual({ done: 0, conflicts: 0, more: false });
    const { summary, groups } = await messages.deadLetters();
    expect(groups).toEqual([]);
    expect(summary).toMatchObject({ level: 'fine', sentence: 'No dead letters.' });
  });
});
