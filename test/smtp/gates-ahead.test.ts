import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { SmtpPool } from '#pillarbox/transport/smtp/pool';
import { PATIENCE_MS } from '../patience.js';
import { deadlines, ENVELOPE, LONG_MS, MAIL, optionsFor, pass } from './client.js';
import { documentedBehindEach } from './documented.js';
import { ScriptedServer, WITH_CHUNKING, type Answer } from './scripted-server.js';

const CONNECTIONS = 2;
/** Enough for a pool to know how long its server takes. */
const TO_KNOW = 10;

interface Case {
  readonly server: 'near' | 'far';
  readonly turnMs: number;
  readonly mailsInFlight: number;
  readonly ehlo?: string;
}

const CASES: Case[] = [
  { server: 'near', turnMs: 0, mailsInFlight: 1 },
  { server: 'far', turnMs: 40, mailsInFlight: 1 },
  { server: 'near', turnMs: 0, mailsInFlight: 3, ehlo: WITH_CHUNKING },
  { server: 'far', turnMs: 40, mailsInFlight: 3, ehlo: WITH_CHUNKING },
];

describe('however many mails wait, their gates are asked of so many, and what would be in doubt is written down', () => {
  test.each(CASES)(
    'to a server that is $server, with $mailsInFlight in flight',
    async ({ server: distance, turnMs, mailsInFlight, ehlo }) => {
      // However slow this machine is, the server takes as long as it says.
      let now = performance.now();
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
      onTestFinished(() => clock.mockRestore());
      const answer: Answer = (peer) => {
        now += turnMs;
        peer.write('250 2.0.0 ok\r\n');
      };
      let mute = false;
      const server = await ScriptedServer.start(() => ({
        ...(ehlo !== undefined && { ehlo }),
        dot: mute ? '' : answer,
      }));
      const connection = optionsFor(server.port, { limits: { envelopeMs: LONG_MS, replyMs: LONG_MS } });
      const pool = new SmtpPool({ connection, deadlines, maxConnections: CONNECTIONS, mailsInFlight });
      for (let known = 0; known < TO_KNOW; known += 1) await pool.send(ENVELOPE, MAIL, pass);

      mute = true;
      let passed = 0;
      const gate = () => {
        passed += 1;
        return pass();
      };
      const most = CONNECTIONS * (mailsInFlight + documentedBehindEach(distance));
      const burst = () => Array.from({ length: most }, () => pool.send(ENVELOPE, MAIL, gate));
      const sends = burst();
      const untilSo = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: PATIENCE_MS });
      await untilSo(() => server.dots === TO_KNOW + CONNECTIONS * mailsInFlight);
      // Callers who send by themselves do not ask how many the pool can hold.
      sends.push(...burst());
      await untilSo(() => passed >= most);
      expect(passed).toBe(most);

      const drained = pool.drain();
      for (const peer of server.peers) peer.destroy();
      await Promise.all([drained, ...sends]);
      expect(passed).toBe(most);
      await server.close();
    },
  );
});
