import { afterEach, describe, expect, test } from 'vitest';
import { barrier } from '../engine/signal.js';
import { ScriptedServer } from '../smtp/scripted-server.js';
import { aWish, HOST, POSTS, Venue } from './venue.js';

/** Half a minute a second: long enough to switch a server on between two tries, short enough to wait for. */
const BRISK = '2031-03-03T09:00:00Z*30';
/** Ten minutes a second. */
const FAST = '2031-03-03T09:00:00Z*600';

/** Reached and unable: connections to a server that is not there are paced in real time. */
const BUSY = { fault: { kind: 'refuse', at: 'data', code: 451, text: '4.3.0 busy' } } as const;

const WAITING = ['scheduled', 'queued', 'sending', 'retry_scheduled'] as const;

let venue: Venue;
const ending: (() => Promise<void>)[] = [];

async function open(options: Parameters<typeof Venue.open>[0] = {}): Promise<Venue> {
  venue = await Venue.open(options);
  ending.push(() => venue.close());
  return venue;
}

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

describe.each(POSTS)('a booking server that posts its mail %s', (post) => {
  test('sends an invitation and withdraws it: one event, in two versions', async () => {
    await open({ post });
    await venue.mailServerUp();
    const { status, booking } = await venue.book();
    expect([status, booking]).toMatchObject([
      201,
      { startsAt: '2040-12-03T09:00:00.000Z', cancelledAt: null },
    ]);
    await venue.arrived(1);
    expect((await venue.cancel(booking.id)).status).toBe(200);
    const [invitation, withdrawal, ...more] = await venue.arrived(2);
    expect(more).toEqual([]);
    expect(invitation!.event).toMatchObject({
      METHOD: 'REQUEST',
      UID: booking.id,
      SEQUENCE: '0',
      STATUS: 'CONFIRMED',
      DTSTART: '20401203T090000Z',
      DTEND: '20401203T093000Z',
    });
    expect(withdrawal!.event).toMatchObject({
      METHOD: 'CANCEL',
      UID: booking.id,
      SEQUENCE: '1',
      STATUS: 'CANCELLED',
      DTSTART: '20401203T090000Z',
    });
    expect(invitation!.raw).toContain('Content-Type: text/calendar; charset=utf-8; method=REQUEST\r\n');
    expect(withdrawal!.raw).toContain('Content-Type: text/calendar; charset=utf-8; method=CANCEL\r\n');
  });

  test('shows the host to the mail server and not to the guest', async () => {
    await open({ post });
    await venue.mailServerUp();
    const { booking } = await venue.book();
    await venue.cancel(booking.id);
    for (const { recipients, headers } of await venue.arrived(2)) {
      expect([...recipients].sort()).toEqual(['ada@example.org', HOST.email]);
      const naming = headers.filter(({ value }) => value.includes(HOST.email)).map(({ name }) => name);
      expect(naming).toEqual(['Reply-To']);
      expect(headers.filter(({ name }) => /^bcc$/i.test(name))).toEqual([]);
    }
  });

  test('has nothing left in the queue when the mail server is well', async () => {
    await open({ post });
    await venue.mailServerUp();
    await venue.book();
    const [message] = await venue.settled(1);
    expect(message).toMatchObject({ state: 'sent', to: { email: 'ada@example.org' } });
    expect((await venue.box.messages.list({ state: WAITING })).items).toEqual([]);
  });

  test('delivers what was booked and cancelled while the mail server was down, once it is back', async () => {
    await open({ post, clock: BRISK });
    const booked = await venue.book();
    const cancelled = await venue.cancel(booked.booking.id);
    expect([booked.status, cancelled.status]).toEqual([201, 200]);
    const waiting = await venue.settled(2);
    expect(waiting.map(({ state, lastError }) => [state, lastError?.code])).toEqual([
      ['retry_scheduled', 'ECONNREFUSED'],
      ['retry_scheduled', 'ECONNREFUSED'],
    ]);
    await venue.mailServerUp();
    const mails = await venue.arrived(2);
    expect(mails.map(({ event }) => [event['UID'], event['METHOD'], event['SEQUENCE']])).toEqual([
      [booked.booking.id, 'REQUEST', '0'],
      [booked.booking.id, 'CANCEL', '1'],
    ]);
    const waitingStill = async () => (await venue.box.messages.list({ state: WAITING })).items;
    await expect.poll(waitingStill).toEqual([]);
  });

  test('says once that a booking is cancelled, however often it is', async () => {
    await open({ post });
    await venue.mailServerUp();
    const { booking } = await venue.book();
    const [first, second] = await Promise.all([venue.cancel(booking.id), venue.cancel(booking.id)]);
    expect(second.booking).toEqual(first.booking);
    await venue.arrived(2);
    expect((await venue.cancel(booking.id)).booking).toMatchObject({ sequence: 1 });
    expect((await venue.settled(2)).map(({ subject }) => subject)).toEqual([
      'Booked: First talk',
      'Cancelled: First talk',
    ]);
  });

  test('writes no mail for an hour that somebody else has, nor for a booking that is not there', async () => {
    await open({ post });
    const answers = await Promise.all([
      venue.book(),
      venue.book({ guest: { name: 'Bob', email: 'bob@example.org' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 409]);
    expect((await venue.cancel('nobody')).status).toBe(404);
    expect((await venue.settled(1)).map(({ to }) => to.email)).toEqual(['ada@example.org']);
  });

  test.each([
    ['an address that is none', { guest: { name: 'Ada', email: 'ada' } }],
    ['a line break in a name', { guest: { name: 'Ada\r\nBcc: x@example.org', email: 'ada@example.org' } }],
    ['half of a character in the title', { title: 'Talk \ud83d' }],
    ['an hour in the past', { startsAt: '2020-12-03T09:00:00Z' }],
    ['a day that does not exist', { startsAt: '2040-02-31T09:00:00Z' }],
    ['a field nobody knows', { bcc: 'x@example.org' }],
  ])('refuses %s, and neither books nor writes', async (_, over) => {
    await open({ post });
    expect((await venue.book(over)).status).toBe(400);
    expect(await venue.messages()).toEqual([]);
    // The hour is still free.
    if (!('startsAt' in over)) expect((await venue.book()).status).toBe(201);
  });
});

test('in the transaction of the booking, a mail that Pillarbox refuses undoes the booking', async () => {
  await open({ post: 'transaction' });
  // The strict grammar knows more about international domains than the door of the example does.
  const refused = await venue.book({ guest: { name: 'Ada', email: 'ada@xn--a.example.org' } });
  expect(refused.status).toBe(400);
  expect(await venue.messages()).toEqual([]);
  expect((await venue.book()).status).toBe(201);
});

describe('a mail that is sent inline', () => {
  test('waits 30 s after a try that found no server, with all its five tries before it', async () => {
    await open();
    await venue.book();
    const [message] = await venue.settled(1);
    const inline = (await venue.box.messages.inlineAttempt(message!.id))!;
    expect(inline).toMatchObject({ outcome: 'failed', errorCode: 'ECONNREFUSED' });
    expect(message).toMatchObject({
      state: 'retry_scheduled',
      attempts: 0,
      maxAttempts: 5,
      nextAttemptAt: inline.finishedAt + 30_000,
    });
  });

  test('keeps nobody waiting, also when the server takes the call and then says nothing', async () => {
    const called = barrier();
    const silentServer = await ScriptedServer.start({ greeting: called.open });
    ending.push(() => silentServer.close());
    await open({ smtpUrl: `smtp://127.0.0.1:${silentServer.port}` });
    expect((await venue.book()).status).toBe(201);
    await called.wait;
    expect(await venue.messages()).toMatchObject([{ state: 'sending', subject: 'Booked: First talk' }]);
  });

  test('is given up after five tries of the worker, 30, 60, 120, 240 and 480 s apart, and not before', async () => {
    await open({ clock: FAST });
    await venue.mailServerUp(BUSY);
    await venue.book();
    const [message] = await venue.settled(1, 6);
    expect(message).toMatchObject({ state: 'dead', attempts: 5, deadReason: 'max_attempts' });
    const { id } = message!;
    const tries = [(await venue.box.messages.inlineAttempt(id))!, ...(await venue.box.messages.attempts(id))];
    expect(tries).toHaveLength(6);
    const waits = tries.slice(1).map(({ startedAt }, place) => startedAt! - tries[place]!.finishedAt);
    for (const [place, seconds] of [30, 60, 120, 240, 480].entries()) {
      expect(waits[place]).toBeGreaterThanOrEqual(seconds * 1_000);
    }
  });

  test('that was given up gets a fresh round when a person retries it, and leaves the list when dismissed', async () => {
    await open({ clock: FAST });
    await venue.mailServerUp(BUSY);
    await venue.book();
    await venue.book({ ...aWish(), startsAt: '2040-12-03T10:00:00Z', title: 'Second talk' });
    const [first, second] = await venue.settled(2, 6);
    expect([first!.state, second!.state]).toEqual(['dead', 'dead']);
    await venue.box.messages.dismiss(second!.id);
    await venue.mailServerUp();
    await venue.settledAgain(first!.id, async () => {
      await venue.box.messages.retry(first!.id);
    });
    expect(await venue.box.messages.get(first!.id)).toMatchObject({
      state: 'sent',
      attempts: 1,
      maxAttempts: 5,
      lastError: null,
    });
    expect((await venue.box.messages.list({ state: ['dead', ...WAITING] })).items).toEqual([]);
    expect((await venue.arrived(1)).map(({ event }) => event['SUMMARY'])).toEqual(['First talk']);
  });
});
