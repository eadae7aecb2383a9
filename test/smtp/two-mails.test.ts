import { describe, expect, test } from 'vitest';

import { SmtpConnection } from '#pillarbox/transport/smtp/connection';
import { PeerHabits } from '#pillarbox/transport/smtp/habits';
import { SmtpPool, type PoolOptions } from '#pillarbox/transport/smtp/pool';
import type { Gate } from '#pillarbox/transport/transport';
import { deadlines, LONG_MS, optionsFor, pass, SHORT_MS, verdict } from './client.js';
import { CUT, SCENARIOS, type Scenario } from './nasty-scenarios.js';
import {
  dribble,
  reset,
  ScriptedServer,
  thenClose,
  vanish,
  WITH_CHUNKING,
  type Script,
  type ScriptOf,
} from './scripted-server.js';

const envelopeOf = (name: string) => ({ from: `${name}@example.org`, to: [`to-${name}@example.org`] });
const bytesOf = (name: string): Buffer => Buffer.from(`Subject: ${name}\r\n\r\nhello\r\n`);
const TAKEN = /^yes\/reply\/250$/;

/** Sends both at once over one connection, so that the second is written behind the first. */
async function sendBoth(
  server: ScriptedServer,
  {
    gates = {},
    silent = false,
    ...options
  }: Partial<PoolOptions> & {
    gates?: Record<string, Gate>;
    silent?: boolean;
  },
): Promise<Record<'first' | 'second', { verdict: string; gated: boolean }>> {
  const ms = silent ? SHORT_MS : LONG_MS;
  const limits = { envelopeMs: ms, bodyMs: ms, replyMs: ms };
  const pool = new SmtpPool({
    connection: optionsFor(server.port, { limits }),
    deadlines,
    maxConnections: 1,
    ...options,
  });
  const send = async (name: string) => {
    const transmission = await pool.send(envelopeOf(name), bytesOf(name), gates[name] ?? pass);
    return { verdict: verdict(transmission), gated: transmission.gated };
  };
  const [first, second] = await Promise.all([send('first'), send('second')]);
  await pool.drain();
  await server.close();
  return { first, second };
}

/** The one of them meets the scenario, the other a server that is as good as can be. */
async function meet(victim: 'first' | 'second', scenario: Scenario) {
  const { ehlo } = scenario;
  const good: Script = ehlo === undefined ? {} : { ehlo };
  const server = await ScriptedServer.start((from) => (from.startsWith(victim) ? scenario : good));
  let onGone: () => void = () => undefined;
  const gate: Gate = async () => {
    if (scenario.meanwhile === undefined) return true;
    const gone = new Promise<void>((resolve) => (onGone = resolve));
    await server.interject(scenario.meanwhile);
    await gone;
    return true;
  };
  const connect: PoolOptions['connect'] = (options) =>
    new SmtpConnection({
      ...options,
      onClose: () => {
        options.onClose?.();
        onGone();
      },
    });
  const ends = await sendBoth(server, {
    gates: { [victim]: scenario.gate ?? gate },
    silent: scenario.expect.endsWith('ETIMEDOUT'),
    connect,
  });
  const copies = (name: string): number =>
    server.mails.filter((mail) => mail === bytesOf(name).toString('latin1')).length;
  return { ends, server, copies };
}

describe('of two mails on a connection, the first meets a server that', () => {
  test.each(Object.entries(SCENARIOS))('%s; the second is sent', async (_name, scenario) => {
    const { ends, server, copies } = await meet('first', scenario);
    expect(ends.first.verdict).toMatch(new RegExp(`^${scenario.expect}$`));
    expect(ends.second.verdict).toMatch(TAKEN);
    expect(copies('second')).toBe(1);
    expect(server.dots).toBe(copies('first') + 1);
    expect(copies('first')).toBe(ends.first.verdict.includes('/reply/') ? 1 : 0);
    if (scenario.gate) expect(ends.first.gated).toBe(false);
  });
});

describe('of two mails on a connection, the first is sent, and the second meets a server that', () => {
  test.each(Object.entries(SCENARIOS))('%s', async (_name, scenario) => {
    const { ends, server, copies } = await meet('second', scenario);
    expect(ends.first.verdict).toMatch(TAKEN);
    expect(ends.second.verdict).toMatch(new RegExp(`^${scenario.expect}$`));
    expect(copies('first')).toBe(1);
    expect(server.dots).toBe(copies('second') + 1);
    expect(copies('second')).toBe(ends.second.verdict.includes('/reply/') ? 1 : 0);
    if (scenario.gate) expect(ends.second.gated).toBe(false);
  });
});

describe('the second of two mails', () => {
  test('travels in one write with the body and the dot of the first', async () => {
    const server = await ScriptedServer.start();
    const ends = await sendBoth(server, {});
    expect([ends.first.verdict, ends.second.verdict]).toEqual(['yes/reply/250', 'yes/reply/250']);
    expect(server.packets).toContain(
      `${bytesOf('first').toString()}.\r\n` +
        `RSET\r\nMAIL FROM:<second@example.org> SIZE=${bytesOf('second').length}\r\n` +
        'RCPT TO:<to-second@example.org>\r\nDATA\r\n',
    );
  });

  test('waits for its own gate, not for that of the first', async () => {
    const server = await ScriptedServer.start();
    const dotsWhenAsked: number[] = [];
    await sendBoth(server, {
      gates: {
        second: () => {
          dotsWhenAsked.push(server.dots);
          return pass();
        },
      },
    });
    // Asked when it was invited: the server has the first by then, and not the second.
    expect(dotsWhenAsked).toEqual([1]);
  });

  test('goes out on a new connection, with its gate asked once, when the first took this one along', async () => {
    let asked = 0;
    const server = await ScriptedServer.start((from) => (from.startsWith('first') ? { dot: vanish } : {}));
    const ends = await sendBoth(server, {
      gates: {
        second: () => {
          asked++;
          return pass();
        },
      },
    });
    expect(ends.first.verdict).toMatch(new RegExp(`^unknown/reply/${CUT}$`));
    expect(ends.second.verdict).toMatch(TAKEN);
    expect(asked).toBe(1);
    expect(server.connections).toBe(2);
  });

  test('is written after the answer to the first, command by command, to a server without PIPELINING', async () => {
    const server = await ScriptedServer.start({ ehlo: '250 scripted\r\n' });
    await sendBoth(server, {});
    expect(
      server.packets.every((packet) => packet.split('\r\n').length === 2 || packet.includes('hello')),
    ).toBe(true);
    expect(server.dots).toBe(2);
  });
});

describe('a server whose answers do not fit what was written behind a mail', () => {
  const crooked: ScriptOf = () => ({ dot: '250 ok\r\n250 ok\r\n' });

  test('is given one mail at a time after it was caught twice, by all who talk to it', async () => {
    const habits = new PeerHabits();
    const rides = async (): Promise<number> => {
      const server = await ScriptedServer.start(crooked);
      const ends = await sendBoth(server, { habits });
      expect([ends.first.verdict, ends.second.verdict]).toEqual(['yes/reply/250', 'yes/reply/250']);
      expect(server.dots).toBe(2);
      return server.packets.filter((packet) => packet.includes('.\r\nRSET')).length;
    };
    expect([await rides(), await rides(), await rides()]).toEqual([1, 1, 0]);
    expect(habits.takesTwo).toBe(false);
  });

  test('also if it throws away what was written behind a mail', async () => {
    const habits = new PeerHabits();
    for (let caught = 0; caught < 2; caught += 1) {
      let mails = 0;
      // It closes after the first answer, as if nothing more had come.
      const server = await ScriptedServer.start({
        dot: (peer) => {
          mails += 1;
          if (mails === 1) peer.end('250 ok\r\n');
          else peer.write('250 ok\r\n');
        },
      });
      expect(habits.takesTwo).toBe(true);
      const ends = await sendBoth(server, { habits });
      expect([ends.first.verdict, ends.second.verdict]).toEqual(['yes/reply/250', 'yes/reply/250']);
    }
    expect(habits.takesTwo).toBe(false);
  });
});

/** For a server that takes mails with their envelopes. The scenario is that of the second of three. */
const CHUNKED: Record<string, Script & { expect: string }> = {
  'takes it': { expect: 'yes/reply/250' },
  'splits its replies byte by byte': {
    mail: dribble('250-a\r\n250 2.1.0 ok\r\n'),
    dot: dribble('250-2.0.0 a\r\n250 2.0.0 queued\r\n'),
    expect: 'yes/reply/250',
  },
  'refuses RCPT and the mail': { rcpt: '550 5.1.1 no\r\n', dot: '503 no\r\n', expect: 'no/rcpt/550' },
  'refuses RCPT and takes the bytes': { rcpt: '550 5.1.1 no\r\n', expect: 'no/rcpt/550' },
  'refuses MAIL, RCPT and the mail': {
    mail: '452 4.3.1 full\r\n',
    rcpt: '503 no\r\n',
    dot: '503 no\r\n',
    expect: 'no/mail/452',
  },
  'refuses the mail': { dot: '550 5.7.1 spam\r\n', expect: 'no/reply/550' },
  'refuses the mail for now': { dot: '451 4.7.1 later\r\n', expect: 'no/reply/451' },
  'says 421 to MAIL': { mail: thenClose('421 4.3.2 bye\r\n'), expect: 'no/mail/421' },
  'says 421 to RCPT': { rcpt: thenClose('421 4.7.0 rate\r\n'), expect: 'no/rcpt/421' },
  'says 421 to the mail': { dot: thenClose('421 4.3.0 later\r\n'), expect: 'no/reply/421' },
  'refuses RCPT and hangs up': { rcpt: thenClose('550 5.1.1 no\r\n'), expect: 'no/rcpt/550' },
  'vanishes at MAIL': { mail: vanish, expect: `unknown/reply/${CUT}` },
  'vanishes at RCPT': { rcpt: vanish, expect: `unknown/reply/${CUT}` },
  'resets after the mail': { dot: reset, expect: `unknown/reply/${CUT}` },
  'closes after the mail': { dot: thenClose(''), expect: `unknown/reply/${CUT}` },
  'falls silent after the mail': { dot: '', expect: 'unknown/reply/ETIMEDOUT' },
  'answers the mail with garbage': { dot: 'hello world\r\n', expect: 'unknown/reply/EPROTOCOL' },
  'says 354 to the mail': { dot: '354 more\r\n', expect: 'unknown/reply/EPROTOCOL' },
  'says 354 to MAIL': { mail: '354 go ahead\r\n', expect: 'unknown/mail/354' },
  'cuts its 250 before the line end': { dot: thenClose('250 ok'), expect: `unknown/reply/${CUT}` },
};

describe('of three mails in the air, the second meets a server that', () => {
  test.each(Object.entries(CHUNKED))('%s', async (_name, { expect: expected, ...scenario }) => {
    const server = await ScriptedServer.start((from) => ({
      ...(from.startsWith('second') ? scenario : {}),
      ehlo: WITH_CHUNKING,
    }));
    const silent = expected.endsWith('ETIMEDOUT');
    const limits = { envelopeMs: LONG_MS, replyMs: silent ? SHORT_MS : LONG_MS, quietMs: LONG_MS };
    const connection = optionsFor(server.port, { limits });
    const pool = new SmtpPool({ connection, deadlines, maxConnections: 1, mailsInFlight: 4 });
    const names = ['first', 'second', 'third'];
    const ends = await Promise.all(names.map((name) => pool.send(envelopeOf(name), bytesOf(name), pass)));
    await pool.drain();
    await server.close();

    const [first = '', second, third = ''] = ends.map(verdict);
    expect(second).toMatch(new RegExp(`^${expected}$`));
    // A reset may overtake the answer that was given before it.
    expect(first).toMatch(new RegExp(`^(yes/reply/250|unknown/reply/${CUT})$`));
    // It goes on, or it does not: then nobody knows of what was written behind.
    expect(third).toMatch(/^(yes\/reply\/250|unknown\/reply\/ECLOSED)$/);
    const left = Object.fromEntries(names.map((name, i) => [name, ends[i]?.left]));
    for (const name of names) {
      const copies = server.mails.filter((mail) => mail === bytesOf(name).toString('latin1')).length;
      expect(copies).toBeLessThanOrEqual(1);
      if (left[name] === 'yes') expect(copies).toBe(1);
    }
    expect(server.commands).not.toContain('DATA');
  });

  test('refuses it without ending: the third is sent', async () => {
    const server = await ScriptedServer.start((from) => ({
      ...(from.startsWith('second') ? { rcpt: '550 5.1.1 no\r\n', dot: '503 no\r\n' } : {}),
      ehlo: WITH_CHUNKING,
    }));
    const connection = optionsFor(server.port, { limits: { quietMs: LONG_MS } });
    const pool = new SmtpPool({ connection, deadlines, maxConnections: 1, mailsInFlight: 3 });
    const ends = await Promise.all(
      ['first', 'second', 'third'].map((name) => pool.send(envelopeOf(name), bytesOf(name), pass)),
    );
    await pool.drain();
    await server.close();
    expect(ends.map(verdict)).toEqual(['yes/reply/250', 'no/rcpt/550', 'yes/reply/250']);
    // What is left of the one before is cleared away, whatever became of it.
    expect(server.commands.map((command) => command.slice(0, 4)).join(' ')).toBe(
      'EHLO MAIL RCPT BDAT RSET MAIL RCPT BDAT RSET MAIL RCPT BDAT QUIT',
    );
  });
});

describe('a server that offers CHUNKING', () => {
  const poolOn = (server: ScriptedServer, options: Partial<PoolOptions> = {}, limits = {}): SmtpPool =>
    new SmtpPool({
      connection: optionsFor(server.port, { limits: { quietMs: LONG_MS, ...limits } }),
      deadlines,
      maxConnections: 1,
      ...options,
    });
  const verbs = (server: ScriptedServer): string =>
    server.commands.map((command) => command.slice(0, 4)).join(' ');

  test('gets each mail in one write, after its gate, and the next after the answer', async () => {
    const server = await ScriptedServer.start({ ehlo: WITH_CHUNKING });
    const asked: Record<string, number> = {};
    const gates = Object.fromEntries(
      ['first', 'second'].map((name) => [
        name,
        () => {
          asked[name] = server.dots;
          return pass();
        },
      ]),
    );
    const ends = await sendBoth(server, {
      gates,
      connection: optionsFor(server.port, { limits: { quietMs: LONG_MS } }),
    });
    expect([ends.first.verdict, ends.second.verdict]).toEqual(['yes/reply/250', 'yes/reply/250']);
    expect(asked).toEqual({ first: 0, second: 1 });
    const mail = bytesOf('first');
    expect(server.packets).toContain(
      `MAIL FROM:<first@example.org> SIZE=${mail.length}\r\nRCPT TO:<to-first@example.org>\r\n` +
        `BDAT ${mail.length} LAST\r\n${mail.toString()}`,
    );
  });

  test('and has been silent for a while is asked before it is given a mail: a dead line leaves no doubt', async () => {
    const server = await ScriptedServer.start({ ehlo: WITH_CHUNKING });
    const pool = poolOn(server, {}, { quietMs: -1 });
    await pool.send(envelopeOf('first'), bytesOf('first'), pass);
    await pool.send(envelopeOf('second'), bytesOf('second'), pass);
    await pool.drain();
    await server.close();
    expect(verbs(server)).toBe('EHLO MAIL RCPT DATA MAIL RCPT DATA QUIT');
  });

  test('and does not know BDAT gets the mail by DATA, and is not asked again', async () => {
    const server = await ScriptedServer.start({ ehlo: WITH_CHUNKING, dot: '502 5.5.2 what?\r\n' });
    const habits = new PeerHabits();
    const pool = poolOn(server, { habits });
    expect(verdict(await pool.send(envelopeOf('first'), bytesOf('first'), pass))).toBe('no/idle/502');
    expect(habits.chunks).toBe(false);
    expect(verdict(await pool.send(envelopeOf('second'), bytesOf('second'), pass))).toBe('no/reply/502');
    await pool.drain();
    await server.close();
    expect(verbs(server)).toBe('EHLO MAIL RCPT BDAT EHLO MAIL RCPT DATA QUIT');
  });

  test('gets what is large, or for all of several or none, by DATA', async () => {
    const server = await ScriptedServer.start({ ehlo: WITH_CHUNKING });
    const pool = poolOn(server);
    const large = Buffer.from(`Subject: large\r\n\r\n${'x'.repeat(70)}\r\n`.repeat(600));
    const two = { from: 'a@example.org', to: ['b@example.org', 'c@example.org'] };
    await pool.send(envelopeOf('large'), large, pass);
    await pool.send(two, bytesOf('all'), pass);
    await pool.send({ ...two, partial: 'any' }, bytesOf('any'), pass);
    await pool.drain();
    await server.close();
    expect(verbs(server)).toBe('EHLO MAIL RCPT DATA MAIL RCPT RCPT DATA MAIL RCPT RCPT BDAT QUIT');
  });

  test('never has a guarded mail and another in the air, and its gate is asked when it can leave', async () => {
    const server = await ScriptedServer.start({ ehlo: WITH_CHUNKING });
    const pool = poolOn(server, { mailsInFlight: 8 });
    const dotsWhenAsked: number[] = [];
    const noting: Gate = () => {
      dotsWhenAsked.push(server.dots);
      return pass();
    };
    const guarded = [false, true, true, false];
    const ends = await Promise.all(
      guarded.map((last, i) => pool.send(envelopeOf(`m${i}`), bytesOf(`m${i}`), noting, last)),
    );
    await pool.drain();
    await server.close();
    expect(ends.map(({ left }) => left)).toEqual(guarded.map(() => 'yes'));
    // Each when all before it were answered; the last one is not guarded, and waits for the guarded before it.
    expect(dotsWhenAsked).toEqual([0, 1, 2, 3]);
  });
});
