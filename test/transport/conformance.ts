import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApiLimits } from '#pillarbox/transport/api/client';
import type { HostPolicy } from '#pillarbox/transport/hosts';
import type { Outgoing, SendReport, Transport } from 'pillarbox';
import { barrier } from '../engine/signal.js';
import { outgoing, pass } from '../catcher/fixture.js';
import type { FakeProvider, Trouble } from './fakes/fake-provider.js';
import * as trouble from './fakes/troubles.js';

/** What a transport is made with in these tests. */
export interface Making {
  readonly hosts: HostPolicy;
  readonly limits?: Partial<ApiLimits>;
  /** In place of the fake's own. */
  readonly baseUrl?: string;
}

export interface Peer<Fake extends FakeProvider<unknown>> {
  readonly fake: () => Fake;
  readonly make: (fake: Fake, making: Making) => Transport;
  /** What an answer that did not come leaves behind. */
  readonly lost: 'in_doubt' | 'retryable';
  /** Never to be seen in what people see. */
  readonly secrets: (fake: Fake) => readonly string[];
}

const PRIVATE: HostPolicy = { allowPrivate: true };
/** For answers that are expected never to come. */
const SHORT: Partial<ApiLimits> = { sendMs: 150, askMs: 5_000, connectMs: 5_000 };

/** As if it were tried for the first time. */
export const recent = (over: Partial<Outgoing> = {}): Outgoing => ({
  ...outgoing(),
  date: Date.now(),
  ...over,
});

/** What every transport over HTTP must do, whatever its provider's API looks like. */
export function conformance<Fake extends FakeProvider<unknown>>(peer: Peer<Fake>): void {
  let fake: Fake;
  let transport: Transport;

  beforeEach(async () => {
    fake = await peer.fake().listen();
    transport = peer.make(fake, { hosts: PRIVATE });
  });
  afterEach(async () => {
    await transport.close();
    await fake.close();
  });

  const remake = async (making: Partial<Making>): Promise<void> => {
    await transport.close();
    transport = peer.make(fake, { hosts: PRIVATE, ...making });
  };
  const sendInto = (...troubles: Trouble[]): Promise<SendReport> => {
    fake.troubles.push(...troubles);
    return transport.send(recent(), pass);
  };

  describe('the gate', () => {
    test('is asked once, before anything of the request has left', async () => {
      let asked = 0;
      const report = await transport.send(recent(), () => {
        asked += 1;
        expect(fake.sends).toEqual([]);
        return Promise.resolve(true);
      });
      expect(report).toMatchObject({ status: 'sent', provider: transport.kind });
      expect(asked).toBe(1);
      expect(fake.taken).toHaveLength(1);
    });

    test.each([
      ['refuses', () => Promise.resolve(false)],
      ['fails', () => Promise.reject(new Error('no database'))],
    ])('that %s lets nothing out, and no try is used up', async (_how, gate) => {
      expect(await transport.send(recent(), gate)).toMatchObject({
        status: 'retryable',
        error: { code: 'EGATE', attempted: false },
      });
      // A request that had left would have come before this one.
      expect(await transport.send(recent(), pass)).toMatchObject({ status: 'sent' });
      expect(fake.sends).toHaveLength(1);
    });

    test('is waited for, also when the connection breaks meanwhile; then nothing has left', async () => {
      const { wait, open } = barrier();
      const asked = barrier();
      let answered = false;
      const sending = transport.send(recent(), async () => {
        asked.open();
        await wait;
        answered = true;
        return true;
      });
      void sending.then(() => expect(answered).toBe(true));
      await asked.wait;
      await fake.hangUp();
      open();
      expect(await sending).toMatchObject({ status: 'retryable', error: { class: 'retryable' } });
      expect(answered).toBe(true);
      expect(fake.sends).toEqual([]);
    });
  });

  describe('without an answer', () => {
    test.each([
      ['cut before it was read', trouble.cutUnread],
      ['cut before it was taken', trouble.cutUnaccepted],
      ['cut after it was taken', trouble.cutAccepted],
      ['half a status line', trouble.halfAnswer],
      ['garbage', trouble.garbage],
    ])('%s: nobody can tell', async (_what, met) => {
      const report = await sendInto(met);
      expect(report).toMatchObject({ status: peer.lost, error: { class: peer.lost } });
    });

    test.each([
      ['before', trouble.silentUnaccepted],
      ['after', trouble.silentAccepted],
    ])('in time, %s it was taken: nobody can tell', async (_when, met) => {
      await remake({ limits: SHORT });
      const report = await sendInto(met);
      expect(report).toMatchObject({ status: peer.lost, error: { class: peer.lost, code: 'ETIMEDOUT' } });
    });

    test.each([500, 502, 503, 504])('but %i: nobody can tell', async (status) => {
      const report = await sendInto(trouble.answering({ status, body: '<html>Bad Gateway</html>' }));
      expect(report).toMatchObject({ status: peer.lost, error: { class: peer.lost, code: String(status) } });
      expect(JSON.stringify(report)).not.toContain('html');
    });
  });

  describe('a success that can not be read is one', () => {
    test.each([
      ['no JSON', trouble.malformed],
      ['endless', trouble.oversized],
      ['another shape', trouble.acceptedBut(({ status }) => ({ status, body: [null, { id: 7 }] }))],
      ['nothing', trouble.acceptedBut(() => ({ status: 204, body: '' }))],
    ])('%s', async (_what, met) => {
      const report = await sendInto(met);
      expect(report).toEqual({ status: 'sent', provider: transport.kind });
    });

    test('cut short by time', async () => {
      await remake({ limits: SHORT });
      expect(await sendInto(trouble.trickling)).toEqual({ status: 'sent', provider: transport.kind });
    });
  });

  describe('definite answers', () => {
    test('a limit rests the account for as long as the provider asks', async () => {
      const report = await sendInto(trouble.answering({ status: 429, headers: { 'retry-after': '77' } }));
      expect(report).toMatchObject({
        status: 'retryable',
        error: { class: 'rate_limited', scope: 'account', retryAfterSeconds: 77 },
      });
    });

    test('a mail that is too large ends', async () => {
      expect(await sendInto(trouble.answering({ status: 413 }))).toMatchObject({
        status: 'failed',
        error: { class: 'permanent', code: '413' },
      });
    });

    test('a redirect is not followed, and neither mail nor key go where it points', async () => {
      const elsewhere = await peer.fake().listen();
      try {
        const report = await sendInto(trouble.redirected(`${elsewhere.url}/emails`));
        expect(report).toMatchObject({ status: 'failed', error: { class: 'permanent', code: '307' } });
        expect(elsewhere.connections).toBe(0);
      } finally {
        await elsewhere.close();
      }
    });

    test('no secret is repeated, whatever the provider says', async () => {
      const told: string[] = [];
      for (const secret of peer.secrets(fake)) {
        const detail = `You sent ${secret}, or ${encodeURIComponent(secret)}, or ${secret.slice(3)}`;
        const body = { type: `errors/${secret}`, name: secret, detail, message: detail, title: detail };
        told.push(JSON.stringify(await sendInto(trouble.answering({ status: 422, body }))));
        const error = { code: 400, errors: [{ reason: secret, message: detail }], message: detail };
        told.push(JSON.stringify(await sendInto(trouble.answering({ status: 400, body: { error } }))));
      }
      expect(told.join()).toContain('[hidden]');
      for (const secret of peer.secrets(fake)) {
        expect(told.join()).not.toContain(secret.slice(3));
        expect(told.join()).not.toContain(encodeURIComponent(secret));
      }
    });
  });

  describe('connections', () => {
    test('are kept for the next mail', async () => {
      for (let nth = 0; nth < 3; nth += 1) await transport.send(recent(), pass);
      expect(fake.taken).toHaveLength(3);
      expect(new Set(fake.sends.map(({ connection }) => connection)).size).toBe(1);
    });

    test('that the provider closed are not used again', async () => {
      await transport.send(recent(), pass);
      await fake.hangUp();
      expect(await transport.send(recent(), pass)).toMatchObject({ status: 'sent' });
      expect(fake.taken).toHaveLength(2);
    });

    test('of several mails do not get into each other', async () => {
      const reports = await Promise.all(Array.from({ length: 8 }, () => transport.send(recent(), pass)));
      expect(reports.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'sent'));
      const ids = reports.map((report) => report.status === 'sent' && report.providerMessageId);
      expect(new Set(ids).size).toBe(8);
    });

    test('that nobody listens for are tried again, and nothing was handed over', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      await remake({ baseUrl: `http://127.0.0.1:${port}` });
      const gate = () => Promise.reject(new Error('the gate was asked'));
      const report = await transport.send(recent(), gate);
      expect(report).toMatchObject({
        status: 'retryable',
        error: { class: 'retryable', code: 'ECONNREFUSED' },
      });
      expect(JSON.stringify(report)).not.toContain('127.0.0.1');
    });

    test('to addresses that are not public are not made, whatever the name says', async () => {
      const refusing: HostPolicy = { allowPrivate: false, resolver: () => Promise.resolve(['127.0.0.1']) };
      for (const baseUrl of [
        `https://127.0.0.1:${new URL(fake.url).port}`,
        `https://api.example.org:${new URL(fake.url).port}`,
        fake.url,
      ]) {
        await remake({ baseUrl, hosts: refusing });
        expect(await transport.send(recent(), pass)).toMatchObject({
          status: 'retryable',
          error: { class: 'account', code: 'EHOST_REFUSED' },
        });
      }
      expect(fake.connections).toBe(0);
    });

    test('go to the address that was checked, not to what the name says a moment later', async () => {
      const answers = [['127.0.0.1'], ['192.0.2.1']];
      const rebinding: HostPolicy = {
        allowPrivate: true,
        resolver: () => Promise.resolve(answers.shift() ?? []),
      };
      await remake({ baseUrl: fake.url.replace('127.0.0.1', 'api.example.org'), hosts: rebinding });
      if (transport.kind === 'gmail') answers.unshift(['127.0.0.1']);
      expect(await transport.send(recent(), pass)).toMatchObject({ status: 'sent' });
      expect(answers).toEqual([['192.0.2.1']]);
    });
  });

  test('a mail that must not leave as it stands never does', async () => {
    const message = recent();
    const mail = { ...message.mail, subject: 'a\r\nBcc: eve@example.org' };
    expect(await transport.send({ ...message, mail }, pass)).toMatchObject({
      status: 'failed',
      error: { class: 'permanent', code: 'ECOMPOSE' },
    });
    expect(fake.sends).toEqual([]);
  });
}
