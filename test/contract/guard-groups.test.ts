import { describe, expect, test, vi } from 'vitest';
import { SENDING_DEFAULTS } from '#pillarbox/core/sending';
import { guarded } from '#pillarbox/engine/sources';
import { ensureAccount } from '#pillarbox/store/scripts/accounts';
import { ensureGuardedChannel, reopen, rollOpenings } from '#pillarbox/store/scripts/openings';
import { writeSettings } from '#pillarbox/store/scripts/settings';
import { giveBackLeftOver } from '#pillarbox/store/scripts/reservations';
import type { Script } from '#pillarbox/store/script';
import type { SettleEntry } from '#pillarbox/store/store';
import { databases } from '../databases.js';
import { asking, put, result, rows, useFixture } from './fixture.js';

/** A Monday, nine in the morning. */
const MONDAY = Date.parse('2026-11-16T09:00:00Z');
const MINUTE = 60_000;

const tried = (outcome: 'success' | 'failed' | 'in_doubt') => ({
  attempt: { outcome, startedAt: 1, handedAt: 2, worker: 'w' },
});
const ENDS: readonly Partial<SettleEntry>[] = [
  { event: 'accepted', ...tried('success') },
  { event: 'accepted', ...tried('success') },
  { event: 'deferred', waitMs: 0, ...tried('failed') },
  { event: 'doubted', reason: 'in_doubt', ...tried('in_doubt') },
  { event: 'released', attempts: 0, attempt: undefined },
];

/** The same, and how many statements it was. */
function* counted<T>(script: Script<T>, count: { n: number }): Script<T> {
  let step = script.next([]);
  while (!step.done) {
    count.n += 1;
    step = script.next(yield step.value);
  }
  return step.value;
}

describe.each(databases)('guarded mail in groups on $name', ({ ready }) => {
  const fixture = useFixture(ready);

  async function open(spacingSeconds: number): Promise<readonly [number, number]> {
    const { store, workspaceId, accountId } = fixture;
    await store.setClock(MONDAY);
    const { id: other } = await store.transaction(
      ensureAccount(
        store,
        workspaceId,
        { name: 'second', emailAddress: 'second@example.org', displayName: null, transport: '{}' },
        MONDAY,
      ),
    );
    const channels = [];
    for (const id of [accountId, other])
      channels.push(await store.transaction(ensureGuardedChannel(store, id, 'email')));
    const spacing = { minSeconds: spacingSeconds, maxSeconds: spacingSeconds };
    const always = { sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 0, endHour: 24, spacing };
    await store.transaction(function* () {
      yield* writeSettings(store, workspaceId, 'sending', { ...SENDING_DEFAULTS, ...always });
      yield* reopen(store, { workspaceId });
    });
    return channels as [number, number];
  }

  /** As many of each channel as there are ends, each of which comes to its own. */
  async function send(channels: readonly number[], ends: readonly Partial<SettleEntry>[]) {
    const { store } = fixture;
    for (const channelId of channels.flatMap((id) => ends.map(() => id)))
      await put(fixture, { channelId, dueAt: MONDAY - MINUTE });
    for (const { accountId } of await store.openGuarded())
      await store.transaction(rollOpenings(store, accountId, MONDAY));
    const shares = channels.map((channelId) => ({ channelId, limit: ends.length }));
    const claim = (await store.claimGuarded({ owner: 'w', shares, alone: false }))!;
    const answers = await store.gateGuarded(claim.messages.map((message) => asking(claim, message)));
    expect(answers.every(({ passed }) => passed)).toBe(true);
    const entries = channels.flatMap((channelId) =>
      claim.messages
        .filter((message) => message.channelId === channelId)
        .map((message, n) =>
          result(claim, message, {
            guard: { lane: 'outbox', draw: 0 },
            ...(ends[n] as Partial<SettleEntry>),
          }),
        ),
    );
    expect(await store.settleGuarded(entries)).toEqual(entries.map(() => true));
    return entries;
  }

  test('each account counts its own ends, and what did not leave is given back', async () => {
    const channels = await open(0);
    const entries = await send(channels, ENDS);
    expect(entries).toHaveLength(10);
    const { store } = fixture;
    const days = await rows(fixture, `select used, sent, in_doubt from ${store.at('account_days')}`);
    expect(days).toEqual([
      { used: 3, sent: 2, in_doubt: 1 },
      { used: 3, sent: 2, in_doubt: 1 },
    ]);
    const [total] = await rows<{ used: number }>(
      fixture,
      `select sum(used) as used from ${store.at('workspace_days')}`,
    );
    expect(Number(total?.used)).toBe(6);
    const kept = await rows(fixture, `select doubted from ${store.at('reservations')}`);
    expect(kept).toEqual([{ doubted: 1 }, { doubted: 1 }]);
  });

  test('the turns of several accounts end together', async () => {
    const channels = await open(60);
    await send(channels, ENDS.slice(0, 1));
    const { store } = fixture;
    const turns = await rows<{ holder: number | null; free_at: number }>(
      fixture,
      `select holder, free_at from ${store.at('guards')}`,
    );
    expect(turns.map(({ holder, free_at: freeAt }) => [holder, freeAt >= MONDAY + MINUTE])).toEqual([
      [null, true],
      [null, true],
    ]);
  });

  test('what older workers have left over is given back by days, not one by one', async () => {
    const { store } = fixture;
    const asked = async (each: number, channels: readonly number[]) => {
      for (const channelId of channels.flatMap((id) => Array.from({ length: each }, () => id)))
        await put(fixture, { channelId, dueAt: MONDAY - MINUTE });
      for (const { accountId } of await store.openGuarded())
        await store.transaction(rollOpenings(store, accountId, MONDAY));
      const shares = channels.map((channelId) => ({ channelId, limit: each }));
      const claim = (await store.claimGuarded({ owner: 'w', shares, alone: false }))!;
      expect(claim.messages).toHaveLength(2 * each);
      // They know nothing of reservations.
      await store.settle(
        claim.messages.map((message) =>
          result(claim, message, { event: 'accepted', ...tried('success'), guard: undefined }),
        ),
      );
      const count = { n: 0 };
      await store.transaction(counted(giveBackLeftOver(store, MONDAY + MINUTE, 1_000), count));
      return count.n;
    };
    const channels = await open(0);
    const few = await asked(2, channels);
    expect(await asked(12, channels)).toBe(few);
    const days = await rows(fixture, `select used, sent from ${store.at('account_days')}`);
    expect(days).toEqual([
      { used: 14, sent: 14 },
      { used: 14, sent: 14 },
    ]);
    expect(await rows(fixture, `select message_id from ${store.at('reservations')}`)).toEqual([]);
  });
});

describe.each(databases)('looking for guarded mail on $name', ({ ready }) => {
  const fixture = useFixture(ready);

  test('is a small question, seldom asked, until an account is guarded', async () => {
    const { store, accountId } = fixture;
    const looks = vi.spyOn(store, 'openGuarded');
    const source = guarded(store);
    expect(await source.open()).toEqual([]);
    expect(looks).not.toHaveBeenCalled();
    const seldom = source.lookMs;
    await store.transaction(ensureGuardedChannel(store, accountId, 'email'));
    await source.open();
    expect(looks).toHaveBeenCalledOnce();
    expect(source.lookMs).toBeLessThan(seldom);
  });
});
