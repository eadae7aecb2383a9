import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { placeAhead } from '#pillarbox/campaigns/ahead';
import { nothingLeftOut } from '#pillarbox/campaigns/page';
import { writePage, type PeoplePlan, type Written } from '#pillarbox/campaigns/people-pages';
import { prepare } from '#pillarbox/campaigns/storing';
import { readWorld } from '#pillarbox/campaigns/world';
import { ask } from '#pillarbox/store/script';
import { readCampaign } from '#pillarbox/store/scripts/campaigns';
import { endEnrolments, holdEnrolments, resumeEnrolments } from '#pillarbox/store/scripts/enrolments';
import { keepPlanner, takePlanner } from '#pillarbox/store/scripts/planner-lock';
import { PATIENCE_MS } from '../patience.js';
import { readyDatabase } from '../postgres.js';
import { rows, useFixture } from '../contract/fixture.js';
import {
  makeAccount,
  makeCampaign,
  makeContacts,
  makeSequence,
  MONDAY,
  planOf,
  settle,
  step,
} from './world.js';

const PEOPLE = 6;
/** The second page begins behind this position. */
const FIRST_PAGE = 3;

/** How the first page comes to its end. */
interface Before {
  readonly resolve: (written: Written) => void;
  readonly reject: (error: Error) => void;
}

/** SQLite has one writer. */
describe('pages that are written at the same time on PostgreSQL', () => {
  const fixture = useFixture(readyDatabase);
  let unsettled: (() => void) | undefined;
  let campaign: number;
  let contacts: readonly number[];
  let plan: PeoplePlan;

  beforeEach(async () => {
    const { store, workspaceId } = fixture;
    await store.setClock(MONDAY);
    await settle(fixture);
    const accountIds = [await makeAccount(fixture, 'ann')];
    const sequenceId = await makeSequence(fixture, [step(1), step(2)]);
    contacts = await makeContacts(fixture, PEOPLE);
    campaign = await makeCampaign(fixture, { sequenceId, accountIds, contactIds: contacts });
    const lock = { workspaceId, owner: 'planner', leaseMs: 30_000 };
    await store.transaction(() => takePlanner(store, lock, campaign));
    const row = (await store.transaction(() => prepare(store, workspaceId, campaign)))!;
    const world = await store.read(readWorld(store, row, MONDAY));
    plan = { store, lock, campaignId: campaign, world, fit: world.fitFor(world.steps) };
  });

  // Or whatever has gone wrong would hang.
  afterEach(() => unsettled?.());

  const pageAfter = async (after: number) => {
    const { store, workspaceId } = fixture;
    const row = (await store.read(readCampaign(store, workspaceId, campaign)))!;
    return (await store.read(placeAhead(store, plan.world, plan.fit, row, after, FIRST_PAGE)))!;
  };
  const end = (over: Partial<Written> = {}): Written => ({
    ...{ end: 'more', through: FIRST_PAGE, scheduled: 0, leftOut: nothingLeftOut() },
    ...over,
  });
  const plannedThrough = async () => {
    const { store, workspaceId } = fixture;
    return (await store.read(readCampaign(store, workspaceId, campaign)))?.planned_through;
  };
  /** Their rows are there, and each waits for the page before. */
  const areWaiting = (pages: number) =>
    expect
      .poll(
        () =>
          rows(
            fixture,
            `select pid from pg_stat_activity where datname = current_database()
             and state = 'idle in transaction' and query like '%with input as materialized%'`,
          ),
        { timeout: PATIENCE_MS },
      )
      .toHaveLength(pages);
  /** A page behind one that is not over yet. */
  const second = async () => {
    const placed = await pageAfter(FIRST_PAGE);
    let before: Before | undefined;
    const first = new Promise<Written>((resolve, reject) => (before = { resolve, reject }));
    unsettled = () => before?.reject(new Error('the test is over'));
    const written = writePage(plan, placed, first);
    written.catch(() => undefined);
    await areWaiting(1);
    return { before: before!, written };
  };

  test('end in their order: nothing of the second is there before the first is', async () => {
    const first = await pageAfter(0);
    const { before, written } = await second();
    expect(await planOf(fixture)).toEqual([]);
    const done = await writePage(plan, first, undefined);
    expect(done).toMatchObject({ end: 'more', through: FIRST_PAGE, scheduled: 6 });
    expect(await plannedThrough()).toBe(FIRST_PAGE);
    before.resolve(done);
    expect(await written).toMatchObject({ end: 'done', through: PEOPLE, scheduled: 6 });
    expect(await plannedThrough()).toBe(PEOPLE);
    expect(await planOf(fixture)).toHaveLength(PEOPLE * 2);
  });

  test.each([
    ['fails', (before: Before) => before.reject(new Error('the connection is lost'))],
    ['is halted', (before: Before) => before.resolve(end({ end: 'halted' }))],
    ['has no time for somebody', (before: Before) => before.resolve(end({ end: 'does_not_fit' }))],
  ])('of the second nothing is stored if the first %s', async (_, settleFirst) => {
    const { before, written } = await second();
    settleFirst(before);
    await expect(written).rejects.toThrow();
    expect(await planOf(fixture)).toEqual([]);
    expect(await plannedThrough()).toBe(0);
  });

  test('whoever of a page ends, or goes on, while it waits is not kept waiting, and is not forgotten', async () => {
    const { store, workspaceId } = fixture;
    const [, , , fourth, fifth, sixth] = contacts;
    const asked = { reason: 'asked', until: null };
    await store.transaction(() => holdEnrolments(store, workspaceId, { contactId: sixth! }, asked, MONDAY));
    const { before, written } = await second();
    await store.transaction(() =>
      endEnrolments(store, workspaceId, { contactId: fourth! }, 'replied', MONDAY),
    );
    await store.transaction(() => holdEnrolments(store, workspaceId, { contactId: fifth! }, asked, MONDAY));
    await store.transaction(() => resumeEnrolments(store, workspaceId, { contactId: fifth! }, MONDAY));
    await store.transaction(() => resumeEnrolments(store, workspaceId, { contactId: sixth! }, MONDAY));
    before.resolve(end());
    expect(await written).toMatchObject({ end: 'done', scheduled: 4 });
    const planned = await planOf(fixture);
    expect(new Set(planned.map(({ contact }) => contact))).toEqual(new Set([fifth, sixth]));
    expect(new Set(planned.map(({ at }) => at)).size).toBe(4);
  });

  test('share the planner’s place: nobody takes it meanwhile, and whoever lost it stores nothing', async () => {
    const { store, workspaceId } = fixture;
    const other = { workspaceId, owner: 'another', leaseMs: 30_000 };
    const { before, written } = await second();
    expect(await store.transaction(() => keepPlanner(store, plan.lock))).toBe(true);
    before.resolve(end());
    await written;
    await store.transaction(function* () {
      yield* ask(store.db.updateTable('planners').set({ until: 0 }));
    });
    expect(await store.transaction(() => takePlanner(store, other, campaign))).toBe(true);
    expect(await store.transaction(() => keepPlanner(store, plan.lock))).toBe(false);
    const lost = { end: 'lost', scheduled: 0 };
    expect(await writePage(plan, await pageAfter(0), undefined)).toMatchObject(lost);
    // Nor does it matter to it how the page before it ends: a rejection that nobody hears would end the process.
    const next = await pageAfter(FIRST_PAGE);
    expect(await writePage(plan, next, Promise.resolve(end({ end: 'lost' })))).toMatchObject(lost);
    expect(await writePage(plan, next, Promise.reject(new Error('is over')))).toMatchObject(lost);
  });

  test('a page that is written again does not wait for the one that waits for it', async () => {
    const { store, workspaceId } = fixture;
    let begin: (written: Written) => void;
    const earlier = new Promise<Written>((resolve) => (begin = resolve));
    unsettled = () => begin(end({ end: 'halted' }));
    const first = writePage(plan, await pageAfter(0), earlier);
    first.catch(() => undefined);
    await areWaiting(1);
    const next = writePage(plan, await pageAfter(FIRST_PAGE), first);
    next.catch(() => undefined);
    await areWaiting(2);
    await store.transaction(() =>
      endEnrolments(store, workspaceId, { contactId: contacts[0]! }, 'replied', MONDAY),
    );
    // By now the planner's place would be renewed, which only one page at a time can do.
    Object.assign(plan.lock, { leaseMs: 10 * plan.lock.leaseMs });
    begin!(end({ through: 0 }));
    expect(await first).toMatchObject({ end: 'more', through: FIRST_PAGE, scheduled: 4 });
    expect(await next).toMatchObject({ end: 'done', through: PEOPLE, scheduled: 6 });
  });
});
