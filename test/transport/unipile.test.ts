import { UnipileClient } from 'unipile-node-sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UnipileTransport } from '#pillarbox/transport/unipile/transport';
import type { Outgoing } from 'pillarbox';
import { pass } from '../catcher/fixture.js';
import { conformance, recent } from './conformance.js';
import { FakeUnipile, problem } from './fakes/fake-unipile.js';
import { answering } from './fakes/troubles.js';

const ICS = 'BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\nEND:VCALENDAR\r\n';
const hosts = { allowPrivate: true };

describe('Unipile, as any provider:', () => {
  conformance<FakeUnipile>({
    fake: () => new FakeUnipile(),
    make: (fake, making) => new UnipileTransport({ ...fake.account, maxConnections: 5, ...making }),
    lost: 'in_doubt',
    secrets: ({ apiKey }) => [apiKey],
  });
});

describe('Unipile', () => {
  let fake: FakeUnipile;
  let unipile: UnipileTransport;
  beforeEach(async () => {
    fake = await new FakeUnipile().listen();
    unipile = new UnipileTransport({ ...fake.account, hosts, maxConnections: 5 });
  });
  afterEach(async () => {
    await unipile.close();
    await fake.close();
  });

  const toPerson = (action: Outgoing['action'], text = 'Hello.'): Outgoing => {
    const message = recent({ action });
    return { ...message, mail: { ...message.mail, linkedinId: 'ACoAA_7', text } };
  };

  test('gets a mail as a form', async () => {
    const message = recent({ dedupeKey: 'booking-4711' });
    const report = await unipile.send(
      {
        ...message,
        mail: {
          ...message.mail,
          to: { email: 'ada@example.org', name: 'Zoë "A"' },
          cc: [{ email: 'cc@example.org' }],
          bcc: [{ email: 'bcc@example.org' }],
          replyTo: { email: 'desk@example.org' },
          text: 'a < b\nc & d',
          headers: { 'X-Campaign': '7', 'List-Id': 'none' },
          ics: { content: ICS, method: 'CANCEL' },
          attachments: [{ filename: 'a.txt', contentType: 'text/plain', contentBase64: 'aGk=' }],
        },
      },
      pass,
    );
    expect(report).toEqual({ status: 'sent', provider: 'unipile', providerMessageId: 'track-1' });
    const { path, fields, files } = fake.taken[0]!;
    expect(path).toBe('/api/v1/emails');
    const read = (name: string): unknown => JSON.parse(fields[name]!);
    expect(fields).toMatchObject({ account_id: 'acc-1', subject: 'Hello', body: 'a &lt; b<br>\nc &amp; d' });
    expect(read('from')).toEqual({ identifier: 'box@example.org' });
    expect(read('to')).toEqual([{ display_name: 'Zoë "A"', identifier: 'ada@example.org' }]);
    expect(read('cc')).toEqual([{ identifier: 'cc@example.org' }]);
    expect(read('bcc')).toEqual([{ identifier: 'bcc@example.org' }]);
    expect(read('custom_headers')).toEqual([
      { name: 'X-Campaign', value: '7' },
      { name: 'Reply-To', value: 'desk@example.org' },
      { name: 'X-Message-ID', value: message.messageId },
    ]);
    expect(files).toEqual([
      { field: 'attachments', name: 'invite.ics', type: 'text/calendar; method=CANCEL', text: ICS },
      { field: 'attachments', name: 'a.txt', type: 'text/plain', text: 'hi' },
    ]);
    expect(fake.sends[0]!.headers).toMatchObject({
      'x-api-key': fake.apiKey,
      'idempotency-key': 'booking-4711',
    });
  });

  test('gets html as it is', async () => {
    const message = recent();
    await unipile.send({ ...message, mail: { ...message.mail, html: '<b>Hello.</b>' } }, pass);
    expect(fake.taken[0]!.fields['body']).toBe('<b>Hello.</b>');
  });

  test('starts a conversation', async () => {
    expect(await unipile.send(toPerson('message'), pass)).toEqual({
      status: 'sent',
      provider: 'unipile',
      providerMessageId: 'm-1',
      threadId: 'chat-1',
    });
    expect(fake.taken).toEqual([
      {
        path: '/api/v1/chats',
        fields: { account_id: 'acc-1', text: 'Hello.', attendees_ids: 'ACoAA_7' },
        files: [],
      },
    ]);
  });

  test('sends an InMail with its subject', async () => {
    expect(await unipile.send(toPerson('inmail'), pass)).toMatchObject({
      status: 'sent',
      threadId: 'chat-1',
    });
    expect(fake.taken[0]).toMatchObject({
      path: '/api/v1/chats',
      fields: { subject: 'Hello', 'linkedin[inmail]': 'true', attendees_ids: 'ACoAA_7' },
    });
  });

  test('invites, with or without words', async () => {
    expect(await unipile.send(toPerson('connection_request'), pass)).toEqual({
      status: 'sent',
      provider: 'unipile',
      providerMessageId: 'inv-1',
    });
    await unipile.send(toPerson('connection_request', ''), pass);
    expect(fake.taken).toEqual([
      {
        path: '/api/v1/users/invite',
        fields: { account_id: 'acc-1', provider_id: 'ACoAA_7', message: 'Hello.' },
        files: [],
      },
      { path: '/api/v1/users/invite', fields: { account_id: 'acc-1', provider_id: 'ACoAA_7' }, files: [] },
    ]);
  });

  test.each([
    ['a person that nobody knows', recent({ action: 'message' }), 'linkedinId'],
    ['no words', toPerson('message', ''), 'text'],
    ['an invitation that is too long', toPerson('connection_request', 'x'.repeat(301)), 'text'],
  ])('%s: refused before anything leaves', async (_what, message, field) => {
    expect(await unipile.send(message, pass)).toMatchObject({
      status: 'failed',
      error: { class: 'permanent', code: 'ECOMPOSE', message: expect.stringContaining(field) },
    });
    expect(fake.connections).toBe(0);
  });

  test.each<[number, string, object]>([
    [401, 'disconnected_account', { class: 'account' }],
    [403, 'feature_not_subscribed', { class: 'account' }],
    [422, 'insufficient_credits', { class: 'account' }],
    [422, 'cannot_resend_yet', { class: 'rate_limited', retryAfterSeconds: 3_600 }],
    [429, 'too_many_requests', { class: 'rate_limited' }],
    [422, 'no_connection_with_recipient', { class: 'permanent', scope: 'recipient' }],
    [422, 'provider_unreachable', { class: 'retryable' }],
    [400, 'invalid_parameters', { class: 'permanent', scope: 'message' }],
    [500, 'unexpected_error', { class: 'in_doubt' }],
    [504, 'request_timeout', { class: 'in_doubt' }],
  ])('%i %s is read by its type [F53]', async (status, type, error) => {
    fake.troubles.push(answering(problem(status, type, 'In plain words.')));
    expect(await unipile.send(toPerson('message'), pass)).toMatchObject({
      error: { ...error, code: `${status} errors/${type}` },
    });
    expect(fake.taken).toEqual([]);
  });

  test('hears the same from us as from its vendor’s own client, which takes its answers', async () => {
    const client = new UnipileClient(fake.url, fake.apiKey, {
      ...{ validateRequestPayload: true, validateRequestPayloadLevel: 'error' },
    });
    const { accountId: account_id } = fake;
    const person = { account_id, attendees_ids: ['ACoAA_7'], text: 'Hello.' };
    await client.messaging.startNewChat(person);
    const asInmail = { linkedin: { api: 'classic', inmail: true } } as const;
    await client.messaging.startNewChat({ ...person, subject: 'Hello', options: asInmail });
    await client.users.sendInvitation({ account_id, provider_id: 'ACoAA_7', message: 'Hello.' });
    const mail = recent();
    await client.email.send({
      ...{ account_id, subject: mail.mail.subject, body: '<p>Hi</p>' },
      from: { identifier: mail.mail.from.email, display_name: 'Box' },
      to: [{ identifier: mail.mail.to.email, display_name: 'Ada' }],
      custom_headers: [{ name: 'X-Message-ID', value: mail.messageId }],
      attachments: [['a.txt', Buffer.from('hi')]],
    });
    const theirs = fake.taken.splice(0);
    for (const action of ['message', 'inmail', 'connection_request'] as const)
      expect(await unipile.send(toPerson(action), pass)).toMatchObject({ status: 'sent' });
    const attachment = { filename: 'a.txt', contentType: 'application/octet-stream', contentBase64: 'aGk=' };
    const named = {
      ...{ from: { ...mail.mail.from, name: 'Box' }, to: { ...mail.mail.to, name: 'Ada' } },
      ...{ html: '<p>Hi</p>', attachments: [attachment] },
    };
    await unipile.send({ ...mail, mail: { ...mail.mail, ...named } }, pass);
    // Which of LinkedIn's products is meant follows from the account where nobody says so.
    const { 'linkedin[api]': product, ...inmail } = theirs[1]!.fields;
    expect(product).toBe('classic');
    const readAll = ({ path, fields, files }: (typeof theirs)[number]) => ({
      ...{ path, files },
      fields: Object.fromEntries(
        Object.entries(fields).map(([name, text]) => [name, /^[[{]/.test(text) ? JSON.parse(text) : text]),
      ),
    });
    expect(fake.taken.map(readAll)).toEqual(
      [theirs[0]!, { ...theirs[1]!, fields: inmail }, ...theirs.slice(2)].map(readAll),
    );
  });

  test('can not be asked what it has sent', () => {
    expect(unipile).not.toHaveProperty('lookup');
  });

  test('is verified without sending', async () => {
    expect(await unipile.verify()).toBeUndefined();
    fake.state = 'CREDENTIALS';
    expect(await unipile.verify()).toMatchObject({
      class: 'account',
      code: 'disconnected_account',
      message: expect.stringContaining('CREDENTIALS'),
    });
    expect(fake.sends).toEqual([]);
    for (const [over, code] of [
      [{ apiKey: 'wrong-canary' }, '401 errors/missing_credentials'],
      [{ accountId: 'other' }, '404 errors/resource_not_found'],
    ] as const) {
      const wrong = new UnipileTransport({ ...fake.account, ...over, hosts, maxConnections: 1 });
      const error = await wrong.verify();
      expect(error).toMatchObject({ class: 'account', code });
      expect(JSON.stringify(error)).not.toContain('canary');
      await wrong.close();
    }
  });
});
