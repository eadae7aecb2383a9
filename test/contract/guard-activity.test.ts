import { describe, expect, test } from 'vitest';
import { Guard } from '#pillarbox/guard/guard';
import { WorkspaceSettings } from '#pillarbox/settings/workspace-settings';
import { ensureGuardedChannel } from '#pillarbox/store/scripts/openings';
import { databases } from '../databases.js';
import { put, result, rows, useFixture } from './fixture.js';

const at = (instant: string): number => Date.parse(instant);
/** A Monday. */
const NOON = at('2026-11-16T12:00:00Z');
const MINUTE = 60_000;

describe.each(databases)('what has left against a limit, on $name', ({ ready }) => {
  const fixture = useFixture(ready);

  /** As if nobody had guarded them: handed over at these instants. */
  async function leave(instants: readonly number[], outcome: 'success' | 'in_doubt' = 'success') {
    const { store, accountId } = fixture;
    await store.setClock(NOON);
    const channelId = await store.transaction(ensureGuardedChannel(store, accountId, 'email'));
    await rows(fixture, `update ${store.at('channels')} set blocked_until = 0`);
    for (const handedAt of instants) {
      const id = await put(fixture, { channelId, dueAt: 0 });
      const claim = (await store.claim({ owner: 'w', shares: [{ channelId, limit: 1 }], alone: false }))!;
      expect(claim.messages.map((message) => message.id)).toEqual([id]);
      await store.setClock(Math.max(handedAt, NOON));
      await store.settle([
        result(claim, claim.messages[0]!, { attempt: { outcome, startedAt: 1, handedAt, worker: 'w' } }),
      ]);
    }
    await store.setClock(NOON + 60 * MINUTE);
  }

  const guard = () => new Guard(fixture.store, fixture.workspaceId);
  const every = (n: number, from: number, gap: number) => Array.from({ length: n }, (_, i) => from + i * gap);
  const sending = (value: object) =>
    rows(fixture, `update ${fixture.store.at('accounts')} set sending = '${JSON.stringify(value)}'`);

  test('is nothing where everything kept its limits', async () => {
    await leave(every(4, NOON - 20 * MINUTE, 3 * MINUTE));
    expect(await guard().activity()).toEqual([]);
  });

  test('is told by limit and day: over the quota, outside the window, too close', async () => {
    await sending({ dailyLimitEmails: 3 });
    const night = at('2026-11-16T03:00:00Z');
    await leave([night, ...every(5, NOON - 20 * MINUTE, 3 * MINUTE), NOON - 20 * MINUTE + 5_000]);
    const found = (await guard().activity()).map(({ limit, when, planned, max, over }) => ({
      ...{ limit, when, planned, max, over },
    }));
    expect(found).toEqual([
      { limit: 'window', when: '2026-11-16', planned: 1, max: 0, over: 1 },
      { limit: 'spacing', when: '2026-11-16', planned: 1, max: 0, over: 1 },
      { limit: 'day', when: '2026-11-16', planned: 5, max: 3, over: 2 },
    ]);
  });

  test('is no matter of rules that came later, of doubts, or of long ago', async () => {
    const { store, workspaceId } = fixture;
    await sending({ dailyLimitEmails: 1 });
    await leave(every(2, NOON - 40 * MINUTE, 3 * MINUTE), 'in_doubt');
    await leave(every(3, NOON - 20 * MINUTE, 3 * MINUTE));
    expect(await guard().activity()).toHaveLength(1);
    await store.setClock(NOON + 15 * 24 * 60 * MINUTE);
    expect(await guard().activity()).toEqual([]);
    await store.setClock(NOON + 60 * MINUTE);
    expect(await guard().activity()).toHaveLength(1);
    await new WorkspaceSettings(store, workspaceId, 30).changeSending({ dailyQuota: 50 });
    expect(await guard().activity()).toEqual([]);
  });
});
