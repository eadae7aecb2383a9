import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { SmtpPool } from '#pillarbox/transport/smtp/pool';
import { PATIENCE_MS } from '../patience.js';
import { deadlines, optionsFor, pass, verdict } from './client.js';
import { EXIM } from './real-servers/exim.js';
import { OPENSMTPD } from './real-servers/opensmtpd.js';
import { POSTFIX } from './real-servers/postfix.js';
import { blurt, startRealServer, type RealServer } from './real-servers/room.js';

interface Plan {
  readonly name: string;
  readonly port: number;
  readonly how: RegExp;
  readonly complaint: RegExp;
}

const MAILS = 48;
const CONNECTIONS = 2;
const REFUSED = new Set([5, 6, 20, 33, 47]);

/** Lines that begin with dots, long ones, none at all: whatever a server could take for something else. */
function mailOf(name: string, index: number): string {
  const lines = ['.', '..', `.${name}`, 'QUIT', 'RSET', 'x'.repeat(900), '', 'MAIL FROM:<eve@example.org>'];
  const body = Array.from({ length: 1 + (index % 7) * 12 }, (_, at) => lines[(at + index) % lines.length]);
  const headers = [
    'From: ada@example.org',
    'To: bob@example.test',
    `Subject: ${name} ${index}`,
    'Date: Wed, 18 Nov 2026 10:00:00 +0000',
    `Message-ID: <${name}.${index}@example.org>`,
  ];
  return [...headers, '', ...body, `the end of ${index}`, ''].join('\r\n');
}

/** All at once, so that each rides behind another; the answer is what became of each. */
async function sendAll(name: string, port: number): Promise<string[]> {
  const pool = new SmtpPool({
    connection: optionsFor(port),
    deadlines,
    maxConnections: CONNECTIONS,
    mailsInFlight: 4,
  });
  const sends = Array.from({ length: MAILS }, async (_, index) => {
    const to = [REFUSED.has(index) ? 'refused@example.test' : 'bob@example.test'];
    const bytes = Buffer.from(mailOf(name, index), 'latin1');
    return verdict(await pool.send({ from: 'ada@example.org', to }, bytes, pass));
  });
  const verdicts = await Promise.all(sends);
  await pool.drain();
  return verdicts;
}

const EXPECTED = Array.from({ length: MAILS }, (_, index) =>
  REFUSED.has(index) ? 'no/rcpt/550' : 'yes/reply/250',
);

/** The mails of that name, as the server has them, without the lines that it put before ours. */
async function arrived(server: RealServer, name: string): Promise<string[]> {
  const mails = (await server.stored()).map((text) => text.slice(text.indexOf('From: ada@example.org\r\n')));
  return mails.filter((text) => text.includes(`\r\nSubject: ${name} `)).sort();
}

const sent = (name: string): string[] =>
  EXPECTED.flatMap((_, index) => (REFUSED.has(index) ? [] : mailOf(name, index))).sort();

/** Each came once and as it was sent, or was refused; and the log says how they came, and nothing bad. */
async function takesAll(server: RealServer, { name, port, how, complaint }: Plan): Promise<void> {
  expect(await sendAll(name, port)).toEqual(EXPECTED);
  const all = async () => (await arrived(server, name)).length >= sent(name).length;
  await vi.waitUntil(all, { timeout: PATIENCE_MS, interval: 50 });
  expect(await arrived(server, name)).toEqual(sent(name));
  await vi.waitUntil(async () => how.test(await server.log()), { timeout: PATIENCE_MS, interval: 50 });
  expect(await server.log()).not.toMatch(complaint);
}

describe.each(Object.entries({ Postfix: POSTFIX, Exim: EXIM, OpenSMTPD: OPENSMTPD }))('%s', (_, recipe) => {
  const { complaint, nuisance, byData, byBdat } = recipe;
  let server: RealServer;

  beforeAll(async () => {
    server = await startRealServer(recipe);
  });

  afterAll(() => server.stop());

  test('takes mails by DATA, as close behind each other as it allows', async () => {
    await takesAll(server, { name: 'data', port: server.ports[0], how: byData, complaint });
  });

  if (byBdat) {
    test('takes mails by BDAT, four of them in the air', async () => {
      expect(await server.log()).not.toMatch(byBdat);
      await takesAll(server, { name: 'chunks', port: server.ports[1], how: byBdat, complaint });
    });
  }

  test('would have complained', async () => {
    await blurt(server.ports[0], nuisance);
    const complained = async () => complaint.test(await server.log());
    await vi.waitUntil(complained, { timeout: PATIENCE_MS, interval: 50 });
  });
});
