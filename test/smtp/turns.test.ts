import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';

import type { ConnectionOptions } from '#pillarbox/transport/smtp/connection';
import { SmtpPool } from '#pillarbox/transport/smtp/pool';
import { deadlines, ENVELOPE, LONG_MS, MAIL, optionsFor, pass } from './client.js';

const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
const [cert, key] = [fixture('cert.pem'), fixture('key.pem')];

/** What the client said, turn by turn: each waited for an answer to the one before. */
interface Dialogue {
  readonly turns: string[];
  resumed: boolean;
}

/** Answers each thing that it is told, and notes what came together. */
async function listen(tls: 'implicit' | 'starttls', more = '') {
  const dialogues: Dialogue[] = [];
  // One for all connections: it has the keys of the tickets.
  const secureContext = createSecureContext({ cert, key });
  const server = createServer((peer) => {
    const dialogue: Dialogue = { turns: [], resumed: false };
    dialogues.push(dialogue);
    const secure = (clear: Socket): TLSSocket => {
      const secured = new TLSSocket(clear, { isServer: true, secureContext });
      secured.on('secure', () => (dialogue.resumed = secured.isSessionReused()));
      return secured.on('error', () => undefined);
    };
    serve(tls === 'implicit' ? secure(peer) : peer, true);

    function serve(socket: Socket, greets: boolean): void {
      let inBody = false;
      const hear = (bytes: Buffer): void => {
        const text = bytes.toString('latin1');
        const verbs = inBody
          ? ['content']
          : text
              .split('\r\n')
              .filter(Boolean)
              .map((line) => line.slice(0, 4));
        dialogue.turns.push(verbs.includes('BDAT') ? 'MAIL RCPT BDAT content' : verbs.join(' '));
        if (inBody) {
          inBody = false;
          return void socket.write('250 2.0.0 ok\r\n');
        }
        switch (verbs.at(-1)) {
          case 'EHLO':
            return void socket.write(
              `250-far\r\n250-STARTTLS\r\n250-AUTH PLAIN\r\n${more}250 PIPELINING\r\n`,
            );
          case 'STAR':
            socket.off('data', hear);
            return void socket.write('220 go\r\n', () => serve(secure(peer), false));
          case 'AUTH':
            return void socket.write('235 welcome\r\n');
          case 'DATA':
            inBody = true;
            return void socket.write('250 ok\r\n250 ok\r\n354 go\r\n');
          case 'QUIT':
            return void socket.end('221 bye\r\n');
          default:
            return void socket.write('250 ok\r\n250 ok\r\n250 ok\r\n');
        }
      };
      socket.on('error', () => undefined).on('data', hear);
      if (greets) socket.write('220 far\r\n');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { dialogues, server, port: (server.address() as AddressInfo).port };
}

/** Two mails, each on a connection of its own. */
async function turnsOf(tls: 'implicit' | 'starttls', more?: string): Promise<readonly Dialogue[]> {
  const { dialogues, server, port } = await listen(tls, more);
  const options: ConnectionOptions = optionsFor(port, {
    tls,
    ca: cert,
    credentials: { user: 'ada', password: 'opensesame' },
    limits: { quietMs: LONG_MS },
  });
  const pool = new SmtpPool({ connection: options, deadlines, maxConnections: 1, maxMailsPerConnection: 1 });
  for (let mails = 0; mails < 2; mails += 1) expect((await pool.send(ENVELOPE, MAIL, pass)).left).toBe('yes');
  await pool.drain();
  await new Promise((resolve) => server.close(resolve));
  return dialogues;
}

const withoutQuit = ({ turns }: Dialogue): readonly string[] => turns.filter((turn) => turn !== 'QUIT');

test.each([
  ['TLS from the first byte', 'implicit', undefined, ['EHLO', 'AUTH', 'MAIL RCPT DATA', 'content']],
  ['STARTTLS', 'starttls', undefined, ['EHLO', 'STAR', 'EHLO', 'AUTH', 'MAIL RCPT DATA', 'content']],
  [
    'TLS from the first byte and CHUNKING',
    'implicit',
    '250-CHUNKING\r\n',
    ['EHLO', 'AUTH', 'MAIL RCPT BDAT content'],
  ],
] as const)(
  'a new connection with %s needs no more turns than the protocols',
  async (_how, tls, more, turns) => {
    const [first, second] = await turnsOf(tls, more);
    expect(withoutQuit(first!)).toEqual(turns);
    // And the next goes on with the session of the one before.
    expect(withoutQuit(second!)).toEqual(turns);
    expect([first!.resumed, second!.resumed]).toEqual([false, true]);
  },
);
