import { connect, type Socket } from 'node:net';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { postsOn, type Place } from '../engine/posts.js';
import { Office, type Caller, type Reply } from './office.js';
import { officesOn } from './offices.js';

const HALF_A_BODY_BYTES = 49 * 1024 * 1024;

const portOf = async (office: Office): Promise<number> =>
  Number(new URL(await office.app.listen({ host: '127.0.0.1', port: 0 })).port);

const headOf = ({ headers }: Caller, bytes: number): string =>
  'POST /api/outbox HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
  `authorization: ${headers['authorization']!}\r\ncontent-length: ${bytes}\r\n\r\n{`;

/** Sends this much of a request and no more. */
class SlowClient {
  heard = '';
  readonly #socket: Socket;
  readonly answered: Promise<string>;

  constructor(port: number, text: string) {
    this.#socket = connect(port, '127.0.0.1', () => this.#socket.write(text));
    this.answered = new Promise((resolve) => {
      this.#socket.setEncoding('latin1').on('data', (chunk: string) => {
        this.heard += chunk;
        resolve(this.heard);
      });
      this.#socket.on('error', () => undefined).on('close', () => resolve(this.heard));
    });
  }

  hangUp(): void {
    this.#socket.destroy();
  }
}

describe('pressure', () => {
  const onOffice = officesOn(databases[0]!);
  const MAIL = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.' };

  test(
    'more than fits is told to come back, reads go on, and room that is given back is used again',
    onOffice(async (office) => {
      const port = await portOf(office);
      const head = headOf(office.admin, HALF_A_BODY_BYTES);
      const slow = Array.from({ length: 6 }, () => new SlowClient(port, head));
      const refused = await Promise.race(slow.map(({ answered }) => answered));
      expect(refused).toMatch(/^HTTP\/1\.1 503 /);
      expect(refused).toMatch(/^retry-after: \d+\r$/im);
      expect(refused).toContain('"busy"');
      expect((await office.call(office.admin, 'GET', '/api/messages')).status).toBe(200);
      for (const client of slow) client.hangUp();
      const send = async () => (await office.call(office.admin, 'POST', '/api/outbox', MAIL)).status;
      await expect.poll(send).toBe(200);
      await expect
        .poll(() => new SlowClient(port, headOf(office.admin, 2) + '}').answered)
        .toMatch(/^HTTP\/1\.1 400 /);
    }),
  );

  test(
    'hundreds who never finish a request keep nobody from sending, and are hung up on',
    onOffice(async (office) => {
      const port = await portOf(office);
      const slow = Array.from({ length: 200 }, () => new SlowClient(port, 'GET /healthz HTTP/1.1\r\nx: '));
      const { status } = await office.call(office.admin, 'POST', '/api/outbox', MAIL);
      expect(status).toBe(200);
      const answers = await Promise.all(slow.map(({ answered }) => answered));
      expect(new Set(answers.map((answer) => answer.split('\r\n')[0]))).toEqual(
        new Set(['HTTP/1.1 408 Request Timeout']),
      );
    }),
  );
});

describe.each(databases)('a database that is behind, on $name', (database) => {
  const onPosts = postsOn(database);
  const MAIL = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.', mode: 'queue' };

  test(
    'lets so many writes wait and tells the others to come back, until it has caught up',
    onPosts(async ({ place }) => {
      const office = await Office.open(place, { limits: { writes: 3 } });
      const put = () => office.call(office.admin, 'POST', '/api/outbox', MAIL);
      expect((await put()).status).toBe(202);
      const release = await holdUp(place);
      const answered: Reply[] = [];
      const all = Array.from({ length: 8 }, async () => {
        const reply = await put();
        answered.push(reply);
        return reply.status;
      });
      await expect.poll(() => answered.length).toBe(5);
      for (const { status, error, headers } of answered) {
        expect({ status, code: error.code }).toEqual({ status: 503, code: 'busy' });
        expect(headers['retry-after']).toBe('2');
      }
      expect((await office.call(office.admin, 'GET', '/api/messages')).status).toBe(200);
      await release();
      expect((await Promise.all(all)).sort()).toEqual([202, 202, 202, 503, 503, 503, 503, 503]);
      expect((await put()).status).toBe(202);
      await office.close();
    }),
  );
});

/** Someone else keeps all writes of messages waiting; what is read is not held up. */
async function holdUp({ databaseUrl, schema = 'pillarbox' }: Place): Promise<() => Promise<void>> {
  if (databaseUrl.startsWith('sqlite:')) {
    const foreign = new DatabaseSync(databaseUrl.slice('sqlite:'.length));
    foreign.exec('begin immediate');
    return () => {
      foreign.exec('commit');
      foreign.close();
      return Promise.resolve();
    };
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`begin; lock table ${schema}.messages in exclusive mode`);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}
