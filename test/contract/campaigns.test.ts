import { beforeEach, describe, expect, test } from 'vitest';
import type { CampaignState, EnrolmentState } from '#pillarbox/core/campaign';
import { LINES } from '#pillarbox/core/lines';
import { SENDING_DEFAULTS } from '#pillarbox/core/sending';
import {
  cancelPage,
  enrol,
  insertCampaign,
  changeCampaign,
  parkPage,
  readCampaign,
} from '#pillarbox/store/scripts/campaigns';
import {
  endEnrolments,
  holdEnrolments,
  resumeEnrolments,
  resumeHeld,
} from '#pillarbox/store/scripts/enrolments';
import { confirmSent } from '#pillarbox/store/scripts/moves';
import {
  ensureGuardedChannel,
  ensureOwnOpening,
  reopen,
  rollOpenings,
} from '#pillarbox/store/scripts/openings';
import { writeSettings } from '#pillarbox/store/scripts/settings';
import type { Claim, ClaimedMessage, NewMessage, SettleEntry } from '#pillarbox/store/store';
import { databases } from '../databases.js';
import { aMessage, asking, result, rows, useFixture } from './fixture.js';

const HOUR = 3_600_000;
/** A Monday, nine in the morning. */
const MONDAY = Date.parse('2026-11-16T09:00:00Z');

describe.each(databases)('mail of campaigns on $name', ({ ready }) => {
  const fixture = useFixture(ready);
  let channelId: number;
  let campaignId: number;

  beforeEach(async () => {
    const { store, accountId, workspaceId } = fixture;
    channelId = await store.transaction(ensureGuardedChannel(store, accountId, 'email'));
    await store.setClock(MONDAY);
    await store.transaction(function* () {
      yield* writeSettings(store, workspaceId, 'sending', {
        ...SENDING_DEFAULTS,
        spacing: { minSeconds: 0, maxSeconds: 0 },
      });
      yield* reopen(store, { workspaceId });
    });
    campaignId = await store.transaction(
      insertCampaign(
        store,
        {
          workspaceId,
          name: 'autumn',
          sequenceId: null,
          accountIds: [accountId],
          terms: '{}',
          stopOnReply: true,
          seed: 1,
        },
        MONDAY,
      ),
    );
    await enrolled(1, 2, 3);
    await state('running');
  });

  const enrolled = (...contactIds: number[]) =>
    fixture.store.transaction(function* () {
      const { store, workspaceId } = fixture;
      const campaign = (yield* readCampaign(store, workspaceId, campaignId, { lock: true }))!;
      return yield* enrol(store, campaign, contactIds, MONDAY);
    });

  const state = (to: CampaignState) =>
    fixture.store.transaction(changeCampaign(fixture.store, campaignId, { state: to }, MONDAY));

  const written = async (contactId: number, over: Partial<NewMessage> = {}) => {
    const [stored] = await fixture.store.enqueue([
      aMessage(fixture, {
        ...{ channelId, lane: 'campaign', campaignId, contactId, dueAt: MONDAY - HOUR, ...over },
      }),
    ]);
    return stored!.id;
  };

  const claim = async (window: 'account' | 'recipient' = 'account'): Promise<Claim | undefined> => {
    const { store } = fixture;
    for (const { over, accountId } of await store.openGuarded(window)) {
      if (over) await store.transaction(rollOpenings(store, accountId, await store.now()));
    }
    return store.claimGuarded({ owner: 'w', shares: [{ channelId, limit: 100 }], alone: false }, window);
  };

  const gate = async (taken: Claim, message: ClaimedMessage) => {
    const [answer] = await fixture.store.gateGuarded([asking(taken, message)]);
    return answer!;
  };

  const settled = (taken: Claim, message: ClaimedMessage, over: Partial<SettleEntry> = {}) =>
    fixture.store.settleGuarded([result(taken, message, { guard: { lane: 'campaign', draw: 0 }, ...over })]);
  const halted = {
    event: 'released',
    attempt: undefined,
    attempts: 0,
    guard: { lane: 'campaign', draw: 0, halted: true },
  } as const;

  const lineOf = async (id: number) =>
    (
      await rows<{ alone: number }>(
        fixture,
        `select alone from ${fixture.store.at('due')} where message_id = ${id}`,
      )
    )[0]?.alone;
  const outcomeOf = async (id: number) =>
    (
      await rows<{ state: string; reason: string }>(
        fixture,
        `select state, reason from ${fixture.store.at('outcomes')} where message_id = ${id}`,
      )
    )[0];
  const people = () =>
    rows<{ contact_id: number; position: number; state: EnrolmentState }>(
      fixture,
      `select contact_id, position, state from ${fixture.store.at('enrolments')} order by position`,
    );
  const used = async () =>
    (
      await rows<{ used: number }>(
        fixture,
        `select sum(used) as used from ${fixture.store.at('account_days')}`,
      )
    )[0]?.used;
  const whom = (contactId: number) => ({ contactId });

  test('a claim knows whose it is, and a running campaign lets it pass', async () => {
    await written(1, { sequenceId: 7, sequenceVersion: 2, stepNumber: 1 });
    const taken = (await claim())!;
    expect(taken.messages[0]).toMatchObject({
      ...{ campaignId, contactId: 1, sequenceId: 7, sequenceVersion: 2, stepNumber: 1, closesAt: null },
    });
    expect(await gate(taken, taken.messages[0]!)).toMatchObject({ passed: true });
    await settled(taken, taken.messages[0]!);
    expect(
      await rows(fixture, `select day, launched, sent from ${fixture.store.at('campaign_days')}`),
    ).toEqual([{ day: '2026-11-16', launched: 0, sent: 1 }]);
  });

  test('a doubt that turns out to have left counts for its campaign', async () => {
    const { store, workspaceId } = fixture;
    await written(1);
    const taken = (await claim())!;
    const [message] = taken.messages;
    await gate(taken, message!);
    await settled(taken, message!, {
      event: 'doubted',
      reason: 'in_doubt',
      attempt: { outcome: 'in_doubt', startedAt: 1, handedAt: 2, worker: 'w' },
    });
    await store.transaction(confirmSent(store, message!.id, { workspaceId, now: MONDAY }));
    expect(await rows(fixture, `select sent from ${store.at('campaign_days')}`)).toEqual([{ sent: 1 }]);
  });

  test.each([
    ['its campaign is paused', () => state('paused'), 'halted', undefined],
    ['its campaign was stopped', () => state('stopped'), 'ended', 'campaign_stopped'],
    [
      'its person is paused',
      () =>
        fixture.store.transaction(
          holdEnrolments(
            fixture.store,
            fixture.workspaceId,
            whom(1),
            { reason: 'asked for', until: null },
            MONDAY,
          ),
        ),
      'halted',
      undefined,
    ],
    [
      'its person has replied',
      () =>
        fixture.store.transaction(
          endEnrolments(fixture.store, fixture.workspaceId, whom(1), 'replied', MONDAY),
        ),
      'ended',
      'replied',
    ],
    [
      'its person was taken out',
      () => rows(fixture, `delete from ${fixture.store.at('enrolments')} where contact_id = 1`),
      'ended',
      'not_enrolled',
    ],
  ] as const)('nothing passes the gate when %s', async (_, halt, refusal, reason) => {
    const id = await written(1);
    const taken = (await claim())!;
    await halt();
    const answer = await gate(taken, taken.messages[0]!);
    expect(answer).toEqual({ passed: false, refusal, ...(reason && { reason }) });
    if (refusal === 'halted') {
      await settled(taken, taken.messages[0]!, halted);
      expect(await lineOf(id)).toBe(LINES.halted);
    } else {
      await settled(taken, taken.messages[0]!, { event: 'cancelled', reason, attempt: undefined });
    }
    expect(await used()).toBe(0);
    expect(await claim()).toBeUndefined();
  });

  test('a resume between gate and settlement strands nothing', async () => {
    const id = await written(1);
    const taken = (await claim())!;
    await state('paused');
    expect(await gate(taken, taken.messages[0]!)).toMatchObject({ refusal: 'halted' });
    await state('running');
    await settled(taken, taken.messages[0]!, halted);
    expect(await lineOf(id)).toBe(LINES.together);
    expect((await claim())!.messages).toHaveLength(1);
  });

  test('mail of other lanes in the same channel is nobody’s campaign', async () => {
    await written(1, { lane: 'outbox', campaignId: null, contactId: null });
    await state('paused');
    const taken = (await claim())!;
    expect(await gate(taken, taken.messages[0]!)).toMatchObject({ passed: true });
  });

  test('what follows and what is halted is taken by nobody', async () => {
    const { store } = fixture;
    const ids = [await written(1), await written(2)];
    for (const [n, line] of [LINES.follows, LINES.halted].entries()) {
      await rows(fixture, `update ${store.at('due')} set alone = ${line} where message_id = ${ids[n]!}`);
    }
    expect(await claim()).toBeUndefined();
    expect(await claim('recipient')).toBeUndefined();
    expect(await store.openGuarded()).toEqual([]);
    expect(await store.openChannels()).toEqual([]);
  });

  test('a recipient’s own window holds instead of the account’s, and the account’s day is used', async () => {
    const { store } = fixture;
    await store.transaction(ensureOwnOpening(store, channelId));
    // Ten at night here: the account's window is shut.
    const night = MONDAY + 13 * HOUR;
    await store.setClock(night);
    const id = await written(1, { closesAt: night + HOUR });
    await rows(fixture, `update ${store.at('due')} set alone = ${LINES.own} where message_id = ${id}`);
    const late = await written(2, { closesAt: night - 1 });
    await rows(fixture, `update ${store.at('due')} set alone = ${LINES.own} where message_id = ${late}`);
    expect(await claim()).toBeUndefined();
    const taken = (await claim('recipient'))!;
    expect(taken.messages.map((message) => message.id)).toEqual([id]);
    expect(await gate(taken, taken.messages[0]!)).toMatchObject({ passed: true });
    expect(await rows(fixture, `select day, used from ${store.at('account_days')} where used > 0`)).toEqual([
      { day: '2026-11-16', used: 1 },
    ]);
    // What goes back stands where it was.
    await settled(taken, taken.messages[0]!, {
      event: 'deferred',
      waitMs: 0,
      attempt: { outcome: 'failed', startedAt: 1, handedAt: null, worker: 'w' },
    });
    expect(await lineOf(id)).toBe(LINES.own);
    const again = (await claim('recipient'))!;
    await store.setClock(night + HOUR);
    expect(await gate(again, again.messages[0]!)).toEqual({ passed: false, refusal: 'shut' });
  });

  test('an own window does not reach over the account’s quota', async () => {
    const { store, accountId } = fixture;
    await store.transaction(ensureOwnOpening(store, channelId));
    await rows(
      fixture,
      `update ${store.at('accounts')} set sending = '{"dailyLimitEmails":2}' where id = ${accountId}`,
    );
    const closesAt = MONDAY + HOUR;
    for (const contact of [1, 2, 3]) await written(contact, { closesAt });
    await rows(fixture, `update ${store.at('due')} set alone = ${LINES.own}`);
    await written(1);
    expect((await claim('recipient'))!.messages).toHaveLength(2);
    expect(await claim('recipient')).toBeUndefined();
    expect(await claim()).toBeUndefined();
  });

  test('whoever ends is ended everywhere, once, and what waits is cancelled', async () => {
    const { store, workspaceId } = fixture;
    const ids = [await written(1), await written(1), await written(2)];
    await rows(
      fixture,
      `update ${store.at('due')} set alone = ${LINES.halted} where message_id = ${ids[1]!}`,
    );
    const end = () => store.transaction(endEnrolments(store, workspaceId, whom(1), 'unsubscribed', MONDAY));
    expect(await end()).toMatchObject({ enrolments: [{ campaignId, contactId: 1 }], messages: 2 });
    expect(await end()).toEqual({ enrolments: [], messages: 0 });
    expect(await outcomeOf(ids[0]!)).toEqual({ state: 'cancelled', reason: 'unsubscribed' });
    expect(await lineOf(ids[2]!)).toBe(LINES.together);
    // Of another workspace nobody is found.
    expect(
      await store.transaction(endEnrolments(store, workspaceId + 1, whom(2), 'replied', MONDAY)),
    ).toMatchObject({ enrolments: [] });
  });

  test('a reply ends nothing where the campaign says so, and is noted', async () => {
    const { store, workspaceId } = fixture;
    await rows(fixture, `update ${store.at('campaigns')} set stop_on_reply = 0`);
    await written(1);
    expect(
      await store.transaction(endEnrolments(store, workspaceId, whom(1), 'replied', MONDAY)),
    ).toMatchObject({ enrolments: [], messages: 0 });
    expect(
      await rows(fixture, `select replied_at from ${store.at('enrolments')} where contact_id = 1`),
    ).toEqual([{ replied_at: MONDAY }]);
  });

  test('a person is known by an address or at LinkedIn as well', async () => {
    const { store, workspaceId } = fixture;
    await rows(
      fixture,
      `insert into ${store.at('contacts')} (workspace_id, email, linkedin_id, created_at, updated_at)
       values (${workspaceId}, 'ada@example.org', 'ada-l', 1, 1)`,
    );
    const hold = (by: { email: string } | { linkedinId: string }) =>
      store.transaction(
        holdEnrolments(store, workspaceId, by, { reason: 'auto_reply', until: MONDAY + HOUR }, MONDAY),
      );
    expect(await hold({ email: 'Ada@EXAMPLE.org' })).toMatchObject({ enrolments: [{ contactId: 1 }] });
    expect(
      await store.transaction(endEnrolments(store, workspaceId, { linkedinId: 'ada-l' }, 'replied', MONDAY)),
    ).toMatchObject({ enrolments: [{ contactId: 1 }] });
    expect(await hold({ email: 'nobody@example.org' })).toMatchObject({ enrolments: [] });
  });

  test('a hold ends by itself, and asks for new times', async () => {
    const { store, workspaceId } = fixture;
    const id = await written(1);
    const hold = (until: number | null) =>
      store.transaction(holdEnrolments(store, workspaceId, whom(1), { reason: 'auto_reply', until }, MONDAY));
    expect(await hold(MONDAY + 2 * HOUR)).toMatchObject({ messages: 1 });
    expect(await lineOf(id)).toBe(LINES.halted);
    expect(await hold(MONDAY + HOUR)).toMatchObject({ enrolments: [] });
    expect(await store.transaction(resumeHeld(store, MONDAY + HOUR, 10))).toBe(0);
    expect(await store.transaction(resumeHeld(store, MONDAY + 2 * HOUR, 10))).toBe(1);
    expect((await people())[0]).toMatchObject({ contact_id: 1, position: 1, state: 'active' });
    expect(await rows(fixture, `select replan from ${store.at('campaigns')}`)).toEqual([{ replan: 1 }]);
  });

  test('who was passed over by the plan comes at the end of the line', async () => {
    const { store, workspaceId } = fixture;
    await store.transaction(
      holdEnrolments(store, workspaceId, whom(2), { reason: 'asked for', until: null }, MONDAY),
    );
    await rows(fixture, `update ${store.at('campaigns')} set planned_through = 3`);
    await store.transaction(resumeEnrolments(store, workspaceId, whom(2), MONDAY));
    expect(await people()).toEqual([
      { contact_id: 1, position: 1, state: 'active' },
      { contact_id: 3, position: 3, state: 'active' },
      { contact_id: 2, position: 4, state: 'active' },
    ]);
    expect(await rows(fixture, `select enrolled from ${store.at('campaigns')}`)).toEqual([{ enrolled: 4 }]);
  });

  test('people are enrolled once, in their order', async () => {
    expect(await enrolled(3, 5, 4, 5)).toBe(2);
    expect((await people()).map((each) => each.contact_id)).toEqual([1, 2, 3, 5, 4]);
  });

  test('a pause takes waiting mail out of the way by pages, a stop ends it', async () => {
    const { store } = fixture;
    const ids = [];
    for (let n = 0; n < 5; n += 1) ids.push(await written(1 + (n % 3)));
    const walk = async (page: (after: number) => Promise<{ changed: number; last: number | undefined }>) => {
      let changed = 0;
      for (let after: number | undefined = 0; after !== undefined;) {
        const walked: { changed: number; last: number | undefined } = await page(after);
        changed += walked.changed;
        after = walked.last;
      }
      return changed;
    };
    expect(await walk((after) => store.transaction(parkPage(store, campaignId, after, 2)))).toBe(5);
    expect(await lineOf(ids[4]!)).toBe(LINES.halted);
    expect(
      await walk((after) =>
        store.transaction(cancelPage(store, campaignId, after, 2, 'campaign_stopped', MONDAY)),
      ),
    ).toBe(5);
    expect(await outcomeOf(ids[0]!)).toEqual({ state: 'cancelled', reason: 'campaign_stopped' });
  });
});
