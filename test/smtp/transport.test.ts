import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import type { SMTPServerOptions } from 'smtp-server';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Mail } from '#pillarbox/core/mail';
import { readDkimKey, type DkimKey } from '#pillarbox/mime/dkim-key';
import { SmtpTransport, verifySmtp } from '#pillarbox/transport/smtp/transport';
import type { SendReport } from 'pillarbox';
import { outgoing, pass, transportTo, useCatcher } from '../catcher/fixture.js';
import { freshSqlite } from '../databases.js';
import { cert, PASSWORD, useAdaServers } from './ada-server.js';
import { reset, ScriptedServer, thenClose, vanish, type Script } from './scripted-server.js';

const hosts = { allowPrivate: true };
const LOGIN = `ada:${encodeURIComponent(PASSWORD)}@`;

const urlOf = (port: number, login = ''): string => `smtp://${login}127.0.0.1:${port}`;

/** One mail to a server that follows this script. */
async function sendTo(
  script: Script,
  over: Partial<Mail> = {},
  gate = pass,
): Promise<{ report: SendReport; dots: number; commands: string[] }> {
  const server = await ScriptedServer.start(script);
  const transport = transportTo(urlOf(server.port));
  const report = await transport.send(outgoing(over), gate);
  await transport.close();
  await server.close();
  return { report, dots: server.dots, commands: server.commands };
}

describe('what the server says decides [F15]', () => {
  test.each<[string, Script, object, number]>([
    [
      'an unknown recipient fails for good, and his address is to blame',
      { rcpt: '550 5.1.1 no such user\r\n' },
      { status: 'failed', error: { class: 'recipient', scope: 'recipient', code: '550 5.1.1' } },
      0,
    ],
    [
      'a busy server is asked again',
      { mail: '451 4.3.0 busy\r\n' },
      { status: 'retryable', error: { class: 'retryable', code: '451 4.3.0', message: 'busy' } },
      0,
    ],
    [
      'too many connections rest the account',
      { greeting: thenClose('421 4.7.0 too many connections from your address\r\n') },
      { status: 'retryable', error: { class: 'rate_limited', scope: 'account', code: '421 4.7.0' } },
      0,
    ],
    [
      'a refusal after the dot is definite',
      { dot: '554 5.7.1 spam message rejected\r\n' },
      { status: 'failed', error: { class: 'permanent', scope: 'message', code: '554 5.7.1' } },
      1,
    ],
    [
      'a delay after the dot is definite too',
      { dot: '451 4.3.0 try later\r\n' },
      { status: 'retryable', error: { class: 'retryable', code: '451 4.3.0' } },
      1,
    ],
    [
      'a full mailbox counts against the address, softly',
      { rcpt: '452 4.2.2 mailbox full\r\n' },
      { status: 'retryable', error: { class: 'retryable', softBounce: true } },
      0,
    ],
    [
      'a connection cut after the dot leaves a doubt',
      { dot: vanish },
      { status: 'in_doubt', error: { class: 'in_doubt', scope: 'message', code: 'ECLOSED' } },
      1,
    ],
    [
      'a reset after the dot leaves a doubt',
      { dot: reset },
      { status: 'in_doubt', error: { class: 'in_doubt', code: 'ECONNRESET' } },
      1,
    ],
    [
      'half a reply after the dot leaves a doubt',
      { dot: thenClose('250 o') },
      { status: 'in_doubt', error: { class: 'in_doubt' } },
      1,
    ],
    [
      'a connection cut before the dot is tried again',
      { data: vanish },
      { status: 'retryable', error: { class: 'retryable', code: 'ECLOSED' } },
      0,
    ],
    [
      'a connection that nobody answers is tried again',
      { greeting: vanish },
      { status: 'retryable', error: { class: 'retryable' } },
      0,
    ],
  ])('%s', async (_name, script, expected, dots) => {
    const sent = await sendTo(script);
    expect(sent.report).toMatchObject({ provider: 'smtp', ...expected });
    expect(sent.dots).toBe(dots);
  });

  test('greylisting waits at least five minutes, whatever the policy', async () => {
    const { report } = await sendTo({ rcpt: '450 4.2.0 Greylisted, see http://example.org\r\n' });
    expect(report).toMatchObject({ status: 'retryable', error: { class: 'retryable', code: '450 4.2.0' } });
    expect(report.status !== 'sent' && report.error.retryAfterSeconds).toBeGreaterThanOrEqual(300);
  });

  test('a server that nobody listens for is tried again', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const transport = transportTo(urlOf(port));
    expect(await transport.send(outgoing(), pass)).toMatchObject({
      status: 'retryable',
      error: { class: 'retryable', code: 'ECONNREFUSED' },
    });
    await transport.close();
  });

  test.each([
    ['refuses', () => Promise.resolve(false)],
    ['fails', () => Promise.reject(new Error('no database'))],
  ])('when the gate %s nothing is taken and no try is used up', async (_how, gate) => {
    const { report, dots } = await sendTo({}, {}, gate);
    expect(report).toMatchObject({ status: 'retryable', error: { code: 'EGATE', attempted: false } });
    expect(dots).toBe(0);
  });

  test("the server's name for the mail is kept", async () => {
    const { report, dots } = await sendTo({ dot: '250 2.0.0 Ok: queued as 4ZfX1\r\n' });
    expect(report).toEqual({ status: 'sent', provider: 'smtp', providerMessageId: 'Ok: queued as 4ZfX1' });
    expect(dots).toBe(1);
  });
});

describe('several recipients', () => {
  const three: Partial<Mail> = {
    to: { email: 'ada@example.org' },
    cc: [{ email: 'bob@example.org' }],
    bcc: [{ email: 'eve@example.org' }],
  };

  test('one is enough for the mail to be sent; the refused ones are told, each with his own answer [D9] [F61]', async () => {
    const { report, dots } = await sendTo({ refuses: (address) => !address.startsWith('bob') }, three);
    expect(report).toMatchObject({
      status: 'sent',
      refused: [
        { address: 'ada@example.org', error: { class: 'recipient', code: '550 5.1.1' } },
        { address: 'eve@example.org', error: { class: 'recipient', code: '550 5.1.1' } },
      ],
    });
    expect(dots).toBe(1);
  });

  test('if none is accepted, the answer to whom it is addressed decides', async () => {
    const answers = ['450 4.2.0 greylisted\r\n', '550 5.1.1 who?\r\n', '550 5.1.1 who?\r\n'];
    const rcpt: Script['rcpt'] = (peer) => void peer.write(answers.shift()!);
    const { report, dots } = await sendTo({ rcpt, data: '503 5.5.1 no recipients\r\n' }, three);
    expect(report).toMatchObject({ status: 'retryable', error: { code: '450 4.2.0' } });
    expect(dots).toBe(0);
  });

  test('a server that closes before all are answered has not decided about the mail', async () => {
    const answers = ['550 5.1.1 who?\r\n', '421 4.3.2 shutting down\r\n'];
    const { report } = await sendTo(
      {
        rcpt: (peer) => {
          const answer = answers.shift();
          if (answer !== undefined) peer.write(answer);
          if (answers.length === 0) peer.end();
        },
      },
      three,
    );
    expect(report).toMatchObject({ status: 'retryable', error: { code: '421 4.3.2' } });
  });
});

describe('logging in', () => {
  const servers = useAdaServers();
  const startServer = (options: SMTPServerOptions = {}) => servers({ allowInsecureAuth: true, ...options });

  test('the right password sends, in clear on loopback and through TLS', async () => {
    const clear = await startServer();
    const secure = await startServer({ secure: true });
    for (const [url, { taken }] of [
      [urlOf(clear.port, LOGIN), clear],
      [urlOf(clear.port, LOGIN).replace('127.0.0.1', 'localhost') + '?tls=starttls', clear],
      [`smtps://${LOGIN}localhost:${secure.port}`, secure],
    ] as const) {
      const before = taken.length;
      const transport = new SmtpTransport({ url, hosts, ca: cert });
      expect(await verifySmtp({ url, hosts, ca: cert })).toBeUndefined();
      expect(taken.length).toBe(before);
      expect(await transport.send(outgoing(), pass)).toMatchObject({ status: 'sent' });
      expect(taken.length).toBe(before + 1);
      await transport.close();
    }
  });

  test('an authority of our own is trusted when the URL names its file, and told of when it does not', async () => {
    const { port } = await startServer({ secure: true });
    const url = `smtps://${LOGIN}localhost:${port}`;
    const file = fileURLToPath(new URL('../fixtures/tls/cert.pem', import.meta.url));
    expect(await verifySmtp({ url: `${url}?ca=${encodeURIComponent(file)}`, hosts })).toBeUndefined();
    expect(await verifySmtp({ url, hosts })).toMatchObject({
      class: 'account',
      message: expect.stringMatching(
        /self-signed certificate: nobody .* give ca, or NODE_EXTRA_CA_CERTS/,
      ) as string,
    });
    const transportWith = (ca: string) => new SmtpTransport({ url: `${url}?ca=${ca}`, hosts });
    expect(() => transportWith('/nowhere.pem')).toThrow('/nowhere.pem, which cannot be read (ENOENT)');
    expect(() => transportWith(fileURLToPath(import.meta.url))).toThrow(
      'which holds no certificate in PEM form',
    );
  });

  test('trouble of the server in the handshake is tried again, and no two are told apart', async () => {
    // A fatal alert: 80 is internal_error, 48 unknown_ca.
    const alerting = async (alert: number) => {
      const server = createServer((peer) => {
        peer.on('error', () => undefined);
        peer.once('data', () => peer.end(Buffer.from([0x15, 3, 3, 0, 2, 2, alert])));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const verdict = await verifySmtp({ url: `smtps://127.0.0.1:${port}`, hosts });
      await new Promise((resolve) => server.close(resolve));
      return verdict;
    };
    const first = await alerting(80);
    expect(first).toMatchObject({ class: 'retryable', code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR' });
    expect(await alerting(80)).toEqual(first);
    expect(await alerting(48)).toMatchObject({ class: 'account' });
  });

  test('a wrong password is the fault of the account', async () => {
    const { port, taken } = await startServer();
    const url = urlOf(port, 'ada:wrong-guess@');
    const expected = { class: 'account', scope: 'account', code: '535' };
    expect(await verifySmtp({ url, hosts })).toMatchObject(expected);
    const transport = new SmtpTransport({ url, hosts });
    const report = await transport.send(outgoing(), pass);
    await transport.close();
    expect(report).toMatchObject({ status: 'retryable', error: expected });
    expect(JSON.stringify(report)).not.toContain('wrong-guess');
    expect(taken.length).toBe(0);
  });

  test.each([
    ['PLAIN', '250-x\r\n250 AUTH PLAIN\r\n'],
    ['LOGIN', '250-x\r\n250 AUTH LOGIN\r\n'],
  ])('a server that repeats the password of AUTH %s does not get it into a text', async (_how, ehlo) => {
    const heard: string[] = [];
    const encoded = Buffer.from(PASSWORD).toString('base64');
    const server = await ScriptedServer.start({
      ehlo,
      other: (peer) => {
        const last = server.commands.at(-1)!;
        heard.push(last);
        if (/^AUTH LOGIN$/.test(last) || last === Buffer.from('ada').toString('base64')) {
          peer.write('334 VXNlcm5hbWU6\r\n');
        } else {
          peer.write(`535-5.7.8 not accepted: ${last}\r\n535 5.7.8 nor ${PASSWORD} nor ${encoded}\r\n`);
        }
      },
    });
    const url = urlOf(server.port, LOGIN);
    const transport = new SmtpTransport({ url, hosts });
    const texts = JSON.stringify([await verifySmtp({ url, hosts }), await transport.send(outgoing(), pass)]);
    await transport.close();
    await server.close();
    const told = heard.map((line) => line.split(' ').at(-1)!);
    const secrets = told.filter((word) => Buffer.from(word, 'base64').toString().includes(PASSWORD));
    expect(secrets.length).toBeGreaterThan(0);
    expect(texts).toMatch(/not accepted: (AUTH PLAIN )?\[hidden\] nor \[hidden\] nor \[hidden\]/);
    for (const secret of [...secrets, encoded, PASSWORD]) expect(texts).not.toContain(secret);
  });

  test('a certificate that nobody trusts is the fault of the account, and nothing was said in clear', async () => {
    const { port, taken } = await startServer();
    const url = `${urlOf(port, LOGIN)}?tls=starttls`;
    expect(await verifySmtp({ url, hosts })).toMatchObject({
      class: 'account',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const transport = new SmtpTransport({ url, hosts });
    expect(await transport.send(outgoing(), pass)).toMatchObject({
      status: 'retryable',
      error: { class: 'account', scope: 'account' },
    });
    await transport.close();
    expect(taken.length).toBe(0);
  });

  test('a private address is refused where only public ones are allowed', async () => {
    const { port } = await startServer();
    expect(await verifySmtp({ url: urlOf(port), hosts: { allowPrivate: false } })).toMatchObject({
      class: 'account',
      code: 'EHOST_REFUSED',
    });
  });

  test('verifying sends nothing, not even an envelope', async () => {
    const server = await ScriptedServer.start();
    expect(await verifySmtp({ url: urlOf(server.port), hosts })).toBeUndefined();
    await server.close();
    expect(server.commands.map((command) => command.slice(0, 4))).toEqual(['EHLO', 'QUIT']);
  });

  test('a URL that cannot work is refused at once, without repeating it', () => {
    expect(() => new SmtpTransport({ url: 'smtp://ada:geheim@', hosts })).toThrow(/^(?!.*geheim)url: /);
  });
});

describe('the mail that arrives', () => {
  const scene = useCatcher(freshSqlite);

  async function arrived(over: Partial<Mail>, dkim?: DkimKey) {
    const transport = new SmtpTransport({ url: scene().url, hosts, dkim });
    expect(await transport.send(outgoing(over), pass)).toMatchObject({ status: 'sent' });
    await transport.close();
    return scene().inbox.read(scene().told.at(-1)!.id);
  }

  test('Bcc is in the envelope and nowhere in the bytes', async () => {
    const { raw, recipients } = await arrived({
      cc: [{ email: 'bob@example.org' }],
      bcc: [{ email: 'eve@example.org', name: 'Secret Reader' }],
    });
    expect(recipients).toEqual(['ada@example.org', 'bob@example.org', 'eve@example.org']);
    expect(raw.toString()).not.toMatch(/bcc|eve|secret/i);
  });

  test.each([
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['Ed25519', generateKeyPairSync('ed25519').privateKey],
  ])('a signature by %s holds after the journey', async (_kind, privateKey) => {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const dkim = readDkimKey(pem, { domain: 'example.org', selector: 's1' });
    const { raw } = await arrived({ text: 'Hëllo  \n.\n..\n\n\n', html: '<p>Hi</p>' }, dkim);
    const der = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
    const [type = '', bytes] =
      dkim.algorithm === 'rsa-sha256' ? ['rsa', der] : ['ed25519', der.subarray(-32)];
    const record = `v=DKIM1; k=${type}; p=${bytes.toString('base64')}`;
    const { results } = await dkimVerify(raw, { resolver: () => Promise.resolve([[record]]) });
    expect(results.map(({ status }) => status.result)).toEqual(['pass']);
  });

  test('a mail outside ASCII arrives as it was written', async () => {
    const text = 'Zoë 日本語 👩‍👩‍👧‍👦\n.\nFrom here\n';
    const mail = await arrived({ to: { email: 'zoë@example.org', name: 'Zoë' }, subject: 'Größe', text });
    expect(mail).toMatchObject({ recipients: ['zoë@example.org'], subject: 'Größe' });
    expect(mail.text!.replaceAll('\r\n', '\n')).toBe(text);
  });
});

test('a second try sends the same bytes', async () => {
  let dots = 0;
  const server = await ScriptedServer.start({
    dot: (peer) => void peer.write(dots++ === 0 ? '451 4.3.0 later\r\n' : '250 ok\r\n'),
  });
  const dkim = readDkimKey(
    generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
    { domain: 'example.org', selector: 's1' },
  );
  const mail = outgoing({
    html: '<p>Hi</p>',
    attachments: [{ filename: 'a', contentType: 'a/b', contentBase64: 'AA==' }],
  });
  const statuses: string[] = [];
  for (const time of [1, 2]) {
    const transport = new SmtpTransport({ url: urlOf(server.port), hosts, dkim });
    statuses.push(`${time} ${(await transport.send(mail, pass)).status}`);
    await transport.close();
  }
  await server.close();
  expect(statuses).toEqual(['1 retryable', '2 sent']);
  expect(server.mails).toHaveLength(2);
  expect(server.mails[1]).toBe(server.mails[0]);
});

describe('a mail that cannot be made', () => {
  test('fails for good with its field, and no server is bothered', async () => {
    const { report, commands } = await sendTo({}, { subject: 'a\r\nBcc: eve@example.org' });
    expect(report).toMatchObject({ status: 'failed', error: { class: 'permanent', code: 'ECOMPOSE' } });
    expect(report.status !== 'sent' && report.error.message).toMatch(/^subject (?!subject)/);
    expect(commands).toEqual([]);
  });

  test('is reported, not thrown, when its signature cannot be made', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const dkim = {
      ...readDkimKey(pem, { domain: 'example.org', selector: 's' }),
      privateKey: createPublicKey(privateKey),
    };
    const transport = new SmtpTransport({ url: urlOf(1), hosts, dkim });
    expect(await transport.send(outgoing(), pass)).toMatchObject({
      status: 'retryable',
      error: { class: 'retryable', scope: 'message' },
    });
    await transport.close();
  });

  test('is larger than the server takes', async () => {
    const { report, dots } = await sendTo({ ehlo: '250-x\r\n250 SIZE 500\r\n' }, { text: 'x'.repeat(600) });
    expect(report).toMatchObject({ status: 'failed', error: { class: 'permanent', code: 'ESIZE' } });
    expect(dots).toBe(0);
  });
});

describe('many mails', () => {
  let server: ScriptedServer;
  let most: number;

  beforeEach(async () => {
    most = 0;
    server = await ScriptedServer.start({
      mail: (peer) => {
        most = Math.max(most, server.peers.size);
        peer.write('250 ok\r\n');
      },
    });
  });

  test.each([
    [undefined, 5],
    [2, 2],
    [12, 12],
  ])('asked for %s connections it sends %i at once and never more', async (maxConnections, capacity) => {
    const transport = transportTo(urlOf(server.port), maxConnections);
    expect(transport.capacity).toBe(capacity);
    const reports = await Promise.all(Array.from({ length: 40 }, () => transport.send(outgoing(), pass)));
    expect(reports.every(({ status }) => status === 'sent')).toBe(true);
    await transport.close();
    await server.close();
    expect(server.dots).toBe(40);
    expect(most).toBeLessThanOrEqual(capacity);
  });

  test('close waits for what is on its way and takes no more', async () => {
    const transport = transportTo(urlOf(server.port), 2);
    let atGate = 0;
    let open = (): void => undefined;
    const opened = new Promise<boolean>((resolve) => {
      open = () => resolve(true);
    });
    let bothThere = (): void => undefined;
    const arrivedAtGate = new Promise<void>((resolve) => {
      bothThere = resolve;
    });
    const gate = () => {
      if (++atGate === 2) bothThere();
      return opened;
    };
    const underWay = [1, 2, 3].map(() => transport.send(outgoing(), gate));
    await arrivedAtGate;
    let closed = false;
    const closing = transport.close().then(() => {
      closed = true;
    });
    expect(await underWay[2]).toMatchObject({
      status: 'retryable',
      error: { code: 'ESTOPPED', attempted: false },
    });
    expect(closed).toBe(false);
    open();
    expect((await Promise.all(underWay.slice(0, 2))).map(({ status }) => status)).toEqual(['sent', 'sent']);
    await closing;
    expect(await transport.send(outgoing(), pass)).toMatchObject({ error: { code: 'ESTOPPED' } });
    await server.close();
    expect(server.dots).toBe(2);
  });
});
