import { describe, expect, test } from 'vitest';
import { addMember } from '#pillarbox/store/scripts/users';
import { databases } from '../databases.js';
import { PASSWORD, PASSWORD_HASH, STRANGER, type Office } from './office.js';
import { officesOn } from './offices.js';
import { CHUNKED, chunkOf, headOf, ofLength, portOf, RawClient } from './raw-client.js';

const MAIL = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.', mode: 'queue' };
const LOG_IN = '/api/auth/login';
const ADA = 'ada@example.org';

/** Over a connection of its own. */
async function send(port: number, office: Office): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/outbox`, {
    method: 'POST',
    headers: { ...office.admin.headers, 'content-type': 'application/json' },
    body: JSON.stringify(MAIL),
  });
  await response.arrayBuffer();
  return response.status;
}

async function logIn(port: number, from: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${LOG_IN}`, {
    method: 'POST',
    headers: { 'x-forwarded-for': from, 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADA, password: PASSWORD }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function known({ box: { store, home } }: Office): Promise<void> {
  const person = { email: ADA, role: 'viewer', password: PASSWORD_HASH } as const;
  await store.transaction(addMember(store, home.id, person, await store.now()));
}

const statusesOf = (clients: readonly RawClient[]): readonly number[] =>
  clients.flatMap(({ statuses }) => statuses);

describe('strangers', () => {
  const onOffice = officesOn(databases[0]!);

  test(
    'hundreds who announce a log-in and send a byte of it keep nobody from sending, nor others from logging in',
    onOffice(
      async (office) => {
        await known(office);
        const port = await portOf(office);
        const mega = headOf(LOG_IN, STRANGER, ofLength(1_048_576)) + '{';
        const small = headOf(LOG_IN, STRANGER, ofLength(1_000)) + '{';
        const unknown = headOf(LOG_IN, STRANGER, CHUNKED) + chunkOf('{');
        const nowhere = headOf('/api/no-such-thing', STRANGER, ofLength(1_000)) + '{';
        const attack = [mega, small, unknown, nowhere].flatMap((head) =>
          Array.from({ length: 128 }, () => new RawClient(port, head)),
        );
        const answered = (wanted: number) => statusesOf(attack).filter((status) => status === wanted).length;
        // All of them are there. What is announced too large is refused for it, unless there are too many already.
        const refused = () => answered(413) + answered(503);
        await expect.poll(refused).toBe(4 * 128 - 64);
        for (let n = 0; n < 20; n += 1) expect(await send(port, office)).toBe(202);
        expect(await logIn(port, '203.0.113.7')).toBe(200);
        for (const client of attack) client.hangUp();
        await expect.poll(() => logIn(port, '127.0.0.1')).toBe(200);
      },
      { limits: { strangersBodyMs: 600_000 } },
    ),
  );

  test(
    'from many places together take their own room and nobody else’s',
    onOffice(
      async (office) => {
        const port = await portOf(office);
        const attack = Array.from({ length: 40 }, (_, n) => {
          const caller = { headers: { 'x-forwarded-for': `203.0.113.${n}` } };
          return new RawClient(port, headOf(LOG_IN, caller, ofLength(100)) + '{');
        });
        await expect.poll(() => statusesOf(attack)).toEqual(Array(32).fill(503));
        for (let n = 0; n < 20; n += 1) expect(await send(port, office)).toBe(202);
        for (const client of attack) client.hangUp();
      },
      { limits: { strangers: { writes: 8 }, strangersBodyMs: 600_000 } },
    ),
  );

  test(
    'who send half a log-in and no more are told that it took too long, and hung up on',
    onOffice(
      async (office) => {
        const port = await portOf(office);
        const slow = new RawClient(port, headOf(LOG_IN, STRANGER, ofLength(100)) + '{');
        expect(await slow.answers()).toMatch(/^HTTP\/1\.1 408 [^]*"timeout"/);
        await slow.over();
        // Whoever is known has the time of a whole request.
        const rest = JSON.stringify(MAIL).slice(1);
        const known = new RawClient(
          port,
          headOf('/api/outbox', office.admin, ofLength(rest.length + 1)) + '{',
        );
        const second = new RawClient(port, headOf(LOG_IN, STRANGER, ofLength(100)) + '{');
        await second.over();
        expect(known.statuses).toEqual([]);
        await known.send(rest);
        expect(await known.answers()).toMatch(/^HTTP\/1\.1 202 /);
        known.hangUp();
      },
      { limits: { strangersBodyMs: 300 } },
    ),
  );

  test(
    'hold so many connections and no more, and none that somebody known has asked on',
    onOffice(
      async (office) => {
        const port = await portOf(office);
        const body = JSON.stringify(MAIL);
        const write = headOf('/api/outbox', office.admin, ofLength(body.length)) + body;
        const known = new RawClient(port, write);
        expect(await known.answers()).toMatch(/^HTTP\/1\.1 202 /);
        const crowd: RawClient[] = [];
        for (let n = 0; n < 60; n += 1) {
          const client = new RawClient(port, 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
          await client.answers();
          crowd.push(client);
        }
        await expect.poll(() => crowd.filter(({ ended }) => ended).length).toBe(40);
        expect(crowd.slice(0, 40).every(({ ended }) => ended)).toBe(true);
        await known.send(write);
        await known.answers(2);
        expect(known.statuses).toEqual([202, 202]);
        for (const client of [known, ...crowd]) client.hangUp();
      },
      { limits: { strangersSockets: 20 } },
    ),
  );
});
