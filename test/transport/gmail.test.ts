import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GmailTransport, type GmailTransportOptions } from '#pillarbox/transport/gmail/transport';
import { pass } from '../catcher/fixture.js';
import { conformance, recent } from './conformance.js';
import { FakeGmail } from './fakes/fake-gmail.js';
import type { Reply } from './fakes/fake-provider.js';
import { acceptedBut, answering, cutAccepted, cutUnaccepted } from './fakes/troubles.js';

const hosts = { allowPrivate: true };

const transportTo = (fake: FakeGmail, over: Partial<GmailTransportOptions> = {}): GmailTransport =>
  new GmailTransport({ ...fake.account, hosts, maxConnections: 5, searchWaitsMs: [10, 20], ...over });

describe('Gmail, as any provider:', () => {
  conformance<FakeGmail>({
    fake: () => new FakeGmail(),
    make: (fake, making) => transportTo(fake, making),
    lost: 'in_doubt',
    secrets: () => ['ya29.canary-access-1'],
  });
});

describe('Gmail', () => {
  let fake: FakeGmail;
  let gmail: GmailTransport;
  beforeEach(async () => {
    fake = await new FakeGmail().listen();
    gmail = transportTo(fake);
  });
  afterEach(async () => {
    await gmail.close();
    await fake.close();
  });

  const refused = (status: number, reason: string, message: string) =>
    answering({ status, body: { error: { code: status, message, errors: [{ reason, message }] } } });

  test('gets our mail as it was composed, with the thread it belongs to', async () => {
    const message = recent({ threadId: 'thread-7' });
    const report = await gmail.send(message, pass);
    expect(report).toEqual({
      status: 'sent',
      provider: 'gmail',
      providerMessageId: 'g1',
      threadId: 'thread-7',
    });
    const { raw } = fake.taken[0]!;
    expect(raw).toContain(`Message-ID: ${message.messageId}\r\n`);
    expect(raw).toContain(`Date: ${new Date(message.date).toUTCString().replace('GMT', '+0000')}\r\n`);
    expect(await PostalMime.parse(raw)).toMatchObject({
      subject: 'Hello',
      to: [{ address: 'ada@example.org' }],
    });
  });

  test.each([
    ['deleted', 'thread-7'],
    ['never there', 'no id'],
  ])('a thread that is %s costs no try: the next one leaves without it', async (_what, threadId) => {
    fake.deletedThreads.add('thread-7');
    const message = recent({ threadId });
    const gates: boolean[] = [];
    const gate = () => Promise.resolve(gates.push(true) > 0);
    expect(await gmail.send(message, gate)).toMatchObject({
      status: 'retryable',
      error: { code: 'thread_gone', attempted: false, retryAfterSeconds: 0 },
    });
    expect([fake.taken, gates.length]).toEqual([[], 1]);
    // Through a gate of its own, and for good: whatever else continues it leaves at once.
    expect(await gmail.send(message, gate)).toMatchObject({ status: 'sent', threadId: 'tg1' });
    expect(await gmail.send(recent({ threadId }), gate)).toMatchObject({ status: 'sent', threadId: 'tg2' });
    expect(gates).toHaveLength(3);
    expect(await gmail.send(recent({ threadId: 'thread-8' }), gate)).toMatchObject({ threadId: 'thread-8' });
  });

  test('an address that is not there is not a thread that is gone', async () => {
    fake.troubles.push(refused(404, 'notFound', 'Requested entity was not found.'));
    expect(await gmail.send(recent(), pass)).toMatchObject({ error: { code: '404 notFound' } });
    fake.troubles.push(refused(400, 'invalidArgument', 'Invalid To header'));
    expect(await gmail.send(recent({ threadId: 'thread-7' }), pass)).toMatchObject({
      status: 'failed',
      error: { class: 'permanent', scope: 'recipient' },
    });
  });

  test('gets Bcc in the headers, because it has no other way to know of them', async () => {
    const message = recent();
    const bcc = [{ email: 'eve@example.org', name: 'Ève' }, { email: 'kim@example.org' }];
    await gmail.send({ ...message, mail: { ...message.mail, bcc } }, pass);
    expect(await PostalMime.parse(fake.taken[0]!.raw)).toMatchObject({
      bcc: [{ address: 'eve@example.org', name: 'Ève' }, { address: 'kim@example.org' }],
    });
  });

  test.each<[string, number, string, string, object]>([
    [
      'an invalid recipient ends the mail',
      400,
      'invalidArgument',
      'Invalid To header',
      { class: 'permanent', scope: 'recipient' },
    ],
    [
      'a mailbox without mail pauses the account',
      400,
      'failedPrecondition',
      'Mail service not enabled',
      { class: 'account' },
    ],
    [
      'the rate of the user rests it',
      403,
      'userRateLimitExceeded',
      'User Rate Limit Exceeded',
      { class: 'rate_limited' },
    ],
    [
      'the rate of the project rests it',
      403,
      'rateLimitExceeded',
      'Rate Limit Exceeded',
      { class: 'rate_limited' },
    ],
    [
      'the limit of a day rests it for an hour at least',
      403,
      'dailyLimitExceeded',
      'Daily Limit Exceeded',
      { class: 'rate_limited', retryAfterSeconds: 3_600 },
    ],
    [
      'a policy of the domain pauses it',
      403,
      'domainPolicy',
      'The domain policy has disabled Gmail.',
      { class: 'account' },
    ],
  ])('%s', async (_what, status, reason, message, error) => {
    fake.troubles.push(refused(status, reason, message));
    expect(await gmail.send(recent(), pass)).toMatchObject({
      error: { ...error, code: `${status} ${reason}`, message },
    });
    expect(fake.taken).toEqual([]);
  });

  test('says in its text when to come back', async () => {
    const until = new Date(Date.now() + 900_000).toISOString();
    fake.troubles.push(refused(429, 'rateLimitExceeded', `User-rate limit exceeded.  Retry after ${until}`));
    const report = await gmail.send(recent(), pass);
    expect(report).toMatchObject({ error: { class: 'rate_limited' } });
    expect(report.status !== 'sent' && report.error.retryAfterSeconds).toBeGreaterThan(890);
  });

  test('does nothing that is not mail', async () => {
    const report = await gmail.send(recent({ action: 'inmail' }), pass);
    expect(report).toMatchObject({ status: 'failed', error: { code: 'ECOMPOSE' } });
    expect(fake.connections).toBe(0);
  });

  describe('access tokens', () => {
    test('are asked for once, by however many mails, and kept [F54]', async () => {
      await Promise.all(Array.from({ length: 8 }, () => gmail.send(recent(), pass)));
      await gmail.send(recent(), pass);
      expect(fake.taken).toHaveLength(9);
      expect(fake.refreshes).toBe(1);
    });

    test('are renewed before they run out', async () => {
      // Half of it is used: 20 ms.
      fake.expiresInSeconds = 0.04;
      await gmail.send(recent(), pass);
      await new Promise((resolve) => setTimeout(resolve, 30));
      await gmail.send(recent(), pass);
      expect(fake.refreshes).toBe(2);
      expect(fake.taken).toHaveLength(2);
    });

    test('that were good and are refused cost no try: the next one has a new token', async () => {
      await gmail.send(recent(), pass);
      fake.revokeTokens();
      const message = recent();
      expect(await gmail.send(message, pass)).toMatchObject({
        status: 'retryable',
        error: { code: 'token_expired', attempted: false },
      });
      expect(fake.taken).toHaveLength(1);
      expect(await gmail.send(message, pass)).toMatchObject({ status: 'sent' });
      expect(fake.refreshes).toBe(2);
    });

    test('that are refused when new pause the account', async () => {
      fake.troubles.push(refused(401, 'authError', 'Invalid Credentials'));
      expect(await gmail.send(recent(), pass)).toMatchObject({
        error: { class: 'account', code: '401 authError', message: 'Invalid Credentials' },
      });
    });

    test('that nobody gives any more pause the account, before the gate, and without the secrets', async () => {
      fake.refreshToken = 'another';
      const gate = () => Promise.reject(new Error('the gate was asked'));
      const report = await gmail.send(recent(), gate);
      expect(report).toMatchObject({ error: { class: 'account', code: '400 invalid_grant' } });
      expect(JSON.stringify(report)).not.toMatch(/canary/);
      expect(fake.sends).toEqual([]);
    });

    test.each<[string, Reply, object]>([
      ['out of order', { status: 503 }, { class: 'retryable', code: '503' }],
      [
        'too busy',
        { status: 429, headers: { 'retry-after': '9' } },
        { class: 'rate_limited', retryAfterSeconds: 9 },
      ],
      ['not what it says it is', { status: 200, body: '<html>' }, { class: 'retryable', code: 'EPROTOCOL' }],
      ['somewhere else', { status: 302, headers: { location: 'http://127.0.0.1:1' } }, { class: 'account' }],
      ['not there', { status: 404 }, { class: 'account', code: '404' }],
      ['smuggling', { status: 200, body: { access_token: 'a\r\nX-Evil: 1' } }, { class: 'retryable' }],
    ])('from an endpoint that is %s: the mail is not to blame', async (_what, reply, error) => {
      fake.tokenTrouble = reply;
      expect(await gmail.send(recent(), pass)).toMatchObject({ status: 'retryable', error });
      expect(fake.sends).toEqual([]);
    });
  });

  describe('a mail in doubt', () => {
    test('is sent if Gmail has it, however the answer was lost [F52]', async () => {
      for (const met of [cutAccepted, acceptedBut(() => ({ status: 500 }))]) {
        const message = recent();
        fake.troubles.push(met);
        expect(await gmail.send(message, pass)).toMatchObject({ status: 'in_doubt' });
        expect(await gmail.lookup(message)).toBe('sent');
      }
    });

    test('is not, if after a while Gmail has nothing for this person', async () => {
      const message = recent();
      fake.troubles.push(cutUnaccepted);
      await gmail.send(message, pass);
      expect(await gmail.lookup(message)).toBe('unsent');
      const queries = fake.seen.map(({ query }) => query.get('q')).filter((query) => query !== null);
      expect(queries.slice(0, 3)).toEqual(
        Array.from({ length: 3 }, () => `rfc822msgid:${message.messageId.slice(1, -1)} in:sent`),
      );
      const [, since] = /^in:sent to:ada@example\.org after:(\d+)$/.exec(queries[3]!)!;
      expect(Number(since)).toBeLessThanOrEqual(message.date / 1_000 - 600);
    });

    test('that turns up a little later is found', async () => {
      const message = recent();
      await gmail.close();
      gmail = transportTo(fake, { searchWaitsMs: [10, 10, 10] });
      const asked = gmail.lookup(message);
      await fake.until('a second search', () => fake.seen.filter(({ query }) => query.has('q')).length >= 2);
      await gmail.send(message, pass);
      expect(await asked).toBe('sent');
    });

    test('can not be told from another where Gmail writes its own Message-IDs', async () => {
      fake.rewritesMessageIds = true;
      const message = recent();
      fake.troubles.push(cutAccepted);
      await gmail.send(message, pass);
      expect(await gmail.lookup(message)).toBe('unknown');
    });

    test('stays one if the grant may not search, or the search fails', async () => {
      fake.scope = 'https://www.googleapis.com/auth/gmail.send';
      expect(await gmail.lookup(recent())).toBe('unknown');
      fake.tokenTrouble = { status: 503 };
      await gmail.close();
      gmail = transportTo(fake);
      expect(await gmail.lookup(recent())).toBe('unknown');
    });

    test('stays one if there is no time left to ask', async () => {
      await gmail.close();
      gmail = transportTo(fake, { searchWaitsMs: [60_000] });
      const asked = gmail.lookup(recent());
      await fake.until('a search', () => fake.seen.some(({ query }) => query.has('q')));
      // Behind the answer to the search: from here on it only waits.
      await (await fetch(fake.url)).text();
      await gmail.close();
      await expect(asked).resolves.toBe('unknown');
    });
  });

  describe('verifying', () => {
    test('asks who it is, and sends nothing', async () => {
      expect(await gmail.verify()).toBeUndefined();
      expect(fake.seen.map(({ path }) => path)).toEqual(['/token', '/gmail/v1/users/me/profile']);
    });

    test('is content with a grant that may only send', async () => {
      fake.scope = 'https://www.googleapis.com/auth/gmail.send';
      expect(await gmail.verify()).toBeUndefined();
      fake.scope = 'openid';
      await gmail.close();
      gmail = transportTo(fake);
      expect(await gmail.verify()).toMatchObject({ class: 'account', code: '403 insufficientPermissions' });
    });

    test('tells what is wrong', async () => {
      fake.tokenTrouble = { status: 400, body: { error: 'invalid_grant' } };
      expect(await gmail.verify()).toMatchObject({ class: 'account', code: '400 invalid_grant' });
    });
  });
});
