import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mail } from '#pillarbox/core/mail';
import { HttpTransport } from '#pillarbox/transport/http/transport';
import { pass } from '../catcher/fixture.js';
import { conformance, recent } from './conformance.js';
import { FakeResend } from './fakes/fake-resend.js';
import { acceptedBut, answering, cutAccepted } from './fakes/troubles.js';

const hosts = { allowPrivate: true };

describe('a provider with keys, as any provider:', () => {
  conformance<FakeResend>({
    fake: () => new FakeResend(),
    make: (fake, making) => new HttpTransport({ ...fake.account, maxConnections: 5, ...making }),
    lost: 'retryable',
    secrets: ({ apiKey }) => [apiKey],
  });
});

describe('a provider with keys', () => {
  let fake: FakeResend;
  let http: HttpTransport;
  beforeEach(async () => {
    fake = await new FakeResend().listen();
    http = new HttpTransport({ ...fake.account, hosts, maxConnections: 5 });
  });
  afterEach(async () => {
    await http.close();
    await fake.close();
  });

  const mailed = async (over: Partial<Mail>) => {
    const message = recent({ dedupeKey: 'booking-4711' });
    await http.send({ ...message, mail: { ...message.mail, ...over } }, pass);
    return { message, ...fake.taken[0]! };
  };

  test('gets the whole mail, under its key', async () => {
    const { message, key, payload } = await mailed({
      from: { email: 'box@example.org', name: 'Box, the "first"' },
      to: { email: 'ada@bücher.example', name: 'Zoë Müller' },
      cc: [{ email: 'cc@example.org' }],
      bcc: [{ email: 'bcc@example.org' }],
      replyTo: { email: 'desk@example.org', name: 'Desk' },
      html: '<p>Hello.</p>',
      headers: { 'X-Campaign': '7' },
      inReplyTo: '<a@b.example>',
      unsubscribeUrl: 'https://example.org/u/1',
      ics: { content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n', method: 'request' },
      attachments: [
        { filename: 'a.txt', contentType: 'text/plain', contentBase64: 'aGk=' },
        { filename: 'b.png', contentType: 'image/png', contentBase64: 'aGk=', contentId: 'b1' },
      ],
    });
    expect(key).toBe('booking-4711');
    expect(payload).toEqual({
      from: '"Box, the \\"first\\"" <box@example.org>',
      to: ['Zoë Müller <ada@xn--bcher-kva.example>'],
      cc: ['cc@example.org'],
      bcc: ['bcc@example.org'],
      reply_to: 'Desk <desk@example.org>',
      subject: 'Hello',
      html: '<p>Hello.</p>',
      text: 'Hello.',
      headers: {
        'Message-ID': message.messageId,
        Date: new Date(message.date).toUTCString().replace('GMT', '+0000'),
        'In-Reply-To': '<a@b.example>',
        References: '<a@b.example>',
        'List-Unsubscribe': '<https://example.org/u/1>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'X-Campaign': '7',
      },
      attachments: [
        {
          filename: 'invite.ics',
          content: Buffer.from('BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n').toString('base64'),
          content_type: 'text/calendar; method=REQUEST',
        },
        { filename: 'a.txt', content: 'aGk=', content_type: 'text/plain' },
        { filename: 'b.png', content: 'aGk=', content_type: 'image/png', content_id: 'b1' },
      ],
    });
  });

  test('gets a mail of one part as one', async () => {
    const { payload } = await mailed({});
    expect(Object.keys(payload)).toEqual(['from', 'to', 'subject', 'text', 'headers']);
  });

  test.each([
    ['a text in another script', 'réservation №7'],
    ['a blank at its end', 'key '],
    ['a long one', 'k'.repeat(256)],
  ])('gets a key that a header can hold for %s, and the same again', async (_what, dedupeKey) => {
    const message = recent({ dedupeKey });
    await http.send(message, pass);
    await http.send(message, pass);
    expect(fake.taken.map(({ key }) => key)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  test('takes a mail once, however often the answer is lost', async () => {
    const message = recent();
    for (const met of [cutAccepted, acceptedBut(() => ({ status: 500 }))]) {
      fake.troubles.push(met);
      expect(await http.send(message, pass)).toMatchObject({
        status: 'retryable',
        error: { class: 'retryable', keyLifeSeconds: expect.any(Number) },
      });
    }
    expect(await http.send(message, pass)).toEqual({
      status: 'sent',
      provider: 'http',
      providerMessageId: 'email-1',
    });
    expect(fake.taken).toHaveLength(1);
  });

  test('can be asked by sending again, as long as it knows the key', async () => {
    const { keyLifeSeconds } = (await http.lookup()) as { keyLifeSeconds: number };
    expect(keyLifeSeconds).toBeLessThan(24 * 3_600);
    fake.troubles.push(cutAccepted);
    expect(await http.send(recent(), pass)).toMatchObject({ error: { keyLifeSeconds } });
  });

  test('that still works on the first request is asked again', async () => {
    const body = { statusCode: 409, name: 'concurrent_idempotent_requests', message: 'in progress' };
    fake.troubles.push(answering({ status: 409, body }));
    expect(await http.send(recent(), pass)).toMatchObject({
      error: { class: 'retryable', keyLifeSeconds: expect.any(Number) },
    });
  });

  test('that knows the key for another mail ends this one', async () => {
    const message = recent();
    await http.send(message, pass);
    const other = { ...message, mail: { ...message.mail, subject: 'Another' } };
    expect(await http.send(other, pass)).toMatchObject({
      status: 'failed',
      error: { class: 'permanent', code: '409 invalid_idempotent_request' },
    });
  });

  test('an answer that is definite leaves nothing open', async () => {
    fake.troubles.push(answering({ status: 503, headers: { 'retry-after': '120' } }));
    const report = await http.send(recent(), pass);
    expect(report).toMatchObject({ error: { class: 'rate_limited', retryAfterSeconds: 120 } });
    expect(report).not.toHaveProperty('error.keyLifeSeconds');
  });

  test('a wrong key pauses the account', async () => {
    await http.close();
    http = new HttpTransport({ ...fake.account, apiKey: 'wrong-canary-key', hosts, maxConnections: 5 });
    const report = await http.send(recent(), pass);
    expect(report).toMatchObject({ error: { class: 'account', code: '403 invalid_api_key' } });
    expect(JSON.stringify(report)).not.toContain('canary');
  });

  test('is found below a path', async () => {
    await http.close();
    http = new HttpTransport({ ...fake.account, baseUrl: `${fake.url}/mail/v1/`, hosts, maxConnections: 5 });
    await http.send(recent(), pass);
    expect(fake.seen.map(({ path }) => path)).toEqual(['/mail/v1/emails']);
  });

  test('is verified without sending, also with a key that may only send', async () => {
    expect(await http.verify()).toBeUndefined();
    fake.mayOnlySend = true;
    expect(await http.verify()).toBeUndefined();
    expect(fake.sends).toEqual([]);
    const wrong = new HttpTransport({ ...fake.account, apiKey: 'wrong', hosts, maxConnections: 1 });
    expect(await wrong.verify()).toMatchObject({ class: 'account', code: '403 invalid_api_key' });
    await wrong.close();
  });
});
