import { describe, expect, test, vi } from 'vitest';
import type { Pillarbox } from 'pillarbox';
import { parseId } from '#pillarbox/core/ids';
import { Simulator } from '#pillarbox/simulate/simulator';
import { ask } from '#pillarbox/store/script';
import { databases } from '../databases.js';
import { Carrier } from '../engine/carrier.js';
import { postsOn } from '../engine/posts.js';
import { PATIENCE_MS } from '../patience.js';

/** A Monday in the window; time stands nearly still. */
const CLOCK = { clock: '2031-03-03T10:00:00Z*1', secret: 'a secret that signs the links of mails' };

async function campaignOf(box: Pillarbox, name: string, people: number, accountIds: readonly string[]) {
  const { ids } = await box.contacts.addMany(
    Array.from({ length: people }, (_, n) => ({ email: `${name}${n}@example.org` })),
  );
  const { id: sequenceId } = await box.sequences.create({
    name,
    steps: [
      { order: 1, delayDays: 0, subject: 'Hello', body: 'Hello' },
      { order: 2, delayDays: 2, body: 'Again' },
    ],
  });
  const id = await box.campaigns.create({ name, sequenceId, accountIds: [...accountIds] });
  await box.campaigns.enrol(id, ids);
  return { id, contacts: ids };
}

/** Everything that a simulation could have touched, as it is. */
async function everything(box: Pillarbox): Promise<unknown> {
  const { store } = box;
  const seen: Record<string, unknown> = {};
  for (const table of [
    'campaigns',
    'messages',
    'due',
    'outcomes',
    'attempts',
    'openings',
    'guards',
    'enrolments',
  ] as const)
    seen[table] = await store.read(ask(store.db.selectFrom(table).selectAll()));
  seen['days'] = await store.read(ask(store.db.selectFrom('account_days').selectAll()));
  return seen;
}

const accountIdOf = async (box: Pillarbox): Promise<string> => (await box.home.accounts.list()).items[0]!.id;
const sum = <Field extends string>(of: readonly Record<Field, number>[], field: Field): number =>
  of.reduce((all, each) => all + each[field], 0);

describe.concurrent.each(databases)(
  'a campaign that is simulated, on $name',
  { timeout: PATIENCE_MS },
  (database) => {
    const onPosts = postsOn(database);

    test(
      'leaves as it was planned, beside what else waits for its account, and is not touched',
      onPosts(async (posts) => {
        const { box } = await posts.open(new Carrier(), CLOCK);
        await box.home.settings.changeSending({
          dailyQuota: 1_000,
          spacing: { minSeconds: 60, maxSeconds: 90 },
        });
        const account = await accountIdOf(box);
        const other = await campaignOf(box, 'other', 15, [account]);
        await box.campaigns.launch(other.id);
        const { id, contacts } = await campaignOf(box, 'own', 25, [account]);
        await box.suppress('own3@example.org');
        await box.campaigns.setPerson(id, contacts[4]!, 'paused');
        const before = await everything(box);
        const plan = await box.campaigns.plan(id);
        const told: number[] = [];

        const simulation = await box.campaigns.simulate(id, {
          days: 30,
          onProgress: (done) => told.push(done),
        });
        expect(await everything(box)).toEqual(before);
        expect(simulation).toMatchObject({
          sent: plan.total,
          waiting: 0,
          ended: 0,
          violations: [],
          endsAt: plan.lastAt,
        });
        expect(plan.total).toBe(46);
        expect(
          simulation.days
            .filter(({ sent }) => sent > 0)
            .map(({ date, accountId, sent }) => ({ date, accountId, count: sent })),
        ).toEqual(plan.days.map(({ date, accountId, count }) => ({ date, accountId, count })));
        expect(sum(simulation.days, 'others')).toBe(30);
        expect(Math.max(...simulation.days.map(({ sent, others }) => sent + others))).toBe(20);
        expect(simulation.accounts).toMatchObject([{ accountId: account, sent: 46, others: 30 }]);
      }),
    );

    test(
      'goes on from what has left: what runs, what is paused, and what was interrupted in the middle',
      onPosts(async (posts) => {
        const { box, carrier } = await posts.start(new Carrier(), {
          ...CLOCK,
          clock: '2031-03-03T10:00:00Z*600',
        });
        await box.home.settings.changeSending({ dailyQuota: 1_000 });
        const { id } = await campaignOf(box, 'own', 6, [await accountIdOf(box)]);
        await box.campaigns.launch(id);
        await vi.waitUntil(() => carrier.left.length > 1, { timeout: PATIENCE_MS });
        await box.campaigns.pause(id);
        const { sent } = await box.campaigns.status(id);
        const simulation = await box.campaigns.simulate(id);
        expect(simulation).toMatchObject({ violations: [], waiting: 0, ended: 0 });
        // What was in flight when it was paused counts as sent.
        expect(simulation.sent).toBeLessThanOrEqual(12 - sent);
        expect(simulation.sent).toBeGreaterThan(0);
        expect((await box.campaigns.get(id)).state).toBe('paused');
      }),
    );

    test(
      'says what is in the way: nothing leaves, it takes too much, another one is under way',
      onPosts(async (posts) => {
        const { box } = await posts.open(new Carrier(), CLOCK);
        const { id } = await campaignOf(box, 'own', 3, [await accountIdOf(box)]);
        await expect(box.campaigns.simulate('cmp_zzz')).rejects.toMatchObject({ code: 'not_found' });
        await expect(box.campaigns.simulate(id, { days: 0 })).rejects.toMatchObject({ field: 'days' });
        await expect(box.campaigns.simulate(id, { most: 5 })).rejects.toMatchObject({ code: 'conflict' });
        await expect(box.campaigns.simulate(id, { seconds: 0 })).rejects.toMatchObject({ code: 'busy' });
        const simulator = new Simulator(posts.place);
        const campaignId = parseId('campaign', id)!;
        const task = { workspaceId: box.home.id, campaignId, from: await box.now(), days: 30 };
        const both = await Promise.allSettled([simulator.campaign(task), simulator.campaign(task)]);
        expect(both).toMatchObject([
          { status: 'fulfilled', value: { sent: 6 } },
          { status: 'rejected', reason: { code: 'conflict' } },
        ]);
        const cut = simulator.campaign(task);
        simulator.close();
        await expect(cut).rejects.toMatchObject({ code: 'stopped' });
        await box.campaigns.stop(id);
        await expect(box.campaigns.simulate(id)).rejects.toMatchObject({ code: 'conflict' });
      }),
    );
  },
);
