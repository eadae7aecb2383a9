import { describe, expect, test, vi } from 'vitest';

import { SmtpPool, type PoolOptions } from '#pillarbox/transport/smtp/pool';
import type { Transmission } from '#pillarbox/transport/smtp/report';
import { PATIENCE_MS } from '../patience.js';
import { deadlines, LONG_MS, MAIL, optionsFor, pass, verdict } from './client.js';
import { ScriptedServer, thenClose, vanish, type Answer, type Script } from './scripted-server.js';

function poolFor(
  server: ScriptedServer,
  options: Omit<PoolOptions, 'connection'> = {},
  limits = {},
): SmtpPool {
  const connection = optionsFor(server.port, {
    limits: { envelopeMs: LONG_MS, replyMs: LONG_MS, ...limits },
  });
  return new SmtpPool({ connection, deadlines, ...options });
}

const to = (name: string) => ({ from: 'ada@example.org', to: [`${name}@example.org`] });
const sendAll = (pool: SmtpPool, names: string[]): Promise<Transmission[]> =>
  Promise.all(names.map((name) => pool.send(to(name), MAIL, pass)));
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `r${i}`);
const recipientsSeen = (server: ScriptedServer): string[] =>
  server.commands.flatMap((command) => /^RCPT TO:<(\w+)@/.exec(command)?.[1] ?? []);
const count = (server: ScriptedServer, verb: string): number =>
  server.commands.filter((command) => command.startsWith(verb)).length;
/** A different answer each time; the last one for good. */
const inTurn = (...answers: Answer[]): Answer => {
  let turn = 0;
  return async (peer) => {
    const answer = answers[Math.min(turn++, answers.length - 1)] ?? '';
    if (typeof answer === 'string') peer.write(answer);
    else await answer(peer);
  };
};
const OK = '250 2.1.0 ok\r\n';

async function withServer(script: Script, test: (server: ScriptedServer) => Promise<void>): Promise<void> {
  const server = await ScriptedServer.start(script);
  await test(server);
  await server.close();
}

/** A gate that many mails wait at until it is opened. */
function turnstile(): {
  gate: () => Promise<boolean>;
  open: () => void;
  reached: (mails: number) => Promise<void>;
} {
  let waiting: (() => void)[] = [];
  let onReach: () => void = () => undefined;
  const gate = (): Promise<boolean> =>
    new Promise((resolve) => {
      waiting.push(() => resolve(true));
      onReach();
    });
  const open = (): void => {
    const all = waiting;
    waiting = [];
    for (const letGo of all) letGo();
  };
  const reached = (mails: number): Promise<void> =>
    new Promise((resolve) => {
      onReach = () => waiting.length >= mails && resolve();
      onReach();
    });
  return { gate, open, reached };
}

describe('a pool', () => {
  test('has no more connections than its cap, and fills it', () =>
    withServer({}, async (server) => {
      const pool = poolFor(server, { maxConnections: 3 });
      const { gate, open, reached } = turnstile();
      const sends = names(9).map((name) => pool.send(to(name), MAIL, gate));
      for (let wave = 0; wave < 3; wave++) {
        await reached(3);
        expect(server.peers.size).toBe(3);
        open();
      }
      expect((await Promise.all(sends)).map(verdict)).toEqual(names(9).map(() => 'yes/reply/250'));
      expect(server.connections).toBe(3);
      await pool.drain();
    }));

  test('serves in the order of arrival', () =>
    withServer({}, async (server) => {
      const pool = poolFor(server, { maxConnections: 1 });
      await sendAll(pool, names(10));
      await pool.drain();
      expect(recipientsSeen(server)).toEqual(names(10));
      expect(server.connections).toBe(1);
    }));

  test('replaces a connection after so many mails, with QUIT', () =>
    withServer({}, async (server) => {
      const pool = poolFor(server, { maxConnections: 1, maxMailsPerConnection: 3 });
      const dispatches = await sendAll(pool, names(7));
      await pool.drain();
      expect(dispatches.every(({ left }) => left === 'yes')).toBe(true);
      expect(server.connections).toBe(3);
      expect(recipientsSeen(server)).toEqual(names(7));
    }));

  test('replaces a connection that has grown old', () =>
    withServer({}, async (server) => {
      const pool = poolFor(server, { maxConnections: 1, maxAgeMs: 0 });
      await sendAll(pool, names(3));
      await pool.drain();
      expect(server.connections).toBe(3);
    }));

  test('takes leave with QUIT after a while without mail, and opens again for the next', async () => {
    const server = await ScriptedServer.start();
    const pool = poolFor(server, { keptMs: 0 }, { idleMs: 30 });
    await pool.send(to('a'), MAIL, pass);
    const [peer] = server.peers;
    await new Promise((resolve) => peer?.once('close', resolve));
    expect(server.commands.at(-1)).toBe('QUIT');
    expect((await pool.send(to('b'), MAIL, pass)).left).toBe('yes');
    expect(server.connections).toBe(2);
    await pool.drain();
    await server.close();
  });

  test('keeps one connection for the next mail when nobody uses them, and takes leave of the others', () =>
    withServer({}, async (server) => {
      const pool = poolFor(server, { maxConnections: 3 }, { idleMs: 30 });
      const { gate, open, reached } = turnstile();
      const sends = names(3).map((name) => pool.send(to(name), MAIL, gate));
      await reached(3);
      open();
      await Promise.all(sends);
      await vi.waitUntil(() => count(server, 'QUIT') === 2, { timeout: PATIENCE_MS });
      await sendAll(pool, names(1));
      expect(server.connections).toBe(3);
      await pool.drain();
    }));

  test('opens what a backlog needs side by side, once the first connection has been taken', async () => {
    let came = 0;
    let allCame: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (allCame = resolve));
    const greeting: Answer = async (peer) => {
      came += 1;
      if (came === 5) allCame();
      // Those after the first are greeted when all of them are there.
      if (came > 1) await all;
      peer.write('220 scripted\r\n');
    };
    await withServer({ greeting }, async (server) => {
      const pool = poolFor(server, { maxConnections: 5 });
      const { gate, open, reached } = turnstile();
      const sends = names(5).map((name) => pool.send(to(name), MAIL, gate));
      await reached(5);
      open();
      await Promise.all(sends);
      expect(server.connections).toBe(5);
      await pool.drain();
    });
  });

  test('grows and shrinks with its cap', () =>
    withServer({}, async (server) => {
      const pool = poolFor(server, { maxConnections: 1 });
      const { gate, open, reached } = turnstile();
      const sends = names(4).map((name) => pool.send(to(name), MAIL, gate));
      await reached(1);
      pool.setCap(4);
      await reached(4);
      expect(server.peers.size).toBe(4);
      open();
      await Promise.all(sends);
      pool.setCap(1);
      expect(pool.capacity).toBe(1);
      await sendAll(pool, names(6));
      expect(server.connections).toBe(4);
      await pool.drain();
    }));
});

describe('the gate of a mail that waits for a connection', () => {
  test('is asked ahead to a server that answers at once; that of a mail whose window may shut only when it could leave', () =>
    withServer({}, async (server) => {
      const pool = poolFor(server, { maxConnections: 1 });
      // However slow this machine is, the server is one that answers at once.
      const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
      for (const name of names(10)) await pool.send(to(name), MAIL, pass);
      clock.mockRestore();
      expect(pool.capacity).toBeGreaterThan(1);

      const { gate, open, reached } = turnstile();
      const first = pool.send(to('first'), MAIL, gate, true);
      await reached(1);
      const dotsWhenAsked: Record<string, number> = {};
      const noting = (name: string) => () => {
        dotsWhenAsked[name] = server.dots;
        return Promise.resolve(true);
      };
      const others = [
        pool.send(to('guarded'), MAIL, noting('guarded'), true),
        pool.send(to('unguarded'), MAIL, noting('unguarded')),
      ];
      expect(dotsWhenAsked).toEqual({ unguarded: 10 });
      open();
      await Promise.all([first, ...others]);
      expect(dotsWhenAsked).toEqual({ unguarded: 10, guarded: 11 });
      await pool.drain();
    }));
});

describe('a kept connection that turns out to be dead', () => {
  const gateCounting = () => {
    let asked = 0;
    const gate = (): Promise<boolean> => {
      asked++;
      return pass();
    };
    return { gate, asked: () => asked };
  };

  test.each([
    ['vanishes at MAIL', { mail: inTurn(OK, vanish, OK) }],
    ['says 421 to MAIL', { mail: inTurn(OK, thenClose('421 4.4.2 idle for too long\r\n'), OK) }],
    ['answers MAIL with rubbish', { mail: inTurn(OK, 'what\r\n', OK) }],
    ['vanishes at RCPT', { rcpt: inTurn(OK, vanish, OK) }],
  ] satisfies [string, Script][])('and %s costs nothing: the mail goes out on a new one', (_how, script) =>
    withServer(script, async (server) => {
      const pool = poolFor(server, { maxConnections: 2 });
      const { gate, asked } = gateCounting();
      expect((await pool.send(to('a'), MAIL, gate)).left).toBe('yes');
      expect((await pool.send(to('b'), MAIL, gate)).left).toBe('yes');
      expect(server.connections).toBe(2);
      expect(server.dots).toBe(2);
      expect(asked()).toBe(2);
      await pool.drain();
    }),
  );

  test('is not followed by a third try', () =>
    withServer({ mail: inTurn(OK, vanish) }, async (server) => {
      const pool = poolFor(server);
      await pool.send(to('a'), MAIL, pass);
      expect(await pool.send(to('b'), MAIL, pass)).toMatchObject({ left: 'no', phase: 'envelope' });
      expect(server.connections).toBe(2);
      await pool.drain();
    }));

  test('is not forgiven on a connection that was opened just now', () =>
    withServer({ mail: vanish }, async (server) => {
      const pool = poolFor(server);
      expect(await pool.send(to('a'), MAIL, pass)).toMatchObject({ left: 'no', phase: 'envelope' });
      expect(server.connections).toBe(1);
      await pool.drain();
    }));

  test.each([
    [
      'after the gate was asked',
      { data: inTurn('354 go\r\n', thenClose('354 go\r\n421 bye\r\n')) },
      'no/gate/421',
    ],
    ['after the dot', { dot: inTurn(OK, vanish) }, 'unknown/reply/E\\w+'],
    [
      'with a refusal',
      { rcpt: inTurn(OK, '550 5.1.1 no\r\n'), data: inTurn('354 go\r\n', '554 no\r\n') },
      'no/rcpt/550',
    ],
  ] satisfies [string, Script, string][])('is reported as it is %s', (_when, script, expected) =>
    withServer(script, async (server) => {
      const pool = poolFor(server);
      const { gate, asked } = gateCounting();
      await pool.send(to('a'), MAIL, gate);
      expect(verdict(await pool.send(to('b'), MAIL, gate))).toMatch(new RegExp(`^${expected}$`));
      expect(server.connections).toBe(1);
      expect(asked()).toBeLessThanOrEqual(2);
      await pool.drain();
    }),
  );
});

describe('a server that', () => {
  test('wants fewer connections gets fewer, and no mail fails for it', () => {
    let open = 0;
    const greeting: Answer = (peer) => {
      if (open >= 2) return void peer.end('421 4.7.0 Too many concurrent connections from your host\r\n');
      open++;
      peer.once('close', () => open--);
      peer.write('220 scripted\r\n');
    };
    return withServer({ greeting }, async (server) => {
      const pool = poolFor(server, { maxConnections: 5 });
      const dispatches = await sendAll(pool, names(30));
      expect(dispatches.map(verdict)).toEqual(names(30).map(() => 'yes/reply/250'));
      expect(server.connections).toBeLessThanOrEqual(5);
      await pool.drain();
    });
  });

  test.each([
    ['refuses every connection', { greeting: '554 5.7.1 not you\r\n' }, 'no/greeting/554'],
    [
      'refuses the password',
      { ehlo: '250-x\r\n250 AUTH PLAIN\r\n', other: '535 5.7.8 wrong\r\n' },
      'no/auth/535',
    ],
  ] satisfies [string, Script, string][])('%s is asked once for all that wait', (_how, script, expected) =>
    withServer(script, async (server) => {
      const credentials = { user: 'ada', password: 'wrong' };
      const connection = optionsFor(server.port, { credentials, authInClear: true });
      const pool = new SmtpPool({ connection, deadlines, maxConnections: 5 });
      const dispatches = await sendAll(pool, names(20));
      expect(dispatches.map(verdict)).toEqual(names(20).map(() => expected));
      expect(server.connections).toBe(1);
      await pool.drain();
    }),
  );

  test('keeps refusing is asked more and more slowly, and at once again when it has recovered', () => {
    const greeting = inTurn('554 no\r\n', '554 no\r\n', '220 scripted\r\n');
    return withServer({ greeting }, async (server) => {
      const pool = poolFor(server);
      const timed = async (name: string): Promise<[string, number]> => {
        const startedAt = performance.now();
        const transmission = await pool.send(to(name), MAIL, pass);
        return [verdict(transmission), performance.now() - startedAt];
      };
      const [[first], [second, secondMs], [third, thirdMs]] = [
        await timed('a'),
        await timed('b'),
        await timed('c'),
      ];
      expect([first, second, third]).toEqual(['no/greeting/554', 'no/greeting/554', 'yes/reply/250']);
      expect(secondMs).toBeGreaterThan(200);
      expect(thirdMs).toBeGreaterThan(450);
      await pool.drain();
    });
  });
});

describe('a pool that is drained', () => {
  test('lets what is on the wire end, sends back what waits, and takes leave', () =>
    withServer({}, async (server) => {
      const pool = poolFor(server, { maxConnections: 2 });
      const { gate, open, reached } = turnstile();
      const sends = names(5).map((name) => pool.send(to(name), MAIL, gate));
      await reached(2);
      const drained = Promise.all([pool.drain(), pool.drain()]);
      open();
      await drained;
      const verdicts = (await Promise.all(sends)).map(verdict);
      expect(verdicts.filter((each) => each === 'yes/reply/250')).toHaveLength(2);
      expect(verdicts.filter((each) => each === 'no/idle/ESTOPPED')).toHaveLength(3);
      expect(verdict(await pool.send(to('late'), MAIL, pass))).toBe('no/idle/ESTOPPED');
      await Promise.all(
        [...server.peers].map((peer) => new Promise((resolve) => peer.once('close', resolve))),
      );
      expect(count(server, 'QUIT')).toBe(2);
      expect(server.dots).toBe(2);
    }));

  test('does not wait for a connection that is still opening', () =>
    withServer({ greeting: '' }, async (server) => {
      const pool = poolFor(server);
      const send = pool.send(to('a'), MAIL, pass);
      await pool.drain();
      expect(verdict(await send)).toBe('no/idle/ESTOPPED');
    }));
});
