import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { SmtpConnection, type ConnectionOptions } from '#pillarbox/transport/smtp/connection';
import type { Failure } from '#pillarbox/transport/smtp/report';
import { brief, ENVELOPE, LONG_MS, MAIL, optionsFor, pass, SHORT_MS, verdict } from './client.js';
import { listenAndSleep } from './mute-host.js';
import { ScriptedServer, thenClose, vanish, type Script } from './scripted-server.js';

const within = (ms: number) => ({ connectMs: ms, greetingMs: ms, ehloMs: ms, tlsMs: ms, authMs: ms });
const limits = within(LONG_MS);
const shortLimits = within(SHORT_MS);
const credentials = { user: 'ada', password: 'correct horse' };

interface Scenario extends Script {
  options?: Partial<ConnectionOptions>;
  expect: string;
  /** All that the server was told, by its first words. */
  told: string;
}

const starttls = { tls: 'starttls' } as const;
const clearAuth = { credentials, authInClear: true };
const ehloWith = (keyword: string): string => `250-scripted\r\n250 ${keyword}\r\n`;

const SCENARIOS: Record<string, Scenario> = {
  'refuses in its greeting': { greeting: '554 no\r\n', expect: 'greeting/554', told: '' },
  'is too busy to greet': { greeting: thenClose('421 busy\r\n'), expect: 'greeting/421', told: '' },
  'never greets': { greeting: '', expect: 'greeting/ETIMEDOUT', told: '' },
  'closes before it greets': { greeting: thenClose(''), expect: 'greeting/ECLOSED', told: '' },
  'greets with garbage': { greeting: 'SSH-2.0-OpenSSH_9.7\r\n', expect: 'greeting/EPROTOCOL', told: '' },
  'greets with a code that is no greeting': { greeting: '250 hi\r\n', expect: 'greeting/250', told: '' },
  'talks on after its greeting': { greeting: '220 a\r\n250 b\r\n', expect: 'greeting/EPROTOCOL', told: '' },
  'refuses EHLO for now': { ehlo: '451 4.3.0 later\r\n', expect: 'ehlo/451', told: 'EHLO' },
  'vanishes at EHLO': { ehlo: vanish, expect: 'ehlo/ECLOSED', told: 'EHLO' },

  'offers no STARTTLS': { options: starttls, expect: 'tls/ETLS_NOT_OFFERED', told: 'EHLO' },
  'offers no STARTTLS and wants a password': {
    options: { ...starttls, credentials },
    ehlo: ehloWith('AUTH PLAIN'),
    expect: 'tls/ETLS_NOT_OFFERED',
    told: 'EHLO',
  },
  'knows no EHLO, and TLS is required': {
    options: starttls,
    ehlo: '502 5.5.1 what\r\n',
    expect: 'ehlo/502',
    told: 'EHLO',
  },
  'knows no EHLO, and wants a password': {
    options: clearAuth,
    ehlo: '502 5.5.1 what\r\n',
    expect: 'ehlo/502',
    told: 'EHLO',
  },
  'has no TLS just now': {
    options: { ...starttls, credentials },
    ehlo: ehloWith('STARTTLS'),
    other: '454 4.7.0 no TLS now\r\n',
    expect: 'tls/454',
    told: 'EHLO STARTTLS',
  },
  'refuses STARTTLS': {
    options: starttls,
    ehlo: ehloWith('STARTTLS'),
    other: '502 5.5.1 no\r\n',
    expect: 'tls/502',
    told: 'EHLO STARTTLS',
  },
  'injects a reply behind its answer to STARTTLS': {
    options: starttls,
    ehlo: ehloWith('STARTTLS'),
    other: '220 go\r\n250 evil\r\n',
    expect: 'tls/ETLS_INJECTION',
    told: 'EHLO STARTTLS',
  },
  'injects a piece of a reply behind its answer to STARTTLS': {
    options: starttls,
    ehlo: ehloWith('STARTTLS'),
    other: '220 go\r\n250 ev',
    expect: 'tls/ETLS_INJECTION',
    told: 'EHLO STARTTLS',
  },
  'injects garbage behind its answer to STARTTLS': {
    options: starttls,
    ehlo: ehloWith('STARTTLS'),
    other: '220 go\r\nevil\r\n',
    expect: 'tls/ETLS_INJECTION',
    told: 'EHLO STARTTLS',
  },
  'closes in place of a handshake': {
    options: starttls,
    ehlo: ehloWith('STARTTLS'),
    other: thenClose('220 go\r\n'),
    expect: 'tls/(ECONNRESET|ECLOSED)',
    told: 'EHLO STARTTLS.*',
  },

  'wants a password in clear': {
    options: { credentials },
    ehlo: ehloWith('AUTH PLAIN'),
    expect: 'auth/EAUTH_IN_CLEAR',
    told: 'EHLO',
  },
  'knows no common way to log in': {
    options: clearAuth,
    ehlo: ehloWith('AUTH GSSAPI CRAM-MD5'),
    expect: 'auth/EAUTH_NO_MECHANISM',
    told: 'EHLO',
  },
  'offers a password log-in to a token': {
    options: { credentials: { user: 'ada', accessToken: 'token' }, authInClear: true },
    ehlo: ehloWith('AUTH PLAIN LOGIN'),
    expect: 'auth/EAUTH_NO_MECHANISM',
    told: 'EHLO',
  },
  'refuses the log-in for now': {
    options: clearAuth,
    ehlo: ehloWith('AUTH PLAIN'),
    other: '454 4.7.0 later\r\n',
    expect: 'auth/454',
    told: 'EHLO AUTH',
  },
  'says 250 to a log-in': {
    options: clearAuth,
    ehlo: ehloWith('AUTH PLAIN'),
    other: '250 ok\r\n',
    expect: 'auth/250',
    told: 'EHLO AUTH',
  },
  'falls silent at the log-in': {
    options: clearAuth,
    ehlo: ehloWith('AUTH PLAIN'),
    other: '',
    expect: 'auth/ETIMEDOUT',
    told: 'EHLO AUTH',
  },
};

/** Nobody listens there any more. */
async function portOfNobody(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function failureOf(port: number, options: Partial<ConnectionOptions> = {}): Promise<Failure> {
  let closed = 0;
  const connection = new SmtpConnection(optionsFor(port, { limits, onClose: () => closed++, ...options }));
  const failure = await connection.open();
  if (!failure) throw new Error('the connection opened');
  expect(closed).toBe(1);
  expect(await connection.send(ENVELOPE, MAIL, pass)).toMatchObject({
    left: 'no',
    phase: 'idle',
    gated: false,
  });
  return failure;
}

describe('the set-up with a server that', () => {
  test.each(Object.entries(SCENARIOS))('%s fails and says where', async (_name, scenario) => {
    const server = await ScriptedServer.start(scenario);
    const silent = scenario.expect.endsWith('ETIMEDOUT');
    const failure = await failureOf(server.port, {
      ...scenario.options,
      ...(silent && { limits: shortLimits }),
    });
    await server.close();

    expect(brief(failure)).toMatch(new RegExp(`^${scenario.expect}$`));
    const told = server.commands.map((command) => command.split(' ')[0]).join(' ');
    expect(told).toMatch(new RegExp(`^${scenario.told}$`));
  });

  test('refuses the connection fails at connect', async () => {
    expect(brief(await failureOf(await portOfNobody()))).toBe('connect/ECONNREFUSED');
  });

  test('has a name that nobody knows fails at connect with the code of the resolver [F18]', async () => {
    const resolver = (): Promise<string[]> =>
      Promise.reject(Object.assign(new Error('queryA'), { code: 'ENOTFOUND' }));
    const hosts = { allowPrivate: false, resolver };
    expect(brief(await failureOf(25, { host: 'nowhere.example', hosts }))).toBe('connect/ENOTFOUND');
  });

  test('has a name whose resolver never answers fails in time [F18]', async () => {
    const hosts = { allowPrivate: false, resolver: () => new Promise<string[]>(() => undefined) };
    expect(brief(await failureOf(25, { host: 'slow.example', hosts, limits: shortLimits }))).toBe(
      'connect/ETIMEDOUT',
    );
  });

  test('has a private address is not connected to unless that is allowed', async () => {
    const server = await ScriptedServer.start();
    const byDefault: ConnectionOptions = optionsFor(server.port);
    delete (byDefault as { hosts?: unknown }).hosts;
    const connections = [
      new SmtpConnection(byDefault),
      new SmtpConnection(optionsFor(server.port, { hosts: { allowPrivate: false } })),
    ];
    for (const connection of connections) {
      expect(await connection.open()).toMatchObject({ phase: 'connect', code: 'EHOST_REFUSED' });
    }
    await server.close();
    expect(server.connections).toBe(0);
  });

  test('has one address when checked is dialled at that one, whatever its name becomes [F51] [T8]', async () => {
    const server = await ScriptedServer.start();
    const answers = [['127.0.0.1'], ['127.0.0.1', '192.0.2.7']];
    const resolver = (): Promise<string[]> => Promise.resolve(answers.shift() ?? []);
    const host = 'rebinding.example';
    const connection = new SmtpConnection(
      optionsFor(server.port, { host, hosts: { allowPrivate: true, resolver } }),
    );
    expect(await connection.open()).toBeUndefined();
    connection.destroy();
    // The name was resolved once for that connection, and is checked anew for the next.
    expect(answers).toHaveLength(1);
    const failure = await failureOf(server.port, { host, hosts: { allowPrivate: false, resolver } });
    await server.close();
    expect(brief(failure)).toBe('connect/EHOST_REFUSED');
    expect(server.connections).toBe(1);
  });

  describe('has several addresses', () => {
    const at = (...addresses: string[]) => ({
      host: 'several.example',
      hosts: { allowPrivate: true, resolver: () => Promise.resolve(addresses) },
    });

    test('is reached at the one that answers, beside one that says nothing', async () => {
      const server = await ScriptedServer.start();
      const mute = await listenAndSleep('127.0.0.2', server.port);
      const connection = new SmtpConnection(optionsFor(server.port, at('127.0.0.2', '127.0.0.1')));
      expect(await connection.open()).toBeUndefined();
      connection.destroy();
      await server.close();
      await mute.end();
      expect(server.connections).toBe(1);
    });

    test('is reached at the one that answers, after those that refuse', async () => {
      const server = await ScriptedServer.start();
      const connection = new SmtpConnection(
        optionsFor(server.port, at('127.0.0.3', '::1', '127.0.0.4', '127.0.0.1')),
      );
      expect(await connection.open()).toBeUndefined();
      connection.destroy();
      await server.close();
    });

    test('and refuses at all of them fails at connect', async () => {
      const port = await portOfNobody();
      expect(brief(await failureOf(port, at('127.0.0.3', '127.0.0.4')))).toBe('connect/ECONNREFUSED');
    });

    test('of which one refuses and the other says nothing fails in time', async () => {
      const port = await portOfNobody();
      const mute = await listenAndSleep('127.0.0.2', port);
      const failure = await failureOf(port, {
        ...at('127.0.0.3', '127.0.0.2'),
        limits: shortLimits,
      });
      await mute.end();
      expect(brief(failure)).toBe('connect/ETIMEDOUT');
    });
  });

  test('repeats the password that it refuses is quoted without it', async () => {
    const server = await ScriptedServer.start({
      ehlo: ehloWith('AUTH PLAIN'),
      other: (peer) => {
        const secret = Buffer.from('\0ada\0correct horse').toString('base64');
        peer.write(
          `535-5.7.8 cannot AUTH PLAIN ${secret}\r\n535 5.7.8 ${secret.slice(4, 16).toLowerCase()}\r\n`,
        );
      },
    });
    const failure = await failureOf(server.port, clearAuth);
    await server.close();
    expect(failure.reply?.lines).toEqual(['5.7.8 cannot AUTH PLAIN [hidden]', '5.7.8 [hidden]']);
  });
});

describe('an old server without EHLO', () => {
  test('is greeted with HELO and gets its mail command by command', async () => {
    const server = await ScriptedServer.start({ ehlo: '500 5.5.1 what\r\n' });
    const connection = new SmtpConnection(optionsFor(server.port, { limits }));
    expect(await connection.open()).toBeUndefined();
    const dispatch = await connection.send(ENVELOPE, MAIL, pass);
    connection.destroy();
    await server.close();

    expect(verdict(dispatch)).toBe('yes/reply/250');
    expect(server.commands.slice(0, 3)).toEqual([
      'EHLO client.example.test',
      'HELO client.example.test',
      'MAIL FROM:<ada@example.org>',
    ]);
  });

  test('is never told a name that could carry a second command', async () => {
    const server = await ScriptedServer.start();
    const failure = await failureOf(server.port, { name: 'x\r\nMAIL FROM:<a@b.c>' });
    await server.close();
    expect(brief(failure)).toBe('ehlo/EHOST_INVALID');
    expect(server.commands).toEqual([]);
  });
});

describe('what a server can make us keep is bounded [F11]', () => {
  const failureAfter = async (
    greeting: NonNullable<Script['greeting']>,
    patience = limits,
  ): Promise<Failure> => {
    const server = await ScriptedServer.start({ greeting });
    const failure = await failureOf(server.port, { limits: patience });
    await server.close();
    return failure;
  };

  test('against a banner of 1 MB without a line end', async () => {
    expect(await failureAfter(`220 ${'x'.repeat(1_000_000)}`)).toMatchObject({
      phase: 'greeting',
      code: 'EPROTOCOL',
      detail: 'the server sent a reply line without end',
    });
  });

  test('against a banner of endless lines', async () => {
    expect(await failureAfter(`220-${'y'.repeat(1000)}\r\n`.repeat(5_000))).toMatchObject({
      phase: 'greeting',
      code: 'EPROTOCOL',
      detail: 'the server sent a reply without end',
    });
  });

  test('against a banner that trickles: its limit is for the whole, not for each byte', async () => {
    const failure = await failureAfter(async (peer) => {
      for (let i = 0; i < 1_000 && !peer.destroyed; i++) {
        peer.write(i === 0 ? '220 ' : 'z');
        await wait(10);
      }
    }, shortLimits);
    expect(failure).toMatchObject({ phase: 'greeting', code: 'ETIMEDOUT' });
  });
});
