import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { STRANGER, type Caller, type Office } from './office.js';
import { officesOn } from './offices.js';
import { CHUNKED, chunkOf, headOf, ofLength, portOf, RawClient } from './raw-client.js';

const MB = 1024 * 1024;
const MAIL = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.', mode: 'queue' };

setFlagsFromString('--expose-gc');
/** What nobody holds on to any more is no part of what is measured after it. */
const sweep = runInNewContext('gc') as () => void;

const inMemory = (): number => {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
};

interface Poured {
  readonly sentMb: number;
  readonly roseMb: number;
  readonly heard: string;
}

/** Sends a gigabyte without ever having said how much it would be, as far as the other side lets it. */
async function pour(port: number, url: string, caller: Caller): Promise<Poured> {
  const chunk = chunkOf(' '.repeat(MB));
  const client = new RawClient(port, headOf(url, caller, CHUNKED));
  sweep();
  const before = inMemory();
  let most = before;
  let sentMb = 0;
  while (sentMb < 1_024 && client.statuses.length === 0 && (await client.send(chunk))) {
    sentMb += 1;
    // When the sweeper comes by himself depends on whatever else the process has done. A body has its time, too.
    if (sentMb % 4 === 0) sweep();
    most = Math.max(most, inMemory());
  }
  await client.answers();
  client.hangUp();
  return { sentMb, roseMb: (most - before) / MB, heard: client.heard };
}

const count = async (office: Office): Promise<number> =>
  ((await office.call(office.admin, 'GET', '/api/messages')).data['items'] as readonly unknown[]).length;

describe('a body without a length', () => {
  const onOffice = officesOn(databases[0]!);

  test.each([
    ['a stranger’s log-in', '/api/auth/login', false, 16],
    ['a stranger’s, to nowhere', '/api/nowhere', false, 16],
    ['somebody’s, to a route for little', '/api/keys', true, 16],
    ['somebody’s, to a route for much', '/api/outbox', true, 70],
  ])('of a gigabyte ends at the limit of its route: %s [F44]', (_, url, isKnown, mostMb) =>
    onOffice(async (office) => {
      const port = await portOf(office);
      const { sentMb, roseMb, heard } = await pour(port, url, isKnown ? office.admin : STRANGER);
      expect(heard).toMatch(/^HTTP\/1\.1 413 [^]*"too_large"/);
      // What a connection has in its buffers is on its way, too.
      expect(sentMb).toBeLessThan(mostMb);
      // A route for much keeps what it may.
      expect(roseMb).toBeLessThan(url === '/api/outbox' ? 150 : 50);
      expect((await office.call(office.admin, 'POST', '/api/outbox', MAIL)).status).toBe(202);
    })(),
  );

  test(
    'that goes on after it was refused runs into nothing, and is hung up on after a while',
    onOffice(async (office) => {
      const client = new RawClient(await portOf(office), headOf('/api/auth/login', STRANGER, CHUNKED));
      await client.send(chunkOf(' '.repeat(20_000)));
      expect(await client.answers()).toMatch(/^HTTP\/1\.1 413 /);
      expect(await client.send(chunkOf(' '))).toBe(true);
      await client.over();
    }),
  );

  test(
    'of one letter a piece costs what its letters cost, not what its pieces would [F44]',
    onOffice(async (office) => {
      const port = await portOf(office);
      const came = new Promise<Socket>((resolve) => office.app.server.once('connection', resolve));
      const head = headOf('/api/keys', office.admin, CHUNKED);
      const client = new RawClient(port, head);
      const socket = await came;
      const letters = 300_000;
      const pieces = chunkOf(' ').repeat(10_000);
      sweep();
      const before = inMemory();
      for (let sent = 0; sent < letters; sent += 10_000) await client.send(pieces);
      const all = head.length + chunkOf(' ').length * letters;
      await expect.poll(() => socket.bytesRead).toBe(all);
      sweep();
      // Kept piece by piece it would be some forty megabytes.
      expect((inMemory() - before) / MB).toBeLessThan(10);
      await client.send('0\r\n\r\n');
      expect(await client.answers()).toMatch(/^HTTP\/1\.1 400 /);
      client.hangUp();
    }),
  );

  test(
    'that is a mail is taken like any other, in whatever pieces it comes',
    onOffice(async (office) => {
      const port = await portOf(office);
      const client = new RawClient(port, headOf('/api/outbox', office.admin, CHUNKED));
      for (const letter of JSON.stringify(MAIL)) await client.send(chunkOf(letter));
      await client.send('0\r\n\r\n');
      expect(await client.answers()).toMatch(/^HTTP\/1\.1 202 /);
      client.hangUp();
    }),
  );
});

describe('a body that nobody writes', () => {
  const onOffice = officesOn(databases[0]!);
  const DEPTH = 100_000;
  const mail = JSON.stringify(MAIL);

  test.each<readonly [string, string, RegExp]>([
    ['a list in a list, and so on', '['.repeat(DEPTH) + ']'.repeat(DEPTH), /nested deeper/],
    ['a list in a list, without an end', '['.repeat(DEPTH), /request: /],
    ['an object in an object, and so on', '{"to":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH), /nested deeper/],
    ['__proto__', mail.replace('{', '{"__proto__":{"admin":true},'), /request: /],
    ['__proto__ further in', mail.replace('{', '{"headers":{"__proto__":{"a":1}},'), /request: /],
    ['constructor', mail.replace('{', '{"constructor":{"prototype":{"a":1}},'), /request: /],
    ['a key twice', mail.replace('{', '{"to":"eve@example.org",'), /^to: is given twice/],
    [
      'a key twice, spelt otherwise',
      mail.replace('{', String.raw`{"\u0074o":"eve@example.org",`),
      /^to: is given/,
    ],
    [
      'a key twice, further in',
      mail.replace('{', '{"headers":{"X-A":"1","X-A":"2"},'),
      /^X-A: is given twice/,
    ],
    ['a byte order mark', `\ufeff${mail}`, /byte order mark/],
    ['a NUL', mail.replace('Booked', String.raw`\u0000`), /^subject: /],
    ['half of a surrogate pair', mail.replace('Booked', String.raw`\ud800`), /^subject: /],
  ])('is refused, and nothing is stored: %s [F44]', (_, body, words) =>
    onOffice(async (office) => {
      const port = await portOf(office);
      const length = Buffer.byteLength(body);
      const client = new RawClient(port, headOf('/api/outbox', office.admin, ofLength(length)));
      await client.send(body);
      const heard = await client.answers();
      expect(heard).toMatch(/^HTTP\/1\.1 400 /);
      const { error } = JSON.parse(heard.slice(heard.indexOf('\r\n\r\n'))) as { error: { message: string } };
      expect(error.message).toMatch(words);
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
      expect(await count(office)).toBe(0);
      client.hangUp();
    })(),
  );

  test(
    'is refused by what it announces, without being read: ten megabytes where there is room for one [F44]',
    onOffice(async (office) => {
      const port = await portOf(office);
      for (const [url, caller, bytes] of [
        ['/api/keys', office.admin, 10 * MB],
        ['/api/outbox', office.admin, 51 * MB],
        ['/api/auth/login', STRANGER, 20_000],
      ] as const) {
        const client = new RawClient(port, headOf(url, caller, ofLength(bytes)));
        expect(await client.answers()).toMatch(/^HTTP\/1\.1 413 [^]*"too_large"/);
        client.hangUp();
      }
    }),
  );
});
