import { beforeEach, describe, expect, test } from 'vitest';
import { calendarFor } from '#pillarbox/core/calendar';
import { LINES } from '#pillarbox/core/lines';
import { SENDING_DEFAULTS } from '#pillarbox/core/sending';
import { ask } from '#pillarbox/store/script';
import { lookAgain, placeAhead } from '#pillarbox/campaigns/ahead';
import { prepare } from '#pillarbox/campaigns/storing';
import { resumptionOf } from '#pillarbox/campaigns/resumption';
import { readWorld } from '#pillarbox/campaigns/world';
import { changeCampaign, parkPage, readCampaign } from '#pillarbox/store/scripts/campaigns';
import { endEnrolments, holdEnrolments, resumeEnrolments } from '#pillarbox/store/scripts/enrolments';
import { takePlanner } from '#pillarbox/store/scripts/planner-lock';
import { insertReady, enrolForReady } from '#pillarbox/store/scripts/ready-messages';
import type { Store } from '#pillarbox/store/store';
import { checkLimits, fixLimits } from '#pillarbox/guard/check';
import { databases } from '../databases.js';
import { rows, useFixture } from '../contract/fixture.js';
import {
  add,
  dateOf,
  DAY,
  HOUR,
  makeAccount,
  makeCampaign,
  makeContacts,
  makeSequence,
  MONDAY,
  planOf,
  plannerOf,
  settle,
  step,
} from './world.js';

describe.each(databases)('the planner on $name', ({ ready }) => {
  const fixture = useFixture(ready);
  let accounts: number[];
  let sequence: number;

  beforeEach(async () => {
    await fixture.store.setClock(MONDAY);
    await settle(fixture);
    accounts = [
      await makeAccount(fixture, 'ann', { dailyLimitEmails: 5 }),
      await makeAccount(fixture, 'bob', { dailyLimitEmails: 5 }),
    ];
    sequence = await makeSequence(fixture, [step(1), step(2)]);
  });

  const launched = async (people: number, over: Partial<Parameters<typeof makeCampaign>[1]> = {}) => {
    const contactIds = await makeContacts(fixture, people);
    return makeCampaign(fixture, { sequenceId: sequence, accountIds: accounts, contactIds, ...over });
  };
  const plan = (campaign: number, owner?: string) =>
    plannerOf(fixture.store, owner).plan(fixture.workspaceId, campaign);
  const perDay = (of: readonly { account: number; at: number }[]) => {
    const days = new Map<string, number>();
    for (const { account, at } of of) {
      const key = `${String(account)} ${dateOf(at)}`;
      days.set(key, (days.get(key) ?? 0) + 1);
    }
    return days;
  };

  test('every step of everybody has a time, in turns, within window, quota and spacing', async () => {
    const campaign = await launched(23);
    expect(await plan(campaign)).toMatchObject({ end: 'done', scheduled: 46 });
    const planned = await planOf(fixture);
    expect(planned).toHaveLength(46);
    expect(Math.max(...perDay(planned).values())).toBe(5);
    const calendar = calendarFor(SENDING_DEFAULTS, [], MONDAY);
    for (const { at } of planned) expect(calendar.isOpen(at)).toBe(true);
    for (const account of accounts) {
      const own = planned.filter((each) => each.account === account);
      for (const [n, { at }] of own.entries())
        if (n > 0) expect(at - own[n - 1]!.at).toBeGreaterThanOrEqual(30_000);
      // One account for all of a person.
      for (const { contact } of own)
        expect(planned.filter((each) => each.contact === contact).map((each) => each.account)).toEqual([
          ...[account, account],
        ]);
    }
    for (const { key, at } of planned.filter((each) => each.step === 2)) {
      const first = planned.find((each) => each.key === key.replace(/:2$/, ':1'))!;
      expect(dateOf(at) >= dateOf(first.at + 3 * DAY)).toBe(true);
    }
    expect(new Set(planned.filter((each) => each.step === 1).map(({ line }) => line))).toEqual(
      new Set([LINES.together]),
    );
    expect(new Set(planned.filter((each) => each.step === 2).map(({ line }) => line))).toEqual(
      new Set([LINES.follows]),
    );
    const days = await rows<{ n: number }>(
      fixture,
      `select sum(launched) as n from ${fixture.store.at('campaign_days')}`,
    );
    expect(days).toEqual([{ n: 46 }]);
  });

  test('who ends between being placed and being stored gets nothing, and who goes on then is not forgotten', async () => {
    const { store, workspaceId } = fixture;
    const contactIds = await makeContacts(fixture, 4);
    const [, second, third] = contactIds;
    const id = await makeCampaign(fixture, { sequenceId: sequence, accountIds: accounts, contactIds });
    const asked = { reason: 'asked', until: null };
    await store.transaction(holdEnrolments(store, workspaceId, { contactId: third! }, asked, MONDAY));
    const campaign = (await store.read(readCampaign(store, workspaceId, id)))!;
    await store.transaction(() => prepare(store, workspaceId, id));
    const world = await store.read(readWorld(store, campaign, MONDAY));
    const fit = world.fitFor(world.steps);
    const placed = (await store.read(placeAhead(store, world, fit, campaign, 0, 100)))!;
    expect(placed).toMatchObject({ through: 4, more: false, active: new Set([1, 2, 4]) });
    expect(placed.rows).toHaveLength(6);
    await store.transaction(endEnrolments(store, workspaceId, { contactId: second! }, 'replied', MONDAY));
    await store.transaction(resumeEnrolments(store, workspaceId, { contactId: third! }, MONDAY));
    const kept = await store.transaction(() => lookAgain(store, world, fit, campaign, placed));
    expect(new Set(kept.rows.map(({ contactId }) => contactId))).not.toContain(second);
    expect(new Set(kept.rows.map(({ contactId }) => contactId))).toContain(third);
    expect(kept.rows).toHaveLength(6);
    // Nobody has another's time.
    expect(new Set(kept.rows.map(({ accountId, dueAt }) => `${accountId} ${dueAt}`)).size).toBe(6);
  });

  test('a pause that comes while people are placed keeps all of them from being stored', async () => {
    const { store, workspaceId } = fixture;
    const campaign = await launched(4);
    const to = (state: 'paused' | 'running') =>
      store.transaction(changeCampaign(store, campaign, { state }, MONDAY));
    let pauses = 0;
    const between: Store = new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'read') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        return async (script: Parameters<Store['read']>[0]) => {
          const answer = await target.read(script);
          const isPlaced = typeof answer === 'object' && answer !== null && 'leftOut' in answer;
          if (isPlaced && (pauses += 1) === 1) await to('paused');
          return answer;
        };
      },
    });
    expect(await plannerOf(between).plan(workspaceId, campaign)).toMatchObject({
      ...{ end: 'halted', scheduled: 0 },
    });
    expect(pauses).toBe(1);
    expect(await planOf(fixture)).toEqual([]);
    await to('running');
    expect(await plan(campaign)).toMatchObject({ end: 'done', scheduled: 8 });
  });

  test('planned again, nothing is new; a second workspace day is shared with other campaigns', async () => {
    const first = await launched(10);
    await plan(first);
    expect(await plan(first)).toMatchObject({ end: 'done', scheduled: 0 });
    const contacts = await makeContacts(fixture, 10, (n) => ({ email: `other${String(n)}@example.org` }));
    const second = await makeCampaign(fixture, {
      ...{ sequenceId: sequence, accountIds: accounts, contactIds: contacts },
    });
    await plan(second);
    expect(Math.max(...perDay(await planOf(fixture)).values())).toBeLessThanOrEqual(5);
  });

  test('who has had the sequence in another campaign is left out, and so is who must not be written to', async () => {
    const first = await launched(4);
    await plan(first);
    const [again] = await rows<{ id: number }>(
      fixture,
      `select min(id) as id from ${fixture.store.at('contacts')}`,
    );
    const [fresh] = await makeContacts(fixture, 1, () => ({ email: 'gone@example.org' }));
    const [nowhere] = await makeContacts(fixture, 1, () => ({ email: null, linkedin_id: 'x' }));
    await fixture.store.transaction(
      ask(
        fixture.store.db.insertInto('suppressions').values({
          workspace_id: fixture.workspaceId,
          address: 'gone@example.org',
          reason: 'unsubscribed',
          created_at: 1,
        }),
      ),
    );
    const second = await makeCampaign(fixture, {
      ...{ sequenceId: sequence, accountIds: accounts, contactIds: [again!.id, fresh!, nowhere!] },
    });
    expect(await plan(second)).toMatchObject({
      end: 'done',
      scheduled: 0,
      leftOut: { known: 2, suppressed: 2, unreachable: 2 },
    });
  });

  test('whoever is paused or has ended is passed over; people who come later are planned later', async () => {
    const { store, workspaceId } = fixture;
    const campaign = await launched(3);
    const [one, two] = (
      await rows<{ id: number }>(fixture, `select id from ${store.at('contacts')} order by id`)
    ).map(({ id }) => id);
    await store.transaction(
      holdEnrolments(store, workspaceId, { contactId: one! }, { reason: 'asked', until: null }, MONDAY),
    );
    await store.transaction(endEnrolments(store, workspaceId, { contactId: two! }, 'replied', MONDAY));
    expect(await plan(campaign)).toMatchObject({ scheduled: 2 });
    await add(fixture, campaign, await makeContacts(fixture, 1, () => ({ email: 'late@example.org' })));
    expect(await plan(campaign)).toMatchObject({ scheduled: 2 });
    await store.transaction(resumeEnrolments(store, workspaceId, { contactId: one! }, MONDAY));
    expect(await plan(campaign)).toMatchObject({ scheduled: 2 });
    expect((await planOf(fixture)).filter(({ contact }) => contact === two)).toEqual([]);
  });

  test('one plans at a time, and a campaign that does not run is not planned', async () => {
    const { store, workspaceId } = fixture;
    const campaign = await launched(2);
    const lock = { workspaceId, owner: 'other', leaseMs: 60_000 };
    await store.transaction(takePlanner(store, lock, campaign));
    expect(await plan(campaign)).toMatchObject({ end: 'taken', scheduled: 0 });
    await rows(fixture, `update ${store.at('planners')} set until = 0`);
    await store.transaction(changeCampaign(store, campaign, { state: 'paused' }, MONDAY));
    expect(await plan(campaign)).toMatchObject({ end: 'halted', scheduled: 0 });
    await store.transaction(changeCampaign(store, campaign, { state: 'running' }, MONDAY));
    expect(await plan(campaign)).toMatchObject({ end: 'done', scheduled: 4 });
  });

  test('what can never fit is told and not looked for for ever', async () => {
    const none = await makeAccount(fixture, 'none', { dailyLimitEmails: 0 });
    const campaign = await launched(3, { accountIds: [none] });
    expect(await plan(campaign)).toMatchObject({
      end: 'does_not_fit',
      scheduled: 0,
      homeless: { position: 1 },
    });
    expect(await planOf(fixture)).toEqual([]);
  });

  test('the bounds of a campaign hold', async () => {
    const campaign = await launched(12, {
      terms: {
        ...{ startAt: MONDAY + DAY, endAt: MONDAY + 8 * DAY, dailyLimit: 4, maxNewPerDay: 2 },
      },
    });
    const { scheduled, leftOut } = await plan(campaign);
    const planned = await planOf(fixture);
    expect(planned).toHaveLength(scheduled);
    expect(scheduled + leftOut.late).toBe(24);
    expect(leftOut.late).toBeGreaterThan(0);
    const days = new Map<string, { all: number; fresh: number }>();
    for (const { at, step: of } of planned) {
      expect(at).toBeGreaterThanOrEqual(MONDAY + DAY);
      expect(at).toBeLessThan(MONDAY + 8 * DAY);
      const day = days.get(dateOf(at)) ?? { all: 0, fresh: 0 };
      days.set(dateOf(at), { all: day.all + 1, fresh: day.fresh + (of === 1 ? 1 : 0) });
    }
    for (const { all, fresh } of days.values()) expect([all <= 4, fresh <= 2]).toEqual([true, true]);
    expect(await rows(fixture, `select distinct expires_at from ${fixture.store.at('messages')}`)).toEqual([
      { expires_at: MONDAY + 8 * DAY },
    ]);
  });

  test('a campaign that takes no new people plans nobody, and says so', async () => {
    const campaign = await launched(2, { terms: { maxNewPerDay: 0 } });
    expect(await plan(campaign)).toMatchObject({ end: 'no_new_people', scheduled: 0 });
  });

  test('a resumed campaign gets new times from now on, and keeps the delays', async () => {
    const { store } = fixture;
    const campaign = await launched(6);
    await plan(campaign);
    await store.transaction(changeCampaign(store, campaign, { state: 'paused' }, MONDAY));
    await store.transaction(parkPage(store, campaign, 0, 1_000));
    expect(new Set((await planOf(fixture)).map(({ line }) => line))).toEqual(new Set([LINES.halted]));
    const later = MONDAY + 2 * DAY;
    await store.setClock(later);
    await store.transaction(changeCampaign(store, campaign, { state: 'running', replan: 1 }, later));
    expect(await plan(campaign)).toMatchObject({ end: 'done', scheduled: 0 });
    const planned = await planOf(fixture);
    expect(planned).toHaveLength(12);
    for (const { at, line, step: of, key } of planned) {
      expect(at).toBeGreaterThan(later);
      expect(line).toBe(of === 1 ? LINES.together : LINES.follows);
      const first = planned.find((each) => each.key === key.replace(/:2$/, ':1'))!;
      if (of === 2) expect(dateOf(at) >= dateOf(first.at + 3 * DAY)).toBe(true);
    }
    expect(await rows(fixture, `select replan from ${store.at('campaigns')}`)).toEqual([{ replan: 0 }]);
  });

  test.each([
    { what: 'its end date', endAt: MONDAY - 6 * HOUR + 16 * DAY, people: 20 },
    // Two a day and no more: every day is needed.
    { what: 'when it was planned to end', endAt: null, people: 8, dailyLimit: 2 },
  ])(
    'says until when a paused one may be resumed by $what, and that is so',
    async ({ people, endAt, dailyLimit = null }) => {
      const { store, workspaceId } = fixture;
      const campaign = await launched(people, { terms: { endAt, dailyLimit } });
      await plan(campaign);
      const outlook = async () => {
        const row = (await store.read(readCampaign(store, workspaceId, campaign)))!;
        return store.read(resumptionOf(store, row, await store.now()));
      };
      expect(await outlook()).toBeUndefined();
      const park = () =>
        store.transaction(function* () {
          yield* changeCampaign(store, campaign, { state: 'paused' }, MONDAY);
          yield* parkPage(store, campaign, 0, 1_000);
        });
      await park();
      const before = await rows<{ message_id: number; due_at: number }>(
        fixture,
        `select message_id, due_at from ${store.at('due')}`,
      );
      const said = (await outlook())!;
      // When its last one leaves if it is really resumed then.
      const endFrom = async (instant: number) => {
        await store.setClock(instant);
        await store.transaction(changeCampaign(store, campaign, { state: 'running', replan: 1 }, instant));
        expect(await plan(campaign)).toMatchObject({ end: 'done' });
        const last = (await planOf(fixture)).at(-1)!.at;
        await park();
        for (const { message_id: id, due_at } of before)
          await rows(fixture, `update ${store.at('due')} set due_at = ${due_at} where message_id = ${id}`);
        await store.setClock(MONDAY);
        return last;
      };
      expect(said).toMatchObject({ late: 0, isLast: endAt !== null });
      expect(said.endsAt).toBe(await endFrom(MONDAY));
      const by = said.by ?? MONDAY - DAY;
      const held: boolean[] = [];
      for (let day = by - DAY; day <= by + 2 * DAY; day += DAY)
        held.push((await endFrom(Math.max(MONDAY, day + DAY))) < said.holdsUntil);
      expect(held).toEqual([true, true, false, false]);

      // Who has no time yet may need any.
      await add(fixture, campaign, await makeContacts(fixture, 1, () => ({ email: 'late@example.org' })));
      expect(await outlook()).toBeUndefined();
    },
  );

  test('recipients’ own windows: each within his day, and none over the account’s quota', async () => {
    const zones = ['Asia/Tokyo', 'America/New_York', 'Europe/Berlin'];
    const contactIds = await makeContacts(fixture, 12, (n) => ({ timezone: zones[n % 3]! }));
    const campaign = await makeCampaign(fixture, {
      ...{ sequenceId: sequence, accountIds: accounts, contactIds, terms: { timezone: 'recipient' } },
    });
    expect(await plan(campaign)).toMatchObject({ end: 'done', scheduled: 24 });
    const planned = await planOf(fixture);
    for (const { at, contact, closes, step: of, line } of planned) {
      const zone = zones[contactIds.indexOf(contact) % 3]!;
      const calendar = calendarFor({ ...SENDING_DEFAULTS, timezone: zone }, [], MONDAY);
      expect(calendar.isOpen(at)).toBe(true);
      expect(closes).toBe(calendar.interval(at)!.closesAt);
      expect(line).toBe(of === 1 ? LINES.own : LINES.follows);
    }
    expect(Math.max(...perDay(planned).values())).toBeLessThanOrEqual(5);
    // The account's window, which is shut then, is not what they keep.
    const { store, workspaceId } = fixture;
    const hours = calendarFor(SENDING_DEFAULTS, [], MONDAY);
    expect(planned.some(({ at }) => !hours.isOpen(at))).toBe(true);
    expect(await store.read(checkLimits(store, workspaceId, MONDAY))).toEqual([]);
    expect(await store.transaction(() => fixLimits(store, workspaceId, undefined, MONDAY))).toEqual({
      ...{ moved: 0, left: 0 },
    });
    expect(await planOf(fixture)).toEqual(planned);
  });

  test('two channels: each person has one account of each, and steps that can’t reach him are left out', async () => {
    const lin = await makeAccount(fixture, 'lin', {}, 'linkedin');
    const both = await makeSequence(fixture, [
      step(1),
      step(2, { action: 'connection_request', delayDays: 1 }),
      step(3, { action: 'message', delayDays: 2 }),
      step(4, { delayDays: 1 }),
    ]);
    const contactIds = await makeContacts(fixture, 2, (n) => (n === 0 ? { linkedin_id: 'one' } : {}));
    const campaign = await makeCampaign(fixture, {
      ...{ sequenceId: both, accountIds: [...accounts, lin], contactIds },
    });
    expect(await plan(campaign)).toMatchObject({ scheduled: 6, leftOut: { unreachable: 2 } });
    const planned = await planOf(fixture);
    const of = (contact: number) =>
      planned.filter((each) => each.contact === contact).map((each) => [each.step, each.account === lin]);
    expect(of(contactIds[0]!)).toEqual([
      [1, false],
      [2, true],
      [3, true],
      [4, false],
    ]);
    expect(of(contactIds[1]!)).toEqual([
      [1, false],
      [4, false],
    ]);
  });

  test('messages that somebody else made are dealt and planned like all others, once a key', async () => {
    const { store, workspaceId } = fixture;
    const contactIds = await makeContacts(fixture, 3);
    const id = await makeCampaign(fixture, { sequenceId: null, accountIds: accounts, contactIds: [] });
    const campaign = { id, workspaceId };
    const messages = contactIds.map((contactId, n) => ({
      ...{ contactId, action: 'email' as const, key: `ready-${String(n)}`, bodyHash: 'h', subject: 'Hi' },
      mail: JSON.stringify({ subject: 'Hi', body: '<p>Hello</p>' }),
    }));
    const put = () =>
      store.transaction(function* () {
        yield* enrolForReady(store, campaign, contactIds, MONDAY);
        return yield* insertReady(store, campaign, messages, MONDAY);
      });
    expect(await put()).toEqual([]);
    expect(await put()).toEqual([0, 1, 2]);
    expect(await plan(id)).toMatchObject({ end: 'done', scheduled: 3 });
    await put();
    expect(await plan(id)).toMatchObject({ end: 'done', scheduled: 0, leftOut: { known: 3 } });
    expect(await rows(fixture, `select count(*) as n from ${store.at('contents')}`)).toEqual([{ n: 3 }]);
    expect((await planOf(fixture)).every(({ line }) => line === LINES.together)).toBe(true);
  });

  test('a second run from scratch gives the same times', async () => {
    const campaign = await launched(20);
    await plan(campaign);
    const before = await planOf(fixture);
    for (const table of ['due', 'messages', 'campaign_days'])
      await rows(fixture, `delete from ${fixture.store.at(table)}`);
    await rows(fixture, `update ${fixture.store.at('campaigns')} set planned_through = 0`);
    await fixture.store.setClock(MONDAY + HOUR);
    await plan(campaign);
    expect(await planOf(fixture)).toEqual(before);
  });
});
