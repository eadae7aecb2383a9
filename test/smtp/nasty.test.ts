import { describe, expect, test } from 'vitest';

import { PeerHabits } from '#pillarbox/transport/smtp/habits';
import type { Gate } from '#pillarbox/transport/transport';
import { ENVELOPE, MAIL, opened, pass, LONG_MS, SHORT_MS, untilEnded, verdict } from './client.js';
import { SCENARIOS } from './nasty-scenarios.js';
import { ScriptedServer, WITHOUT_PIPELINING, type Script } from './scripted-server.js';

const limits = { envelopeMs: LONG_MS, bodyMs: LONG_MS, replyMs: LONG_MS };
const shortLimits = { envelopeMs: SHORT_MS, bodyMs: SHORT_MS, replyMs: SHORT_MS };

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
    const habits = new PeerHabits();
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
