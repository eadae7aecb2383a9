import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  handleEmailFailure,
  mapScheduledEmail,
  parseIdempotencyKey,
  scheduleEmailsForCampaign,
  toScheduledEmail,
  type Outgoing,
  type Pillarbox,
  type SendReport,
} from 'pillarbox';
import { compose, toBytes } from '#pillarbox/mime/compose';
import { databases } from '../databases.js';
import { Carrier, failed, NOBODY, sent } from '../engine/carrier.js';
import { postsOn, type Posts } from '../engine/posts.js';
import { PATIENCE_MS } from '../patience.js';

/** A Monday before nine; ten hours pass in a second. */
const FAST = { clock: '2031-03-03T06:00:00Z*36000', secret: 'a secret that signs the links of mails' };
const DAY = 86_400_000;

const WHOLE_WEEK = { sendingDays: [1, 2, 3, 4, 5, 6, 7], dailyQuota: 1_000 };

async function prepared(box: Pillarbox, people: number, steps = 2) {
  await box.home.settings.changeSending(WHOLE_WEEK);
  const { ids: contacts } = await box.contacts.addMany(
    Array.from({ length: people }, (_, n) => ({ email: `p${n}@example.org`, name: `Person ${n}` })),
  );
  const sequence = await box.sequences.create({
    name: 'Hello',
    steps: Array.from({ length: steps }, (_, n) =>
      n === 0
        ? { order: 1, delayDays: 0, subject: 'Hello {{ contact.name }}', body: 'Dear {{ contact.name }}' }
        : { order: n + 1, delayDays: 2, body: 'Did you see my mail, {{ contact.name }}?' },
    ),
  });
  const accounts = await box.home.accounts.list();
  const id = await box.campaigns.create({
    name: 'Autumn',
    sequenceId: sequence.id,
    accountIds: [accounts.items[0]!.id],
  });
  await box.campaigns.enrol(id, contacts);
  return { id, contacts, sequenceId: sequence.id, accountIds: [accounts.items[0]!.id] };
}

/** Once it is so, by whatever hand. Not `expect.poll`: several tests run at once. */
async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await sleep(25);
  }
}

const becomes = (box: Pillarbox, id: string, state: string) =>
  until(`${id} is ${state}`, async () => (await box.campaigns.get(id)).state === state);

describe.concurrent.each(databases)('a campaign on $name', (database) => {
  const onPosts = postsOn(database);
  const start = (posts: Posts, carrier: Carrier) => posts.start(carrier, FAST);

  test(
    'leaves as it was planned, follow-ups after their delay and in their thread, and comes to its end',
    onPosts(async (posts) => {
      const { box, carrier } = await start(posts, new Carrier());
      const { id } = await prepared(box, 4);
      const plan = await box.campaigns.plan(id);
      expect(plan).toMatchObject({ total: 8 });
      expect(await box.campaigns.launch(id)).toMatchObject({
        done: true,
        scheduled: 8,
        skipped: 0,
        errors: [],
      });
      expect(await box.campaigns.launch(id)).toMatchObject({ done: true, scheduled: 0, skipped: 8 });
      await becomes(box, id, 'completed');
      expect(carrier.left).toHaveLength(8);
      for (const { mail } of carrier.left.slice(0, 4)) {
        expect(mail.subject).toBe(`Hello ${mail.to.name}`);
        expect(mail.unsubscribeUrl).toMatch(/\/u\//);
      }
      const { items } = await box.campaigns.people(id);
      for (const person of items) {
        expect(person.status).toBe('finished');
        const [first, second] = person.steps;
        expect(second!.at - first!.at).toBeGreaterThan(DAY);
        const mails = carrier.left.filter(({ mail }) => mail.to.email === person.email);
        expect(mails[1]!.mail).toMatchObject({
          subject: `Re: Hello ${String(person.name)}`,
          inReplyTo: mails[0]!.messageId,
          references: [mails[0]!.messageId],
        });
      }
      const { days } = await box.campaigns.calendar(id);
      const sum = (field: 'sent' | 'launched') => days.reduce((all, day) => all + day[field], 0);
      expect([sum('sent'), sum('launched')]).toEqual([8, 8]);
      expect(await box.campaigns.status(id)).toMatchObject({ scheduled: 0, sent: 8, failed: 0 });
    }),
  );

  test(
    'a sequence that is edited after the launch stays as it was for who was launched [F37]',
    onPosts(async (posts) => {
      const { box, carrier } = await start(posts, new Carrier());
      const { id, sequenceId, accountIds } = await prepared(box, 2);
      await box.campaigns.launch(id);
      const { name, steps } = await box.sequences.get(sequenceId);
      const edited = steps.map((step) => ({ ...step, body: `Edited: ${step.body}` }));
      expect(await box.sequences.save(sequenceId, { name, steps: edited })).toMatchObject({ version: 2 });
      const later = await box.campaigns.create({ name: 'Later', sequenceId, accountIds });
      const { id: contact } = await box.contacts.add({ email: 'later@example.org', name: 'Later' });
      await box.campaigns.enrol(later, [contact]);
      await box.campaigns.launch(later);
      for (const each of [id, later]) await becomes(box, each, 'completed');
      expect(carrier.left).toHaveLength(6);
      for (const { mail } of carrier.left)
        expect([mail.to.email, mail.text?.startsWith('Edited: ')]).toEqual([
          mail.to.email,
          mail.to.email === 'later@example.org',
        ]);
    }),
  );

  test(
    'a step that dies ends what would have followed it, and brings it back when it is tried again',
    onPosts(async (posts) => {
      let broken = true;
      const carrier = new Carrier(() =>
        broken ? failed({ class: 'permanent', scope: 'message', code: '550', message: 'no' }) : undefined,
      );
      const { box } = await start(posts, carrier);
      const { id } = await prepared(box, 1);
      await box.campaigns.launch(id);
      await becomes(box, id, 'completed');
      const { items } = await box.messages.list({ campaignId: id });
      expect(items.map(({ state, stepNumber }) => [stepNumber, state])).toEqual([
        [2, 'cancelled'],
        [1, 'dead'],
      ]);
      expect(items[0]!.reason).toBe('predecessor_dead');
      broken = false;
      await box.messages.retry(items[1]!.id);
      expect((await box.campaigns.get(id)).state).toBe('running');
      await becomes(box, id, 'completed');
      expect(carrier.left).toHaveLength(2);
    }),
  );

  test(
    'whose address is refused at the door has bounced, in all campaigns; tried again once it works, goes on',
    onPosts(async (posts) => {
      let refused = true;
      const carrier = new Carrier(() => (refused ? failed(NOBODY) : undefined));
      const { box } = await start(posts, carrier);
      const { id, contacts } = await prepared(box, 1);
      const accounts = await box.home.accounts.list();
      const other = await box.campaigns.create({ name: 'Other', accountIds: [accounts.items[0]!.id] });
      await box.campaigns.enrol(other, contacts);
      await box.campaigns.launch(id);
      await becomes(box, id, 'completed');
      const [follower, first] = (await box.messages.list({ campaignId: id })).items;
      expect([first!.state, follower!.state, follower!.reason]).toEqual(['dead', 'cancelled', 'bounced']);
      for (const campaign of [id, other])
        expect((await box.campaigns.people(campaign)).items).toMatchObject([
          { status: 'bounced', why: expect.stringContaining('The address bounced') },
        ]);
      expect((await box.home.suppressions.list()).items).toMatchObject([
        { address: 'p0@example.org', reason: 'hard_bounce' },
      ]);
      refused = false;
      await expect(box.messages.retry(first!.id)).rejects.toMatchObject({ code: 'illegal_move' });
      await box.home.suppressions.remove('p0@example.org');
      await box.messages.retry(first!.id);
      await becomes(box, id, 'completed');
      expect(carrier.left).toHaveLength(2);
      expect((await box.campaigns.people(id)).items).toMatchObject([{ status: 'finished' }]);
    }),
  );

  test(
    'a step that died is not tried again for somebody who has replied: it would only be cancelled',
    onPosts(async (posts) => {
      const carrier = new Carrier(() =>
        failed({ class: 'permanent', scope: 'message', code: '550', message: 'no' }),
      );
      const { box } = await start(posts, carrier);
      const { id } = await prepared(box, 1);
      await box.campaigns.launch(id);
      await becomes(box, id, 'completed');
      await box.home.inbound.receive({ kind: 'reply', email: 'p0@example.org' });
      const { items } = await box.messages.list({ campaignId: id, state: ['dead'] });
      await expect(box.messages.retry(items[0]!.id)).rejects.toMatchObject({
        ...{ code: 'illegal_move', message: expect.stringContaining('(replied)') as string },
      });
    }),
  );

  test(
    'follow-ups go on in the conversation that the provider began; one with a subject begins another',
    onPosts(async (posts) => {
      let threads = 0;
      const carrier = new Carrier(async (message, gate) => {
        if (!(await gate())) return undefined;
        return { ...sent(message), threadId: message.threadId ?? `thread-${(threads += 1)}` } as SendReport;
      });
      const { box } = await start(posts, carrier);
      await box.home.settings.changeSending(WHOLE_WEEK);
      const { id: contact } = await box.contacts.add({ email: 'a@example.org', name: 'Ada' });
      const delayDays = 1;
      const sequence = await box.sequences.create({
        name: 'Four',
        steps: [
          { order: 1, delayDays: 0, subject: 'Hello {{ contact.name }}', body: 'One' },
          { order: 2, delayDays, body: 'Two' },
          { order: 3, delayDays, body: 'Three' },
          { order: 4, delayDays, subject: 'Another matter', body: 'Four' },
        ],
      });
      const accounts = await box.home.accounts.list();
      const id = await box.campaigns.create({
        ...{ name: 'Threads', sequenceId: sequence.id, accountIds: [accounts.items[0]!.id] },
      });
      await box.campaigns.enrol(id, [contact]);
      await box.campaigns.launch(id);
      await becomes(box, id, 'completed');
      const ids = carrier.left.map(({ messageId }) => messageId);
      expect(
        carrier.left.map(({ mail, threadId }) => ({
          ...{ subject: mail.subject, threadId, inReplyTo: mail.inReplyTo, references: mail.references },
        })),
      ).toEqual([
        { subject: 'Hello Ada', threadId: undefined, inReplyTo: undefined, references: undefined },
        { subject: 'Re: Hello Ada', threadId: 'thread-1', inReplyTo: ids[0], references: [ids[0]] },
        { subject: 'Re: Hello Ada', threadId: 'thread-1', inReplyTo: ids[1], references: ids.slice(0, 2) },
        { subject: 'Another matter', threadId: undefined, inReplyTo: undefined, references: undefined },
      ]);
    }),
  );

  test(
    'paused, nothing of it leaves; resumed, everything does; stopped, nothing any more',
    onPosts(async (posts) => {
      const { box, carrier } = await posts.open(new Carrier(), {
        ...FAST,
        clock: '2031-03-03T06:00:00Z*1',
      });
      const { id } = await prepared(box, 3);
      await box.campaigns.launch(id);
      await box.campaigns.pause(id, 'holidays');
      expect(await box.campaigns.get(id)).toMatchObject({ state: 'paused', pauseReason: 'holidays' });
      await expect(box.campaigns.launch(id)).rejects.toMatchObject({ code: 'conflict' });
      await expect(box.campaigns.schedule(id)).rejects.toMatchObject({ code: 'conflict' });
      expect((await box.campaigns.get(id)).next).toBeNull();
      await box.campaigns.resume(id);
      expect(await box.campaigns.get(id)).toMatchObject({ state: 'running', progress: { total: 6 } });
      expect((await box.campaigns.get(id)).next).not.toBeNull();
      await box.campaigns.stop(id);
      expect(await box.campaigns.status(id)).toMatchObject({ status: 'stopped', scheduled: 0, cancelled: 6 });
      await expect(box.campaigns.resume(id)).rejects.toMatchObject({ code: 'conflict' });
      expect(carrier.offered).toEqual([]);
    }),
  );

  test(
    'one person is paused and goes on; another is taken out; a third comes later',
    onPosts(async (posts) => {
      const { box } = await posts.open(new Carrier(), { ...FAST, clock: '2031-03-03T06:00:00Z*1' });
      const { id, contacts } = await prepared(box, 3);
      const [one, two] = contacts as unknown as readonly [string, string];
      await box.campaigns.launch(id);
      await box.campaigns.setPerson(id, one, 'paused');
      expect((await box.campaigns.people(id, { status: 'paused' })).items).toMatchObject([
        { contactId: one, nextAt: null },
      ]);
      await box.campaigns.setPerson(id, one, 'active');
      await until(
        'one has a time again',
        async () => (await box.campaigns.people(id)).items[0]?.nextAt !== null,
      );
      expect(await box.campaigns.takeOut(id, [two])).toEqual({ removed: 1 });
      await expect(box.campaigns.setPerson(id, two, 'active')).rejects.toMatchObject({ code: 'conflict' });
      await expect(box.campaigns.setPerson(id, 'con_zz', 'active')).rejects.toMatchObject({
        code: 'not_found',
      });
      const { id: late } = await box.contacts.add({ email: 'late@example.org', name: 'Late' });
      expect(await box.campaigns.enrol(id, [late, one])).toEqual({ enrolled: 1, skipped: 1 });
      expect(await box.campaigns.schedule(id)).toMatchObject({ scheduled: 2 });
    }),
  );

  test(
    'messages that somebody else made are planned at the launch of a draft, and at once in one that runs',
    onPosts(async (posts) => {
      const { box, carrier } = await start(posts, new Carrier());
      await box.home.settings.changeSending(WHOLE_WEEK);
      await box.home.settings.changeProfile({ postalAddress: '1 Quay, Oslo' });
      const accounts = await box.home.accounts.list();
      const {
        ids: [one, two],
      } = await box.contacts.addMany([{ email: 'a@example.org' }, { email: 'b@example.org' }]);
      const id = await box.campaigns.create({ name: 'Ready', accountIds: [accounts.items[0]!.id] });
      const message = (contactId: string) => ({
        messages: [{ contactId, subject: 'Hi', body: 'Hello there' }],
      });
      expect(await box.campaigns.addMessages(id, message(one!))).toMatchObject({ scheduled: 1, skipped: 0 });
      expect(await box.campaigns.addMessages(id, message(one!))).toMatchObject({ scheduled: 0, skipped: 1 });
      expect(await box.campaigns.launch(id)).toMatchObject({ scheduled: 1 });
      expect(await box.campaigns.addMessages(id, message(two!))).toMatchObject({ scheduled: 1 });
      await until('both have left', () => carrier.left.length === 2);
      const [{ mail }] = carrier.left as unknown as readonly [Outgoing];
      expect(mail.subject).toBe('Hi');
      expect(mail.unsubscribeUrl).toMatch(/\/u\//);
      expect(mail.text).toBe(`Hello there\n\n-- \nUnsubscribe: ${mail.unsubscribeUrl!}\n1 Quay, Oslo\n`);
      const raw = toBytes(compose(mail, { messageId: '<x@example.org>', date: 0 })).toString();
      expect(raw).toContain(`List-Unsubscribe: <${mail.unsubscribeUrl!}>`);
      expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
      const page = { contactId: two!, subject: 'Page', body: '<p>Hello <b>there</b></p>' };
      await box.campaigns.addMessages(id, { messages: [page] });
      await until('the page has left', () => carrier.left.length === 3);
      const { html, unsubscribeUrl } = carrier.left[2]!.mail;
      expect(html).toMatch(/^<p>Hello <b>there<\/b><\/p>\n<p style/);
      expect(html).toContain(`<a href="${unsubscribeUrl!}"`);
      expect(html).toContain('1 Quay, Oslo');
    }),
  );

  test(
    'is scheduled, and its failures are handled, under the names that schedulers use',
    onPosts(async (posts) => {
      const { box } = await posts.open(new Carrier(), { ...FAST, clock: '2031-03-03T06:00:00Z*1' });
      const { id } = await prepared(box, 2, 1);
      expect(await scheduleEmailsForCampaign(box, id)).toMatchObject({
        scheduled: 2,
        skipped: 0,
        errors: [],
      });
      expect(await scheduleEmailsForCampaign(box, id)).toMatchObject({ scheduled: 0, skipped: 2 });
      const { items } = await box.messages.list({ campaignId: id });
      const [one, two] = items.map((message) => message.id) as [string, string];
      const reset = Object.assign(new Error('reset by peer'), { code: 'ECONNRESET' });
      for (const minutes of [1, 5, 15]) {
        const before = await box.store.now();
        await handleEmailFailure(box, one, reset);
        const email = toScheduledEmail(await box.messages.get(one));
        expect(email.status).toBe('RETRY_SCHEDULED');
        expect(email.nextRetryAt!.getTime()).toBeGreaterThanOrEqual(before + minutes * 60_000);
      }
      await handleEmailFailure(box, one, reset);
      await handleEmailFailure(box, two, Object.assign(new Error('no such'), { code: 'INVALID_RECIPIENT' }));
      for (const each of [one, two]) {
        const email = mapScheduledEmail(await box.messages.get(each));
        expect(email).toMatchObject({ status: 'PERMANENTLY_FAILED', nextRetryAt: null, campaignId: id });
        expect(parseIdempotencyKey(email.idempotencyKey!)).toMatchObject({ prospectId: email.prospectId });
      }
      await expect(handleEmailFailure(box, one, reset)).rejects.toMatchObject({ code: 'illegal_move' });
    }),
  );

  test(
    'its mail says why it waits: for the step before, for a pause, for a person',
    onPosts(async (posts) => {
      const { box } = await posts.open(new Carrier(), { ...FAST, clock: '2031-03-03T06:00:00Z*1' });
      const { id, contacts } = await prepared(box, 1);
      await box.campaigns.launch(id);
      const { items } = await box.messages.list({ campaignId: id });
      const why = async (place: 0 | 1) => (await box.messages.explain(items[place]!.id)).reason;
      expect([await why(1), await why(0)]).toEqual(['scheduled', 'predecessor']);
      await box.campaigns.setPerson(id, contacts[0]!, 'paused');
      expect([await why(1), await why(0)]).toEqual(['person_paused', 'person_paused']);
      await box.campaigns.pause(id);
      expect([await why(1), await why(0)]).toEqual(['campaign_paused', 'campaign_paused']);
    }),
  );

  test(
    'an account that goes asks what becomes of the rest: it goes on from another one, or ends',
    onPosts(async (posts) => {
      const { box } = await posts.open(new Carrier(), { ...FAST, clock: '2031-03-03T06:00:00Z*1' });
      const { id } = await prepared(box, 2);
      const account = async (name: string) =>
        box.home.accounts.create({
          ...{ name, type: 'email', emailAddress: `${name}@example.org` },
          transport: { kind: 'gmail', clientId: 'x', clientSecret: 'x', refreshToken: 'x' },
        });
      const [ann, bob] = [await account('ann'), await account('bob')];
      await box.campaigns.change(id, { accountIds: [ann.id] });
      await box.campaigns.launch(id);
      await expect(box.home.accounts.remove(ann.id)).rejects.toMatchObject({
        ...{ code: 'conflict', message: expect.stringContaining('4 messages') as string },
      });
      await box.home.accounts.remove(ann.id, { reassign: bob.id });
      await box.campaigns.schedule(id);
      expect(await box.campaigns.get(id)).toMatchObject({
        accountIds: [bob.id],
        next: { accountId: bob.id },
      });
      await box.home.accounts.remove(bob.id, 'end');
      expect(await box.campaigns.status(id)).toMatchObject({ scheduled: 0, cancelled: 4 });
    }),
  );

  test(
    'what does not make sense is refused, and changes nothing',
    onPosts(async (posts) => {
      const { box } = await posts.open(new Carrier(), { ...FAST, clock: '2031-03-03T06:00:00Z*1' });
      const { id } = await prepared(box, 1);
      const accounts = await box.home.accounts.list();
      const accountIds = [accounts.items[0]!.id];
      for (const [input, field] of [
        [{ name: 'x', accountIds: ['acc_zz'] }, 'accountIds.0'],
        [{ name: 'x', accountIds: ['nonsense'] }, 'accountIds.0'],
        [{ name: 'x', accountIds: [] }, 'accountIds'],
        [{ name: 'x', accountIds, sequenceId: 'seq_zz' }, 'sequenceId'],
        [{ name: 'x', accountIds, startAt: 'tomorrow' }, 'startAt'],
        [{ name: 'x', accountIds, startAt: '2031-03-05T00:00:00Z', endAt: '2031-03-04T00:00:00Z' }, 'endAt'],
        [{ name: 'x', accountIds, dailyLimit: 0 }, 'dailyLimit'],
        [{ name: 'x', accountIds, colour: 'red' }, 'colour'],
      ] as const) {
        await expect(box.campaigns.create(input as never), field).rejects.toMatchObject({
          ...{ code: 'invalid_input', field },
        });
      }
      await expect(box.campaigns.enrol(id, ['con_zzz'])).rejects.toMatchObject({ field: 'contactIds.0' });
      await expect(box.campaigns.get('cmp_zz')).rejects.toMatchObject({ code: 'not_found' });
      await box.campaigns.change(id, { endAt: '2031-03-01T00:00:00Z' });
      await expect(box.campaigns.launch(id)).rejects.toMatchObject({ code: 'invalid_config' });
      expect((await box.campaigns.plan(id)).warnings[0]).toMatchObject({ level: 'block', code: 'ended' });
      expect((await box.campaigns.get(id)).state).toBe('draft');
    }),
  );
});
