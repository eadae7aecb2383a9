import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { Gatekeeper } from '#pillarbox/access/gatekeeper';
import { buildServer } from '#pillarbox/http/server';
import { silent } from '#pillarbox/log/log';
import { databases } from '../databases.js';
import { postsOn, type Place } from '../engine/posts.js';
import { barrier } from '../engine/signal.js';
import { Office, PUBLIC_URL, type Caller, type Reply } from './office.js';
import { officesOn } from './offices.js';
import { CHUNKED, chunkOf, headOf, ofLength, portOf, RawClient } from './raw-client.js';

const MB = 1024 * 1024;

describe('pressure', () => {
  const onOffice = officesOn(databases[0]!);
  const MAIL = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.', mode: 'queue' };
  const put = async (office: Office, caller: Caller) =>
    (await office.call(caller, 'POST', '/api/outbox', MAIL)).status;
  /** Has sent so much of a body, and stops. */
  const halfDone = (port: number, caller: Caller, bytes: number): RawClient =>
    new RawClient(port, headOf('/api/outbox', caller, ofLength(40 * MB)) + ' '.repeat(bytes));

  test(
    'what has come and does not fit is told to come back, reads go on, and room that is given back is used again',
    onOffice(
      async (office) => {
        const port = await portOf(office);
        const slow = Array.from({ length: 6 }, () => halfDone(port, office.admin, MB));
        const refused = await Promise.race(slow.map((client) => client.answers()));
        expect(refused).toMatch(/^HTTP\/1\.1 503 /);
        expect(refused).toMatch(/^retry-after: \d+\r$/im);
        expect(refused).toContain('"busy"');
        expect((await office.call(office.admin, 'GET', '/api/messages')).status).toBe(200);
        for (const client of slow) client.hangUp();
        await expect.poll(() => put(office, office.admin)).toBe(202);
      },
      { limits: { known: { bytes: 3 * MB } } },
    ),
  );

  test(
    'what is announced and has not come takes no room',
    onOffice(
      async (office) => {
        const port = await portOf(office);
        const slow = Array.from({ length: 20 }, () => halfDone(port, office.admin, 1));
        for (let n = 0; n < 20; n += 1) expect(await put(office, office.admin)).toBe(202);
        expect(slow.flatMap(({ statuses }) => statuses)).toEqual([]);
        for (const client of slow) client.hangUp();
      },
      { limits: { known: { bytes: 3 * MB } } },
    ),
  );

  test(
    'whoever is refused in the middle of a body is not hung up on: he ends it, and asks again on the same connection',
    onOffice(
      async (office) => {
        const port = await portOf(office);
        const whole = MB + 100;
        const first = new RawClient(
          port,
          headOf('/api/outbox', office.admin, ofLength(whole)) + ' '.repeat(MB),
        );
        const second = new RawClient(port, headOf('/api/outbox', office.admin, CHUNKED));
        const chunk = chunkOf(' '.repeat(64 * 1024));
        // Each piece is sent until one of the two has no room left.
        while (second.statuses.length === 0 && first.statuses.length === 0) await second.send(chunk);
        const [refused, other] = second.statuses.length > 0 ? [second, first] : [first, second];
        expect(refused.statuses).toEqual([503]);
        other.hangUp();
        await refused.send(refused === second ? '0\r\n\r\n' : ' '.repeat(whole - MB));
        const body = JSON.stringify(MAIL);
        const again = headOf('/api/outbox', office.admin, ofLength(body.length)) + body;
        for (let many = 2; refused.statuses.at(-1) === 503; many += 1) {
          expect(await refused.send(again)).toBe(true);
          await refused.answers(many);
        }
        expect(refused.statuses.at(-1)).toBe(202);
        refused.hangUp();
      },
      { limits: { known: { bytes: 2 * MB } } },
    ),
  );

  test(
    'one workspace does not take all the room',
    onOffice(
      async (office) => {
        const port = await portOf(office);
        const other = await office.key(['send'], await office.workspace('other'));
        const slow = [halfDone(port, office.admin, 1), halfDone(port, office.admin, 1)];
        const refused = async () => {
          const status = await put(office, office.admin);
          // Who came while another mail was being put had no room himself, and another comes in his place.
          for (const [n, { statuses, ended }] of slow.entries())
            if (ended || statuses.length > 0) slow[n] = halfDone(port, office.admin, 1);
          return status === 503;
        };
        await expect.poll(refused).toBe(true);
        expect(await put(office, other)).toBe(202);
        for (const client of slow) client.hangUp();
        await expect.poll(() => put(office, office.admin)).toBe(202);
      },
      { limits: { known: { writes: 4, writesOfOne: 2 } } },
    ),
  );

  test(
    'whoever hangs up while he is being recognised leaves nothing behind',
    onOffice(async ({ box, admin }) => {
      const asked = barrier();
      const answer = barrier();
      class Slow extends Gatekeeper {
        override async ofKey(key: string) {
          asked.open();
          await answer.wait;
          return super.ofKey(key);
        }
      }
      const app = await buildServer({
        ...{ box, gatekeeper: new Slow(box.store, box.home.id), publicUrl: PUBLIC_URL, log: silent },
        ...{ cronSecret: undefined, limits: { known: { writes: 1 } } },
      });
      const hungUp = new Promise((resolve) => {
        app.server.once('connection', (socket) => socket.once('close', resolve));
      });
      const client = halfDone(await portOf({ app }), admin, 1);
      await asked.wait;
      client.hangUp();
      await hungUp;
      answer.open();
      const { headers } = admin;
      const again = async () =>
        (await app.inject({ method: 'POST', url: '/api/outbox', headers: { ...headers }, payload: MAIL }))
          .statusCode;
      await expect.poll(again).toBe(202);
      await app.close();
    }),
  );

  test(
    'hundreds who never finish a request keep nobody from sending, and are hung up on [T17]',
    onOffice(async (office) => {
      const port = await portOf(office);
      const slow = Array.from({ length: 200 }, () => new RawClient(port, 'GET /healthz HTTP/1.1\r\nx: '));
      expect(await put(office, office.admin)).toBe(202);
      const answers = await Promise.all(slow.map((client) => client.answers()));
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
      const office = await Office.open(place, { limits: { known: { writes: 3 } } });
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
async function holdUp({ databaseUrl }: Place): Promise<() => Promise<void>> {
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
  await client.query(`begin; lock table pillarbox.messages in exclusive mode`);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}
