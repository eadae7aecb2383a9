import { describe, expect, test } from 'vitest';
import { dryRun } from '#pillarbox/campaigns/dry-run';
import type { Terms } from '#pillarbox/core/campaign';
import { formatId } from '#pillarbox/core/ids';
import type { AccountSending, SendingSettings } from '#pillarbox/core/sending';
import { labelOf, Zone } from '#pillarbox/core/zone';
import { silent } from '#pillarbox/log/log';
import { Messages } from '#pillarbox/messages/messages';
import { run } from '#pillarbox/simulate/run';
import { openScratch, type ScratchStore } from '#pillarbox/store/open';
import { ensureWorkspace } from '#pillarbox/store/scripts/accounts';
import { readCampaign } from '#pillarbox/store/scripts/campaigns';
import type { SequenceStep } from '#pillarbox/store/scripts/sequences';
import {
  makeAccount,
  makeCampaign,
  makeContacts,
  makeSequence,
  planOf,
  plannerOf,
  settle,
  step,
  type Place,
} from '../campaigns/world.js';

/** A campaign with something about it that could make a forecast wrong. */
interface World {
  readonly from: string;
  readonly people: number;
  readonly steps?: readonly SequenceStep[];
  readonly settings?: Partial<SendingSettings>;
  readonly accounts?: readonly AccountSending[];
  readonly terms?: Partial<Terms>;
  /** Where each person lives, in turns. */
  readonly zones?: readonly string[];
}

const NEW_YORK = { sendingDays: [1, 2, 3, 4, 5], startHour: 9, endHour: 17, timezone: 'America/New_York' };
const THREE = [step(1), step(2, { delayDays: 1 }), step(3, { delayDays: 2, delayUnit: 'sendingDays' })];

const WORLDS: Readonly<Record<string, World>> = {
  'in the middle of a day, over a weekend': { from: '2026-11-19T12:34:56Z', people: 31 },
  'when the workspace binds all accounts': {
    ...{ from: '2026-11-16T06:00:00Z', people: 30, settings: { dailyQuota: 7 } },
    accounts: [{ dailyLimitEmails: 5 }, { dailyLimitEmails: 9 }],
  },
  'of accounts that ramp up, in two zones, when clocks go back in both': {
    ...{ from: '2026-10-23T06:00:00Z', people: 40 },
    settings: { timezone: 'Europe/Berlin', rampUpEnabled: true, rampUp: { start: 2, step: 1 } },
    accounts: [{}, { window: NEW_YORK, rampUp: { enabled: true, start: 1, step: 2 } }],
  },
  'with limits by hour, week and month, and holidays': {
    ...{ from: '2026-11-26T08:00:00Z', people: 30, settings: { holidays: ['2026-11-27'] } },
    accounts: [
      {
        dailyLimitEmails: 9,
        limits: [
          { action: 'email', period: 'hour', max: 2 },
          { action: 'email', period: 'week', max: 12 },
          { action: 'email', period: 'month', max: 20 },
        ],
        holidays: ['2026-12-02'],
      },
      { dailyLimitEmails: 6, spacing: { minSeconds: 360, maxSeconds: 1_200 } },
    ],
  },
  'whose hours come in pieces, with delays in hours': {
    ...{ from: '2026-11-16T09:30:00Z', people: 20 },
    settings: {
      hours: {
        '1': [
          ['09:00', '09:40'],
          ['14:00', '15:10'],
        ],
        '2': [['22:30', '24:00']],
        '3': [['00:00', '01:00']],
      },
    },
    steps: [
      step(1),
      step(2, { delayDays: 5, delayUnit: 'hours' }),
      step(3, { delayDays: 30, delayUnit: 'hours' }),
    ],
  },
  'that bounds itself': {
    ...{ from: '2026-11-16T06:00:00Z', people: 25 },
    terms: { dailyLimit: 9, maxNewPerDay: 4, startAt: Date.parse('2026-11-18T10:00:00Z') },
  },
  'that takes new people first, and deals by capacity': {
    ...{ from: '2026-11-16T06:00:00Z', people: 25, terms: { prioritize: 'new', deal: 'capacity' } },
    accounts: [{ dailyLimitEmails: 3 }, { dailyLimitEmails: 8 }],
  },
  'in the windows of its recipients': {
    ...{ from: '2026-10-23T06:00:00Z', people: 24, terms: { timezone: 'recipient' } },
    ...{ zones: ['Asia/Tokyo', 'America/New_York', 'Europe/Berlin'], accounts: [{ dailyLimitEmails: 7 }] },
  },
};

interface Made extends Place {
  readonly store: ScratchStore;
  readonly campaignId: number;
  readonly from: number;
  readonly zoneOf: (accountId: number) => Zone;
}

async function make({
  from,
  people,
  settings = {},
  accounts = [{}, {}],
  terms = {},
  ...world
}: World): Promise<Made> {
  const now = Date.parse(from);
  const store = await openScratch(now, silent);
  const workspaceId = await store.transaction(() => ensureWorkspace(store, 'default', now));
  const place = { store, workspaceId };
  await settle(place, settings);
  const accountIds: number[] = [];
  const zones = new Map<number, Zone>();
  for (const [n, sending] of accounts.entries()) {
    const id = await makeAccount(place, `account${n}`, sending);
    accountIds.push(id);
    zones.set(id, new Zone(sending.window?.timezone ?? settings.timezone ?? 'UTC'));
  }
  const sequenceId = await makeSequence(place, world.steps ?? THREE);
  const contactIds = await makeContacts(place, people, (n) =>
    world.zones ? { timezone: world.zones[n % world.zones.length]! } : {},
  );
  const campaignId = await makeCampaign(place, { sequenceId, accountIds, contactIds, terms });
  return { ...place, campaignId, from: now, zoneOf: (id) => zones.get(id)! };
}

interface Attempt {
  readonly id: number;
  readonly account: number;
  readonly at: number;
}

/** When each left, by the store's own notes, in that order. */
const departures = ({ store }: Place): Promise<readonly Attempt[]> =>
  store.read(
    (function* () {
      return (yield {
        sql: `select a.message_id as id, c.account_id as account, a.handed_at as at
          from attempts a join channels c on c.id = a.channel_id order by a.handed_at, a.message_id`,
        parameters: [],
      }) as readonly Attempt[];
    })(),
  );

/** Who waits, and until when, as each is told. */
async function told({ store, workspaceId }: Place) {
  const messages = new Messages(store, workspaceId);
  const waiting = await store.read(
    (function* () {
      return (yield {
        sql: `select d.message_id as id, c.account_id as account from due d join channels c on c.id = d.channel_id`,
        parameters: [],
      }) as readonly { id: number; account: number }[];
    })(),
  );
  const answers = new Map<number, { account: number; until: number | null }>();
  for (const { id, account } of waiting) {
    const { until } = await messages.explain(formatId('message', id));
    answers.set(id, { account, until });
  }
  return answers;
}

const DAY = 86_400_000;

describe('what is foreseen of a campaign', () => {
  test.each(Object.entries(WORLDS))('%s, happens', async (_, world) => {
    const made = await make(world);
    const { store, workspaceId, campaignId, from, zoneOf } = made;
    const campaign = (await store.read(readCampaign(store, workspaceId, campaignId)))!;
    const foreseen = await store.read(dryRun(store, campaign, [], from));
    await plannerOf(store).plan(workspaceId, campaignId);
    const planned = await planOf(made);
    expect(planned).toHaveLength(foreseen.total);

    const dayOf = (account: number, at: number) => labelOf(zoneOf(account).dayOf(at));
    const compare = async (answers: Awaited<ReturnType<typeof told>>, since: number) => {
      const left = (await departures(made)).filter(({ at }) => at >= since);
      const next = new Set<number>();
      for (const { id, account, at } of left) {
        const answer = answers.get(id)!;
        // Whose turn is next is told to the millisecond, everybody else on which day.
        if (!next.has(account)) expect([id, answer.until]).toEqual([id, at]);
        next.add(account);
        expect([id, dayOf(account, answer.until!)]).toEqual([id, dayOf(account, at)]);
      }
      return left;
    };

    // The first two days; then everybody is asked again, and the rest.
    const first = await told(made);
    const early = await run(store, { workspaceId, campaignId, startedAt: from, days: 2 });
    const partly = await compare(first, from);
    const middle = from + 2 * DAY;
    store.standAt(middle);
    const second = await told(made);
    const rest = await run(store, { workspaceId, campaignId, startedAt: middle, days: 200 });
    const later = await compare(second, middle);

    expect([early.violations, rest.violations]).toEqual([[], []]);
    expect(partly.length + later.length).toBe(foreseen.total);
    expect({ waiting: rest.waiting, ended: rest.ended }).toEqual({ waiting: 0, ended: 0 });
    expect(rest.endsAt).toBe(foreseen.lastAt);
    const happened = new Map<string, number>();
    for (const { account, at } of [...partly, ...later]) {
      const key = `${dayOf(account, at)} ${formatId('account', account)}`;
      happened.set(key, (happened.get(key) ?? 0) + 1);
    }
    expect([...happened].sort()).toEqual(
      foreseen.days.map(({ date, accountId, count }) => [`${date} ${accountId}`, count]).sort(),
    );
    await store.close();
  });
});
