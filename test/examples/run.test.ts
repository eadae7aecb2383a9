import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startCatcher } from '#pillarbox/catcher/catcher';
import type { Caught } from '#pillarbox/catcher/inbox';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { Running } from '../cli/cli.js';
import { aWish, POSTS } from './venue.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = join(ROOT, 'examples/dist/booking/main.js');
const OUTREACH = join(ROOT, 'examples/dist/outreach/main.js');
/** As its README has it, but two days and more in a second. */
const FAST = '2026-11-16T07:00:00Z*200000';

const ending: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-p', 'examples'], { cwd: ROOT });
});

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** A catcher on the database that the example uses, as in its README. */
async function catcherOn(
  databaseUrl: string,
): Promise<{ url: string; firstMail: Promise<Caught>; caught: readonly Caught[] }> {
  const store = await openStore({ databaseUrl, leaseMs: 60_000, log: silent });
  ending.push(() => store.close());
  const caught: Caught[] = [];
  let onCaught: (mail: Caught) => void = () => undefined;
  const firstMail = new Promise<Caught>((resolve) => {
    onCaught = (mail) => {
      caught.push(mail);
      resolve(mail);
    };
  });
  const catcher = await startCatcher({ store, port: 0, log: silent, onCaught });
  ending.push(() => catcher.close());
  return { url: catcher.url, firstMail, caught };
}

test('the outreach script imports a file, shows the calendar, and ends when its campaign has', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pillarbox-outreach-'));
  ending.push(() => rm(directory, { recursive: true, force: true }));
  const databaseUrl = `sqlite:${join(directory, 'outreach.db')}`;
  const { url, caught } = await catcherOn(databaseUrl);
  const { PATH = '' } = process.env;
  const env = { PATH, DATABASE_URL: databaseUrl, SMTP_URL: url, PILLARBOX_CLOCK: FAST };
  const script = new Running([OUTREACH], spawn(process.execPath, [OUTREACH], { cwd: ROOT, env }));
  ending.push(() => script.kill());
  const { code, stdout, stderr } = await script.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('6 new, 0 known, 1 left out\n  line 6: email has no @');
  expect(stdout).toContain('simulated: 12 leave, 0 violations');
  expect(stdout).toMatch(/^planned {2}2026-\d\d-\d\d {2}#+ {2}\d$/m);
  expect(stdout).toContain('12 sent, 0 to come');
  expect(caught).toHaveLength(12);
  const toAda = caught.filter(({ recipients }) => recipients.includes('ada@example.org'));
  expect(toAda.map(({ subject }) => subject)).toEqual([
    'Rooms in autumn, Ada Lovelace',
    'Re: Rooms in autumn, Ada Lovelace',
  ]);
});

test.each(POSTS)(
  'the booking server runs by itself, posts %s, and stops in order when told',
  async (post) => {
    const directory = await mkdtemp(join(tmpdir(), 'pillarbox-booking-'));
    ending.push(() => rm(directory, { recursive: true, force: true }));
    const databaseUrl = `sqlite:${join(directory, 'booking.db')}`;
    const { url, firstMail } = await catcherOn(databaseUrl);

    const { PATH = '' } = process.env;
    const env = { PATH, DATABASE_URL: databaseUrl, SMTP_URL: url, BOOKING_POST: post, PORT: '0' };
    const server = new Running([MAIN], spawn(process.execPath, [MAIN], { env }));
    ending.push(() => server.kill());
    const said = await server.said(/bookings are taken at http:\/\/[\d.:]+/);
    const address = /taken at (http:\/\/[\d.:]+)/.exec(said)![1]!;

    const reply = await fetch(`${address}/bookings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(aWish()),
    });
    expect(reply.status).toBe(201);
    expect(await firstMail).toMatchObject({
      subject: 'Booked: First talk',
      sender: 'bookings@example.org',
      recipients: ['ada@example.org', 'grace@example.org'],
    });

    server.tell('SIGTERM');
    const { code, stderr } = await server.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  },
);
