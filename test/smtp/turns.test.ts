import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';

import type { ConnectionOptions } from '#pillarbox/transport/smtp/connection';
import { SmtpPool } from '#pillarbox/transport/smtp/pool';
import { documentedTurns } from './documented.js';
import { deadlines, ENVELOPE, LONG_MS, MAIL, optionsFor, pass } from './client.js';

const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
const [cert, key] = [fixture('cert.pem'), fixture('key.pem')];

type Tls = ConnectionOptions['tls'];

/** What the client said, turn by turn: each waited for an answer to the one before. */
interface Dialogue {
  readonly turns: string[];
  tls: string | null;
  resumed: boolean;
}

/** The greeting is waited for too, and TLS 1.3 takes one turn before anything can be said. */
function turnsIn({ turns, tls }: Dialogue): number {
  expect([null, 'TLSv1.3']).toContain(tls);
  return 1 + (tls === null ? 0 : 1) + turns.length;
}

const VERB = /^(?:EHLO|STARTTLS|AUTH|RSET|MAIL|RCPT|DATA|BDAT|QUIT)\b/;

/** Answers each thing that it is told, and notes what came together. */
async function listen(tls: Tls, more = '') {
  const dialogues: Dialogue[] = [];
  // One for all connections: it has the keys of the tickets.
  const secureContext = createSecureContext({ cert, key });
  const server = createServer((peer) => {
    const dialogue: Dialogue = { turns: [], tls: null, resumed: false };
    dialogues.push(dialogue);
    const secure = (clear: Socket): TLSSocket => {
      const secured = new TLSSocket(clear, { isServer: true, secureContext });
      secured.on('secure', () => {
        dialogue.tls = secured.getProtocol();
        dialogue.resumed = secured.isSessionReused();
      });
      return secured.on('error', () => undefined);
    };
    serve(tls === 'implicit' ? secure(peer) : peer, true);

    function serve(socket: Socket, greets: boolean): void {
      const hear = (bytes: Buffer): void => {
        const lines = bytes.toString('latin1').split('\r\n').filter(Boolean);
        const verbs = lines.map((line) => VERB.exec(line)?.[0] ?? (line === '.' ? 'dot' : ''));
        dialogue.turns.push(verbs.filter(Boolean).join(' '));
        if (verbs.at(-1) === 'STARTTLS') {
          socket.off('data', hear);
          return void socket.write('220 go\r\n', () => serve(secure(peer), false));
        }
        socket.write(verbs.map((verb) => answerTo(verb, more)).join(''));
        if (verbs.at(-1) === 'QUIT') socket.end();
      };
      socket.on('error', () => undefined).on('data', hear);
      if (greets) socket.write('220 far\r\n');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { dialogues, server, port: (server.address() as AddressInfo).port };
}

function answerTo(verb: string, more: string): string {
  switch (verb) {
    case 'EHLO':
      return `250-far\r\n250-STARTTLS\r\n250-AUTH PLAIN XOAUTH2\r\n${more}250 PIPELINING\r\n`;
    case 'AUTH':
      return '235 welcome\r\n';
    case 'DATA':
      return '354 go\r\n';
    case 'QUIT':
      return '221 bye\r\n';
    // A line of a body.
    case '':
      return '';
    default:
      return '250 ok\r\n';
  }
}

/** Sends so many mails at once, and then as many again, each time over a new connection. */
async function dialoguesOf(
  mails: number,
  tls: Tls,
  credentials?: ConnectionOptions['credentials'],
  more?: string,
): Promise<readonly Dialogue[]> {
  const { dialogues, server, port } = await listen(tls, more);
  const options = optionsFor(port, {
    ...{ tls, limits: { quietMs: LONG_MS } },
    ...(tls !== 'none' && { ca: cert }),
    ...(credentials && { credentials }),
  });
  const pool = new SmtpPool({
    ...{ connection: options, deadlines, maxConnections: 1 },
    maxMailsPerConnection: mails,
  });
  for (let connections = 0; connections < 2; connections += 1) {
    const sends = Array.from({ length: mails }, () => pool.send(ENVELOPE, MAIL, pass));
    for (const { left } of await Promise.all(sends)) expect(left).toBe('yes');
  }
  await pool.drain();
  await new Promise((resolve) => server.close(resolve));
  return dialogues.map((dialogue) => ({
    ...dialogue,
    turns: dialogue.turns.filter((turn) => turn !== 'QUIT'),
  }));
}

const CHUNKING = '250-CHUNKING\r\n';
const PASSWORD = { user: 'ada', password: 'opensesame' };
const TOKEN = { user: 'ada', accessToken: 'opensesame' };
const ENVELOPE_FIRST = ['MAIL RCPT DATA', 'dot'];
const CASES: [string, Tls, ConnectionOptions['credentials'], string[]][] = [
  ['in clear', 'none', undefined, ['EHLO']],
  ['`smtps://`, log-in', 'implicit', PASSWORD, ['EHLO', 'AUTH']],
  ['`smtps://`, log-in', 'implicit', TOKEN, ['EHLO', 'AUTH']],
  ['`smtp://` with STARTTLS, log-in', 'starttls', PASSWORD, ['EHLO', 'STARTTLS', 'EHLO', 'AUTH']],
];

test.each(CASES)(
  'a new connection (%s) needs no more turns than the protocols, and as many as is written down',
  async (name, tls, credentials, setUp) => {
    const dialogues = await dialoguesOf(1, tls, credentials);
    expect(dialogues.map(({ turns }) => turns)).toEqual([
      [...setUp, ...ENVELOPE_FIRST],
      [...setUp, ...ENVELOPE_FIRST],
    ]);
    expect(dialogues.map(turnsIn)).toEqual([documentedTurns(name), documentedTurns(name)]);
    // And the next goes on with the session of the one before.
    expect(dialogues.map(({ resumed }) => resumed)).toEqual([false, tls !== 'none']);
  },
);

test.each(CASES)(
  'a new connection (%s) with CHUNKING needs one less',
  async (name, tls, credentials, setUp) => {
    const dialogues = await dialoguesOf(1, tls, credentials, CHUNKING);
    for (const dialogue of dialogues) {
      expect(dialogue.turns).toEqual([...setUp, 'MAIL RCPT BDAT']);
      expect(turnsIn(dialogue)).toBe(documentedTurns(name) + documentedTurns('each of them with CHUNKING'));
    }
  },
);

test.each([
  ['', ['MAIL RCPT DATA', 'dot RSET MAIL RCPT DATA', 'dot RSET MAIL RCPT DATA', 'dot']],
  // Nothing is known to be left of the one before.
  [CHUNKING, ['MAIL RCPT BDAT', 'MAIL RCPT BDAT', 'MAIL RCPT BDAT']],
])('each further mail on a busy connection needs one (%j)', async (more, turns) => {
  const [one] = await dialoguesOf(1, 'none', undefined, more);
  const [three] = await dialoguesOf(3, 'none', undefined, more);
  expect(three!.turns).toEqual(['EHLO', ...turns]);
  expect(turnsIn(three!) - turnsIn(one!)).toBe(2 * documentedTurns('a further mail on a busy one'));
});
