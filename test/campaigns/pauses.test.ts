import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { LINES } from '#pillarbox/core/lines';
import { changeCampaign } from '#pillarbox/store/scripts/campaigns';
import { rollOpenings } from '#pillarbox/store/scripts/openings';
import { asking, result, rows, useFixture } from '../contract/fixture.js';
import { databases } from '../databases.js';
import {
  makeAccount,
  makeCampaign,
  makeContacts,
  makeSequence,
  MONDAY,
  plannerOf,
  settle,
  step,
} from './world.js';

const PEOPLE = 60;
const PRESSES = 15;
const LOOPS = 4;
const HOUR = 3_600_000;

/** Four workers hand mail over as fast as they can, while somebody pauses and resumes the campaign. */
describe.each(databases)('a pause that races with what leaves, on $name [F36]', ({ ready }) => {
  const fixture = useFixture(ready);
  let campaign: number;
  let channelId: number;

  beforeEach(async () => {
    const { store } = fixture;
    await store.setClock(MONDAY);
    await settle(fixture, {
      startHour: 0,
      endHour: 24,
      dailyQuota: 100_000,
      spacing: { minSeconds: 0, maxSeconds: 0 },
    });
    const account = await makeAccount(fixture, 'ann', { dailyLimitEmails: 100_000 });
    const sequenceId = await makeSequence(fixture, [step(1)]);
    const contactIds = await makeContacts(fixture, PEOPLE);
    campaign = await makeCampaign(fixture, { sequenceId, accountIds: [account], contactIds });
    await plannerOf(store).plan(fixture.workspaceId, campaign);
    const [channel] = await rows<{ id: number }>(
      fixture,
      `select id from ${store.at('channels')} where guarded = 1`,
    );
    channelId = channel!.id;
    await store.setClock(MONDAY + 12 * HOUR);
    await store.transaction(rollOpenings(store, account, await store.now()));
  });

  test('nothing is handed over between its commit and the resume', async () => {
    const { store } = fixture;
    const handed: number[] = [];
    const pauses: (readonly [from: number, to: number])[] = [];
    let pressing = true;
    const move = (to: 'running' | 'paused') =>
      store.transaction(changeCampaign(store, campaign, { state: to }, MONDAY));

    const work = async (owner: string) => {
      while (pressing) {
        const claim = await store.claimGuarded({ owner, shares: [{ channelId, limit: 3 }], alone: false });
        for (const message of claim?.messages ?? []) {
          const [answer] = await store.gateGuarded([asking(claim!, message)]);
          if (answer!.passed) handed.push(answer!.handedAt);

          const back = { event: 'released', attempt: undefined, attempts: 0, waitMs: 0 } as const;
          const guard = { lane: 'campaign', draw: 0, halted: !answer!.passed } as const;
          await store.settleGuarded([result(claim!, message, { ...back, guard })]);
        }
        await sleep(1);
      }
    };
    const press = async () => {
      for (let n = 0; n < PRESSES; n += 1) {
        const before = handed.length;
        while (handed.length === before) await sleep(2);
        await move('paused');
        const from = await store.now();
        await sleep(20);
        const to = await store.now();
        await move('running');
        await rows(
          fixture,
          `update ${store.at('due')} set alone = ${LINES.together} where alone = ${LINES.halted}`,
        );
        pauses.push([from, to]);
      }
      pressing = false;
    };
    await Promise.all([press(), ...Array.from({ length: LOOPS }, (_, n) => work(`worker ${String(n)}`))]);
    expect(handed.filter((at) => pauses.some(([from, to]) => at > from && at < to))).toEqual([]);
    expect(pauses).toHaveLength(PRESSES);
    expect(handed.length).toBeGreaterThanOrEqual(PRESSES);
    // Everything is given back, and everybody is in one place.
    await rows(fixture, `update ${store.at('due')} set alone = 0 where alone = ${LINES.halted}`);
    expect(await rows(fixture, `select count(*) as n from ${store.at('reservations')}`)).toEqual([{ n: 0 }]);
    expect(await rows(fixture, `select count(*) as n from ${store.at('due')}`)).toEqual([{ n: PEOPLE }]);
  });
});
