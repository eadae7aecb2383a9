import { describe, expect, test } from 'vitest';

import type { Gate } from '#pillarbox/transport/transport';
import { ENVELOPE, MAIL, opened, pass, LONG_MS, SHORT_MS, untilEnded, verdict } from './client.js';
import {
  dribble,
  reset,
  ScriptedServer,
  thenClose,
  vanish,
  WITHOUT_PIPELINING,
  type Answer,
  type Script,
} from './scripted-server.js';

const limits = { envelopeMs: LONG_MS, bodyMs: LONG_MS, replyMs: LONG_MS };
const shortLimits = { envelopeMs: SHORT_MS, bodyMs: SHORT_MS, replyMs: SHORT_MS };

/** However the operating system calls it. */
const CUT = '(ECLOSED|ECONNRESET|EPIPE)';

interface Scenario extends Script {
  /** A pattern. */
  expect: string;
  /** What the server does while the gate is being asked. The gate then passes, after the connection has ended. */
  meanwhile?: Answer;
  gate?: Gate;
}

const SCENARIOS: Record<string, Scenario> = {
  'takes the mail': { expect: 'yes/reply/250' },
  'splits its replies byte by byte': {
    mail: dribble('250-a\r\n250 2.1.0 ok\r\n'),
    dot: dribble('250-2.0.0 a\r\n250 2.0.0 queued\r\n'),
    expect: 'yes/reply/250',
  },
  'has no PIPELINING': { ehlo: WITHOUT_PIPELINING, expect: 'yes/reply/250' },
  'ends its lines in LF alone': { dot: '250 ok\n', expect: 'yes/reply/250' },
  'answers the dot twice': { dot: '250 ok\r\n250 ok\r\n', expect: 'yes/reply/250' },

  'refuses RCPT, then DATA': {
    rcpt: '550 5.1.1 no\r\n',
    data: '554 5.5.1 no valid recipients\r\n',
    expect: 'no/rcpt/550',
  },
  'refuses RCPT and still invites the body': { rcpt: '550 5.1.1 no\r\n', expect: 'no/rcpt/550' },
  'refuses RCPT and answers DATA with 250': {
    rcpt: '550 5.1.1 no\r\n',
    data: '250 ok\r\n',
    expect: 'no/rcpt/550',
  },
  'refuses RCPT and hangs up': { rcpt: thenClose('550 5.1.1 no\r\n'), expect: 'no/rcpt/550' },
  'refuses MAIL, RCPT and DATA': {
    mail: '452 4.3.1 full\r\n',
    rcpt: '503 no\r\n',
    data: '503 no\r\n',
    expect: 'no/mail/452',
  },
  'refuses MAIL and invites the body': { mail: '550 5.7.1 no\r\n', expect: 'no/mail/550' },
  'says 421 to MAIL': { mail: thenClose('421 4.3.2 bye\r\n'), expect: 'no/mail/421' },
  'says 421 to RCPT': { rcpt: thenClose('421 4.7.0 rate\r\n'), expect: 'no/rcpt/421' },
  'says 421 in place of 354': { data: thenClose('421 4.3.2 bye\r\n'), expect: 'no/data/421' },
  'says 250 in place of 354': { data: '250 ok\r\n', expect: 'no/data/250' },
  'says 354 to MAIL': { mail: '354 go ahead\r\n', expect: 'no/mail/354' },
  'answers MAIL with garbage': { mail: 'wat\r\n', expect: 'no/envelope/EPROTOCOL' },
  'answers MAIL with a code of 999': { mail: '999 ok\r\n', expect: 'no/envelope/EPROTOCOL' },
  'answers MAIL without a space': { mail: '250ok\r\n', expect: 'no/envelope/EPROTOCOL' },
  'vanishes in the envelope': { rcpt: vanish, expect: `no/envelope/${CUT}` },
  'resets in the envelope': { rcpt: reset, expect: `no/envelope/${CUT}` },
  'falls silent at RCPT': { rcpt: '', expect: 'no/envelope/ETIMEDOUT' },

  'says 421 while the gate is asked': { meanwhile: thenClose('421 4.3.2 bye\r\n'), expect: 'no/gate/421' },
  'says 250 before the dot': { meanwhile: '250 2.0.0 queued\r\n', expect: 'no/gate/250' },
  'says 250 in the packet of its 354': { data: '354 go\r\n250 2.0.0 queued\r\n', expect: 'no/gate/250' },
  'says 550 before the dot': { meanwhile: '550 5.7.1 spam\r\n', expect: 'no/gate/550' },
  'vanishes while the gate is asked': { meanwhile: vanish, expect: `no/gate/${CUT}` },
  'meets a gate that refuses': { gate: () => Promise.resolve(false), expect: 'no/gate/EGATE' },
  'meets a gate that fails': { gate: () => Promise.reject(new Error('database')), expect: 'no/gate/EGATE' },
  'meets a gate that throws': {
    gate: () => {
      throw new Error('bug');
    },
    expect: 'no/gate/EGATE',
  },

  'says 421 to the dot': { dot: thenClose('421 4.3.0 later\r\n'), expect: 'no/reply/421' },
  'says 550 to the dot': { dot: '550 5.7.1 spam\r\n', expect: 'no/reply/550' },
  'says 451 in two lines to the dot, split': {
    dot: dribble('451-4.7.1 grey\r\n451 4.7.1 list\r\n'),
    expect: 'no/reply/451',
  },
  'resets after the dot': { dot: reset, expect: `unknown/reply/${CUT}` },
  'closes after the dot': { dot: thenClose(''), expect: `unknown/reply/${CUT}` },
  'falls silent after the dot': { dot: '', expect: 'unknown/reply/ETIMEDOUT' },
  'answers the dot with garbage': { dot: 'hello world\r\n', expect: 'unknown/reply/EPROTOCOL' },
  'answers the dot with words that begin with 2': {
    dot: '2nd server here\r\n',
    expect: 'unknown/reply/EPROTOCOL',
  },
  'cuts its 250 after two digits': { dot: thenClose('25'), expect: `unknown/reply/${CUT}` },
  'cuts its 250 before the line end': { dot: thenClose('250 ok'), expect: `unknown/reply/${CUT}` },
  'cuts its 550 before the line end': { dot: thenClose('550 no'), expect: `unknown/reply/${CUT}` },
  'begins a 250 and closes': { dot: thenClose('250-ok\r\n'), expect: `unknown/reply/${CUT}` },
  'changes the code inside a reply': { dot: '250-a\r\n550 b\r\n', expect: 'unknown/reply/EPROTOCOL' },
  'says 354 to the dot': { dot: '354 more\r\n', expect: 'unknown/reply/EPROTOCOL' },
  'answers the dot with NULs': { dot: '\0\0\0\0\r\n', expect: 'unknown/reply/EPROTOCOL' },
  'answers the dot with a line without end': {
    dot: `250 ${'x'.repeat(200_000)}`,
    expect: 'unknown/reply/EPROTOCOL',
  },
};

describe('a mail and a server that [F12] [F13]', () => {
  test.each(Object.entries(SCENARIOS))('%s', async (_name, scenario) => {
    const server = await ScriptedServer.start(scenario);
    const { ended, onClose } = untilEnded();
    const silent = scenario.expect.endsWith('ETIMEDOUT');
    const connection = await opened(server.port, { limits: silent ? shortLimits : limits, onClose });
    const gate: Gate = async () => {
      if (scenario.meanwhile === undefined) return true;
      await server.interject(scenario.meanwhile);
      await ended;
      return true;
    };

    const dispatch = await connection.send(ENVELOPE, MAIL, scenario.gate ?? gate);
    connection.destroy();
    await server.close();

    expect(verdict(dispatch)).toMatch(new RegExp(`^${scenario.expect}$`));
    const dotAllowed = dispatch.phase === 'reply';
    expect(server.dots).toBe(dotAllowed ? 1 : 0);
    expect(server.mails.every((mail) => mail === MAIL.toString('latin1'))).toBe(true);
    if (scenario.meanwhile !== undefined) expect(dispatch.gated, 'the report waited for the gate').toBe(true);
    if (scenario.gate) expect(dispatch.gated).toBe(false);
  });
});

describe('a connection', () => {
  const refusesBad: Script = { refuses: (address) => address.startsWith('bad') };
  const to = (...addresses: string[]) => ({ from: 'ada@example.org', to: addresses });

  test('is used again after a refusal, with RSET in front of the next MAIL', async () => {
    const server = await ScriptedServer.start({ ...refusesBad, ehlo: WITHOUT_PIPELINING });
    const connection = await opened(server.port, { limits });

    const refused = await connection.send(to('bad@example.org'), MAIL, pass);
    const sent = await connection.send(to('bob@example.org'), MAIL, pass);
    const again = await connection.send(to('eve@example.org'), MAIL, pass);
    connection.destroy();
    await server.close();

    expect([refused, sent, again].map(verdict)).toEqual(['no/rcpt/550', 'yes/reply/250', 'yes/reply/250']);
    const verbs = server.commands.map((command) => command.slice(0, 4));
    expect(verbs.join(' ')).toBe('EHLO MAIL RCPT RSET MAIL RCPT DATA MAIL RCPT DATA');
    expect(server.connections).toBe(1);
  });

  test('pipelines RSET, MAIL, RCPT and DATA in one packet', async () => {
    const server = await ScriptedServer.start({ ...refusesBad, data: '554 5.5.1 no valid recipients\r\n' });
    const connection = await opened(server.port, { limits });
    await connection.send(to('bad@example.org'), MAIL, pass);
    const [peer] = server.peers;
    const before = peer?.bytesRead ?? 0;
    const packet = new Promise<string>((resolve) =>
      peer?.once('data', (chunk: Buffer) => resolve(String(chunk))),
    );

    await connection.send(to('bob@example.org'), MAIL, pass);
    connection.destroy();
    await server.close();

    expect(before).toBeGreaterThan(0);
    expect(await packet).toBe(
      `RSET\r\nMAIL FROM:<ada@example.org> SIZE=${MAIL.length}\r\nRCPT TO:<bob@example.org>\r\nDATA\r\n`,
    );
  });

  test('learns not to pipeline DATA to a server that invites the body of a refused mail', async () => {
    const server = await ScriptedServer.start(refusesBad);
    const habits = { dataInGroup: true };
    const first = await opened(server.port, { limits, habits });
    expect(verdict(await first.send(to('bad@example.org'), MAIL, pass))).toBe('no/rcpt/550');
    expect(first.ended).toBeDefined();

    const second = await opened(server.port, { limits, habits });
    const refused = await second.send(to('bad@example.org'), MAIL, pass);
    const sent = await second.send(to('bob@example.org'), MAIL, pass);
    second.destroy();
    await server.close();

    expect([verdict(refused), verdict(sent)]).toEqual(['no/rcpt/550', 'yes/reply/250']);
    expect(server.commands.filter((command) => command === 'DATA')).toHaveLength(2);
    expect(server.dots).toBe(1);
  });

  const three = to('bad1@example.org', 'bob@example.org', 'bad2@example.org');

  test.each([['pipelined', undefined] as const, ['one by one', WITHOUT_PIPELINING] as const])(
    'sends to the accepted of several recipients and reports each, %s',
    async (_how, ehlo) => {
      const server = await ScriptedServer.start({ ...refusesBad, ...(ehlo === undefined ? {} : { ehlo }) });
      const connection = await opened(server.port, { limits });
      const dispatch = await connection.send({ ...three, partial: 'any' }, MAIL, pass);
      connection.destroy();
      await server.close();

      expect(verdict(dispatch)).toBe('yes/reply/250');
      expect(
        dispatch.recipients.map(({ address, accepted, reply }) => [address, accepted, reply.code]),
      ).toEqual([
        ['bad1@example.org', false, 550],
        ['bob@example.org', true, 250],
        ['bad2@example.org', false, 550],
      ]);
      expect(server.dots).toBe(1);
    },
  );

  test('sends to nobody when one is refused and all are wanted', async () => {
    const server = await ScriptedServer.start(refusesBad);
    const connection = await opened(server.port, { limits });
    const dispatch = await connection.send(three, MAIL, pass);
    await server.close();

    expect(verdict(dispatch)).toBe('no/rcpt/550');
    expect(dispatch.recipients.filter(({ accepted }) => accepted)).toHaveLength(1);
    expect(server.dots).toBe(0);
  });

  test('does not wait for ever for a gate, but its report does', async () => {
    const server = await ScriptedServer.start();
    const { ended, onClose } = untilEnded();
    const connection = await opened(server.port, { limits: { gateMs: SHORT_MS }, onClose });
    const dispatch = await connection.send(ENVELOPE, MAIL, () => ended.then(() => true));
    await server.close();

    expect(verdict(dispatch)).toBe('no/gate/ETIMEDOUT');
    expect(dispatch.gated).toBe(true);
    expect(server.dots).toBe(0);
  });

  test('refuses two mails at once and leaves the first alone', async () => {
    const server = await ScriptedServer.start();
    const connection = await opened(server.port, { limits });
    const [first, second] = await Promise.all([
      connection.send(ENVELOPE, MAIL, pass),
      connection.send(ENVELOPE, MAIL, pass),
    ]);
    connection.destroy();
    await server.close();

    expect([verdict(first), verdict(second)]).toEqual(['yes/reply/250', 'no/idle/EBUSY']);
    expect(server.dots).toBe(1);
  });

  test('ends when an idle server says 421, and no mail is concerned', async () => {
    const server = await ScriptedServer.start();
    const { ended, onClose } = untilEnded();
    const connection = await opened(server.port, { limits, onClose });
    await server.interject('421 4.4.2 idle for too long\r\n');
    await ended;
    await server.close();

    expect(connection.ended).toMatchObject({ phase: 'idle', reply: { code: 421 } });
    expect(verdict(await connection.send(ENVELOPE, MAIL, pass))).toBe('no/idle/421');
  });
});

describe('a large mail', () => {
  const bytes = Buffer.from(`Subject: big\r\n\r\n${`.leading dot ${'y'.repeat(65)}\r\n`.repeat(120_000)}`);

  test('of 9.6 MB with a dot on every line arrives intact', async () => {
    const server = await ScriptedServer.start();
    const connection = await opened(server.port, { limits });
    const dispatch = await connection.send(ENVELOPE, bytes, pass);
    connection.destroy();
    await server.close();

    expect(verdict(dispatch)).toBe('yes/reply/250');
    expect(server.mails[0]?.replace(/^\.\./gm, '.') === bytes.toString('latin1')).toBe(true);
  });

  test('is poured out before the gate is asked, a small one after', async () => {
    const seen: { asked: number; whole: number }[] = [];
    for (const mail of [bytes.subarray(0, 800_017), MAIL]) {
      const server = await ScriptedServer.start();
      const connection = await opened(server.port, { limits });
      const counted = (): number => [...server.peers].reduce((sum, peer) => sum + peer.bytesRead, 0);
      const dispatch = await connection.send(ENVELOPE, mail, async () => {
        // The kernel has it all; the server reads it in its own time.
        while (mail !== MAIL && counted() < mail.length) await new Promise(setImmediate);
        seen.push({ asked: counted(), whole: mail.length });
        return true;
      });
      connection.destroy();
      await server.close();
      expect(dispatch.left).toBe('yes');
      expect(server.dots).toBe(1);
    }
    const [large, small] = seen;
    expect(large!.asked).toBeGreaterThan(large!.whole);
    expect(small!.asked).toBeLessThan(200);
  });

  test.each([
    ['552 5.3.4 too large\r\n', 'no/body/552'],
    ['250 2.0.0 thanks, enough\r\n', 'no/body/250'],
  ])('that the server answers %j before its end is dropped without a dot', async (answer, expected) => {
    const { ended, onClose } = untilEnded();
    const server = await ScriptedServer.start({
      // Reads no further, so that the mail is still on its way when the answer comes.
      data: async (peer) => {
        peer.write('354 go\r\n');
        await new Promise(setImmediate);
        peer.write(answer);
        await ended;
      },
    });
    const connection = await opened(server.port, { limits, onClose });
    let asked = false;
    const dispatch = await connection.send(ENVELOPE, bytes, () => {
      asked = true;
      return pass();
    });
    await server.close();

    expect(verdict(dispatch)).toBe(expected);
    expect(asked).toBe(false);
    expect(server.dots).toBe(0);
    expect(connection.ended).toBeDefined();
  });

  test('that the server stops reading runs into the limit of its slice', async () => {
    const { ended, onClose } = untilEnded();
    const server = await ScriptedServer.start({
      data: async (peer) => {
        peer.write('354 go\r\n');
        await ended;
      },
    });
    const connection = await opened(server.port, { limits: shortLimits, onClose });
    const dispatch = await connection.send(ENVELOPE, bytes, pass);
    await server.close();

    expect(verdict(dispatch)).toBe('no/body/ETIMEDOUT');
    expect(server.dots).toBe(0);
  });
});
