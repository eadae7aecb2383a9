import { describe, expect, test } from 'vitest';
import {
  generateIdempotencyKey,
  IDEMPOTENCY_SEPARATOR,
  isRetryableError,
  isWithinSendingWindow,
  mapScheduledEmail,
  MAX_RETRY_ATTEMPTS,
  NON_RETRYABLE_ERROR_CODES,
  parseIdempotencyKey,
  RANDOM_DELAY_RANGE,
  RETRY_BACKOFF_MINUTES,
  RETRYABLE_ERROR_CODES,
  schedulerOf,
  toScheduledEmail,
  type CreateScheduledEmailInput,
  type Pillarbox,
  type ScheduledEmail,
  type ScheduledEmailResponse,
  type ScheduledEmailStatus,
  type SchedulingResult,
} from 'pillarbox';
import { silent } from '#pillarbox/log/log';
import { databases } from '../databases.js';
import { BUSY, Carrier, failed, NOBODY, sent, WRONG_PASSWORD } from '../engine/carrier.js';
import { postsOn, type Posts } from '../engine/posts.js';

/** A Monday at six: three hours before the window opens. The clock is set by hand. */
const MONDAY = Date.parse('2031-03-03T06:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  { order: 1, delayDays: 0, subject: 'Hello', body: 'One' },
  { order: 2, delayDays: 3, body: 'Two' },
  { order: 3, delayDays: 4, body: 'Three' },
];

test('the constants of a scheduler are what it has them', () => {
  expect([IDEMPOTENCY_SEPARATOR, MAX_RETRY_ATTEMPTS]).toEqual([':', 3]);
  expect(RETRY_BACKOFF_MINUTES).toEqual([1, 5, 15]);
  expect(RANDOM_DELAY_RANGE).toEqual({ min: 30, max: 90 });
  const coded = (code: string) => Object.assign(new Error('said so'), { code });
  for (const code of RETRYABLE_ERROR_CODES)
    expect([code, isRetryableError(coded(code))]).toEqual([code, true]);
  for (const code of NON_RETRYABLE_ERROR_CODES)
    expect([code, isRetryableError(coded(code))]).toEqual([code, false]);
  expect(RETRYABLE_ERROR_CODES).toHaveLength(6);
  expect(NON_RETRYABLE_ERROR_CODES).toHaveLength(5);
});

describe.concurrent.each(databases)('what the schedulers before promised, on $name', (database) => {
  const onPosts = postsOn(database);

  async function opened(posts: Posts, carrier = new Carrier()) {
    const said: unknown[] = [];
    const hear = (fields: object, text?: string) => void said.push({ ...fields, text });
    const { box } = await posts.open(carrier, {
      secret: 'a secret that signs the links of mails',
      log: { ...silent, debug: hear, info: hear },
    });
    const at = (instant: number) => box.store.setClock(instant);
    await at(MONDAY);
    return { box, carrier, at, said };
  }

  async function campaign(box: Pillarbox, people: number, steps = STEPS, name = 'Spring', over: object = {}) {
    const { ids } = await box.contacts.addMany(
      Array.from({ length: people }, (_, n) => ({ email: `p${n}@example.org` })),
    );
    const { id: sequenceId } = await box.sequences.create({ name: 'Hello', steps });
    const { items } = await box.home.accounts.list();
    const accountIds = items.map((account) => account.id);
    const id = await box.campaigns.create({ name, sequenceId, accountIds, ...over });
    await box.campaigns.enrol(id, ids);
    return { id, contacts: ids, sequenceId };
  }

  const emailsOf = async (box: Pillarbox, campaignId: string) =>
    (await box.messages.list({ campaignId, limit: 200 })).items
      .map(toScheduledEmail)
      .sort((one, other) => one.scheduledFor.getTime() - other.scheduledFor.getTime());
  const settings = (box: Pillarbox) => box.home.settings.sending();
  const perDay = (emails: readonly { scheduledFor: Date }[]) => {
    const days = new Map<string, number>();
    for (const { scheduledFor } of emails) {
      const day = scheduledFor.toISOString().slice(0, 10);
      days.set(day, (days.get(day) ?? 0) + 1);
    }
    return days;
  };

  test(
    'the functions of a scheduler, called as it calls them',
    onPosts(async (posts) => {
      const { box } = await opened(posts);
      const {
        scheduleEmailsForCampaign,
        handleEmailFailure,
        getDailySentCount,
        getRemainingQuota,
        getNextAvailableSlot,
      } = schedulerOf(box);
      const { id, contacts, sequenceId } = await campaign(box, 1);
      const result: SchedulingResult = await scheduleEmailsForCampaign(id);
      expect(result).toMatchObject({ scheduled: 3, skipped: 0, errors: [] });
      const [email] = (await emailsOf(box, id)) as [ScheduledEmail, ...ScheduledEmail[]];
      const created: CreateScheduledEmailInput = email;
      expect(created).toMatchObject({
        ...{ workspaceId: expect.stringMatching(/^wsp_/), campaignId: id, prospectId: contacts[0] },
        ...{ campaignProspectId: `${id}.${contacts[0]!}`, sequenceId, stepNumber: 1 },
        idempotencyKey: generateIdempotencyKey(contacts[0]!, sequenceId, 1),
        scheduledFor: expect.any(Date),
      });
      const error = Object.assign(new Error('gone away'), { code: 'ECONNRESET' });
      expect(RETRYABLE_ERROR_CODES.includes(error.code)).toBe(isRetryableError(error));
      await handleEmailFailure(email.id, error);
      const status: ScheduledEmailStatus = 'RETRY_SCHEDULED';
      const shown: ScheduledEmailResponse = mapScheduledEmail(await box.messages.get(email.id));
      expect(shown).toMatchObject({ status, attempts: 1, scheduledFor: email.scheduledFor.toISOString() });
      const day = new Date(MONDAY);
      expect(await getDailySentCount(email.workspaceId, day)).toBe(0);
      expect(await getRemainingQuota(email.workspaceId, day)).toBe(
        (await box.home.guard.quota({ date: '2031-03-03' })).remaining,
      );
      expect(
        isWithinSendingWindow(await settings(box), await getNextAvailableSlot(email.workspaceId, day)),
      ).toBe(true);
    }),
  );

  test(
    'AC1: each email is a record with a key of prospect, sequence and step',
    onPosts(async (posts) => {
      const { box } = await opened(posts);
      const { id, contacts, sequenceId } = await campaign(box, 2);
      expect(await box.campaigns.launch(id)).toMatchObject({ scheduled: 6 });
      const keys = (await emailsOf(box, id)).map(({ idempotencyKey }) =>
        parseIdempotencyKey(idempotencyKey!),
      );
      expect(new Set(keys.map((key) => JSON.stringify(key)))).toEqual(
        new Set(
          contacts.flatMap((prospectId) =>
            [1, 2, 3].map((stepNumber) => JSON.stringify({ prospectId, sequenceId, stepNumber })),
          ),
        ),
      );
    }),
  );

  test(
    'AC2, edge case 1: a second scheduling of the same keys is skipped and counted, and throws nothing',
    onPosts(async (posts) => {
      const { box, said } = await opened(posts);
      const { id, contacts, sequenceId } = await campaign(box, 2);
      await box.campaigns.launch(id);
      expect(said).not.toContainEqual(expect.objectContaining({ skipped: expect.anything() }));
      expect(await box.campaigns.launch(id)).toMatchObject({ scheduled: 0, skipped: 6, errors: [] });
      expect(said.splice(0)).toContainEqual(
        expect.objectContaining({ skipped: 6, text: 'messages that were planned before were skipped' }),
      );
      expect(await box.campaigns.schedule(id)).toMatchObject({ scheduled: 0, skipped: 6 });
      // Also from another campaign: the key knows nothing of it.
      const { items } = await box.home.accounts.list();
      const accountIds = items.map((account) => account.id);
      const other = await box.campaigns.create({ name: 'Other', sequenceId, accountIds });
      await box.campaigns.enrol(other, contacts);
      expect(await box.campaigns.launch(other)).toMatchObject({ scheduled: 0, skipped: 6 });
      expect(said).toContainEqual(
        expect.objectContaining({ skipped: 6, text: 'messages with keys that exist already were skipped' }),
      );
      expect(await emailsOf(box, id)).toHaveLength(6);
    }),
  );

  test(
    'AC3, AC4: SCHEDULED, then RETRY_SCHEDULED after 1, 5 and 15 minutes, then PERMANENTLY_FAILED',
    onPosts(async (posts) => {
      const { box, at } = await opened(posts, new Carrier(() => failed(BUSY)));
      const { id } = await campaign(box, 1, STEPS.slice(0, 1));
      await box.campaigns.launch(id);
      const email = async () => (await emailsOf(box, id))[0]!;
      expect(await email()).toMatchObject({ status: 'SCHEDULED', attempts: 0 });
      await at((await email()).scheduledFor.getTime());
      for (const minutes of [1, 5, 15]) {
        await box.pass();
        const [last] = (await box.messages.attempts((await email()).id)).slice(-1);
        expect(await email()).toMatchObject({
          status: 'RETRY_SCHEDULED',
          nextRetryAt: new Date(last!.finishedAt + minutes * MINUTE),
        });
        await at((await email()).nextRetryAt!.getTime() + 2 * MINUTE);
      }
      await box.pass();
      expect(await email()).toMatchObject({ status: 'PERMANENTLY_FAILED', attempts: 4, nextRetryAt: null });
    }),
  );

  test(
    'AC3: SENDING while it is handed over, and SENT when it is accepted',
    onPosts(async (posts) => {
      const { box, at, carrier } = await opened(posts);
      const { id } = await campaign(box, 1, STEPS.slice(0, 1));
      await box.campaigns.launch(id);
      await at((await emailsOf(box, id))[0]!.scheduledFor.getTime());
      const meanwhile: unknown[] = [];
      carrier.conduct = async () => {
        meanwhile.push(...(await emailsOf(box, id)));
        return undefined;
      };
      await box.pass();
      expect(meanwhile).toMatchObject([{ status: 'SENDING' }]);
      expect((await emailsOf(box, id))[0]).toMatchObject({ status: 'SENT' });
      expect(carrier.left).toHaveLength(1);
    }),
  );

  test(
    'a mail that takes until after midnight is counted, and found, on the day on which it was taken in hand',
    onPosts(async (posts) => {
      const { box, at, carrier } = await opened(posts);
      const { id } = await campaign(box, 1, STEPS.slice(0, 1));
      await box.campaigns.launch(id);
      const time = (await emailsOf(box, id))[0]!.scheduledFor.getTime();
      await at(time);
      carrier.conduct = async (message, gate) => {
        expect(await gate()).toBe(true);
        await at(time + DAY);
        return sent(message);
      };
      await box.pass();
      const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
      const found = async (day: string) => (await box.messages.list({ campaignId: id, day })).items.length;
      const { days } = await box.campaigns.calendar(id);
      expect(days.filter((day) => day.sent > 0).map(({ date }) => date)).toEqual([dateOf(time)]);
      expect(await found(dateOf(time))).toBe(1);
      expect(await found(dateOf(time + DAY))).toBe(0);
    }),
  );

  test(
    'AC5: an invalid recipient is PERMANENTLY_FAILED at once; a revoked grant pauses the account and burns no try',
    onPosts(async (posts) => {
      const carrier = new Carrier(({ mail }) =>
        failed(mail.to.email === 'p0@example.org' ? NOBODY : WRONG_PASSWORD),
      );
      const { box, at } = await opened(posts, carrier);
      const { id } = await campaign(box, 2, STEPS.slice(0, 1));
      await box.campaigns.launch(id);
      const [first, second] = await emailsOf(box, id);
      await at(first!.scheduledFor.getTime());
      await box.pass();
      expect(toScheduledEmail(await box.messages.get(first!.id))).toMatchObject({
        ...{ status: 'PERMANENTLY_FAILED', nextRetryAt: null, attempts: 1 },
      });
      await at(second!.scheduledFor.getTime() + 2 * MINUTE);
      await box.pass();
      expect(toScheduledEmail(await box.messages.get(second!.id))).toMatchObject({ attempts: 0 });
      expect((await box.home.accounts.list()).items[0]).toMatchObject({
        ...{ status: 'paused', pauseReason: '535 5.7.8 wrong password' },
      });
    }),
  );

  test(
    'AC6, edge cases 4 and 5: inside the window and on sending days, 30 to 90 s apart, within quota and ramp-up',
    onPosts(async (posts) => {
      const { box } = await opened(posts);
      await box.home.settings.changeSending({
        ...{ rampUpEnabled: true, rampUp: { start: 3, step: 4 }, dailyQuota: 9, holidays: ['2031-03-05'] },
      });
      const { id } = await campaign(box, 40, STEPS.slice(0, 1));
      await box.campaigns.launch(id);
      const emails = await emailsOf(box, id);
      expect(emails).toHaveLength(40);
      const rules = await settings(box);
      for (const { scheduledFor } of emails) expect(isWithinSendingWindow(rules, scheduledFor)).toBe(true);
      for (const [n, { scheduledFor }] of emails.slice(1).entries()) {
        const gap = scheduledFor.getTime() - emails[n]!.scheduledFor.getTime();
        expect(gap).toBeGreaterThanOrEqual(30_000);
        if (gap < HOUR) expect(gap).toBeLessThanOrEqual(91_000);
      }
      expect([...perDay(emails)]).toEqual([
        ['2031-03-03', 3],
        ['2031-03-04', 7],
        ['2031-03-06', 9],
        ['2031-03-07', 9],
        ['2031-03-10', 9],
        ['2031-03-11', 3],
      ]);
    }),
  );

  test(
    'edge cases 2 and 3: a campaign that is paused plans nobody, a prospect who is paused is passed over',
    onPosts(async (posts) => {
      const { box } = await opened(posts);
      const { id, contacts } = await campaign(box, 3, STEPS.slice(0, 1));
      await box.campaigns.setPerson(id, contacts[1]!, 'paused');
      expect(await box.campaigns.launch(id)).toMatchObject({ scheduled: 2 });
      await box.campaigns.pause(id);
      const { id: late } = await box.contacts.add({ email: 'late@example.org' });
      await box.campaigns.enrol(id, [late]);
      await expect(box.campaigns.schedule(id)).rejects.toMatchObject({ code: 'conflict' });
      expect(await emailsOf(box, id)).toHaveLength(2);
      await box.campaigns.resume(id);
      expect(await emailsOf(box, id)).toHaveLength(3);
    }),
  );

  test(
    'edge cases 6 and 7: times are UTC by the zone of the settings, over its change of clocks; steps keep their delays',
    onPosts(async (posts) => {
      const { box } = await opened(posts);
      // New York springs forward on 9 March: nine o'clock is 14:00 UTC before and 13:00 after.
      await box.home.settings.changeSending({ timezone: 'America/New_York', startHour: 9, endHour: 10 });
      const { id } = await campaign(box, 1);
      await box.campaigns.launch(id);
      const times = (await emailsOf(box, id)).map(({ scheduledFor }) => scheduledFor.toISOString());
      expect(times.map((time) => time.slice(0, 13))).toEqual([
        '2031-03-03T14',
        '2031-03-06T14',
        '2031-03-10T13',
      ]);
    }),
  );

  test(
    'edge case 8: a window without a day is refused when it is saved',
    onPosts(async (posts) => {
      const { box } = await opened(posts);
      await expect(box.home.settings.changeSending({ sendingDays: [] })).rejects.toMatchObject({
        ...{ code: 'invalid_input', field: 'sendingDays' },
      });
      expect((await settings(box)).sendingDays).toEqual([1, 2, 3, 4, 5]);
    }),
  );

  test(
    'principles 1 to 5: assigned at creation, limits twice, activity counts, late ones go on by themselves, business hours',
    onPosts(async (posts) => {
      const { box, at, carrier } = await opened(posts);
      const { id } = await campaign(box, 4, STEPS.slice(0, 1));
      await box.campaigns.launch(id);
      const { items: accounts } = await box.home.accounts.list();
      const accountId = accounts[0]!.id;
      const { items } = await box.messages.list({ campaignId: id });
      // 1. Account assignment at creation.
      expect(items.map((message) => message.accountId)).toEqual(items.map(() => accountId));
      // 5. Business hours: at night nothing leaves, however late it is.
      await at(MONDAY + 15 * HOUR);
      expect(await box.pass()).toMatchObject({ sent: 0 });
      // 2. Dual enforcement: what was planned within a limit that is smaller by now leaves only within that one.
      await box.home.accounts.update(accountId, {
        dailyLimitEmails: 2,
        spacing: { minSeconds: 0, maxSeconds: 0 },
      });
      await box.home.settings.changeSending({ spacing: { minSeconds: 0, maxSeconds: 0 } });
      await at(MONDAY + DAY + 4 * HOUR);
      await box.pass();
      await box.pass();
      expect(carrier.left).toHaveLength(2);
      // 3. Activity tracking: the table of tries is what is counted.
      expect((await box.home.accounts.activity(accountId)).items).toHaveLength(2);
      expect(await box.home.guard.quota({ accountId })).toMatchObject({ limit: 2, sent: 2, remaining: 0 });
      // 4. Rescheduling: the others cost no try, say when they may go, and go then.
      const waiting = (await box.messages.list({ campaignId: id, state: ['scheduled'] })).items;
      expect(waiting.map(({ attempts }) => attempts)).toEqual([0, 0]);
      for (const message of waiting)
        expect((await box.messages.explain(message.id)).until).toBe(MONDAY + 2 * DAY + 3 * HOUR);
      await at(MONDAY + 2 * DAY + 4 * HOUR);
      await box.pass();
      await box.pass();
      expect(carrier.left).toHaveLength(4);
    }),
  );
});
