import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCatcher, type Catcher } from '#pillarbox/catcher/catcher';
import type { Caught } from '#pillarbox/catcher/inbox';
import { silent } from '#pillarbox/log/log';
import { readConfig } from '#pillarbox/service/config';
import { startService, type Serving } from '#pillarbox/service/serve';
import { openStore } from '#pillarbox/store/open';
import type { Store } from '#pillarbox/store/store';
import { databases, freshSqlite, type FreshDatabase } from '../databases.js';
import { useBroker } from '../relay/broker.js';
import { blocksOf, firstBlock, ROOT } from './pages.js';

const PROGRAM = join(ROOT, 'bin/pillarbox.js');
const CURL = join(ROOT, 'test/docs/curl.mjs');
const SECRET = 'a secret for tests, of some length';
const KEY = 'a-key-of-twenty-four-characters';

let directory: string;
let store: Store;
let catcher: Catcher;
let inbox: FreshDatabase;
const caught: Caught[] = [];
const broker = useBroker();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pillarbox-docs-'));
  inbox = await freshSqlite();
  store = await openStore({ databaseUrl: inbox.url, leaseMs: 60_000, log: silent });
  catcher = await startCatcher({ store, port: 0, log: silent, onCaught: (mail) => caught.push(mail) });
});
afterAll(async () => {
  await catcher.close();
  await store.close();
  await inbox.drop();
  await rm(directory, { recursive: true, force: true });
});

interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** All that it said. Throws if it failed. */
async function run({ program, args, cwd, env = {} }: Run, until?: () => Promise<unknown>): Promise<string> {
  const { PATH = '', HOME = '/' } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME, ...env }, detached: true });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  try {
    if (until) await Promise.race([until(), ended]);
    else if ((await ended) !== 0) throw new Error(said);
    return said;
  } finally {
    // What it has started itself, too.
    if (until && child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

const mailTo = async (address: string): Promise<void> =>
  expect.poll(() => caught.some(({ recipients }) => recipients.includes(address))).toBe(true);

/** Of the pages of single doors. */
const MAIL_SERVER = 'smtp://…';

/** A page's first example as a program of its own, with what only its readers have, and the end that it would come to. */
async function runExample(
  page: string,
  given: Readonly<Record<string, string>>,
  rest: string,
): Promise<unknown> {
  const home = join(directory, page.replaceAll(/\W/g, '-'));
  await mkdir(home);
  const library = { "from 'pillarbox'": `from '${pathToFileURL(join(ROOT, 'dist/index.js')).href}'` };
  const written = Object.entries({ ...library, ...given }).reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${page} does not say ${from}`);
      return text.replaceAll(from, to);
    },
    firstBlock(page, 'ts'),
  );
  const target = ts.ScriptTarget.ES2023;
  const compilerOptions = { target, module: ts.ModuleKind.ESNext };
  const { outputText } = ts.transpileModule(written, { compilerOptions });
  await writeFile(join(home, 'example.mjs'), `${outputText}\n${rest}\n`);
  const said = await run({ program: process.execPath, args: ['example.mjs'], cwd: home });
  return JSON.parse(said.trim().split('\n').at(-1) ?? '');
}

const UNTIL_SENT = `
for (;;) {
  const { items } = await box.messages.list();
  if (items.length > 0 && items.every(({ state }) => state === 'sent')) break;
  await new Promise((resolve) => setTimeout(resolve, 20));
}`;
const SAY_ALL = `
const { items: all } = await box.messages.list();
await box.stop();
console.log(JSON.stringify(all.map(({ subject, stepNumber, lane }) => ({ subject, stepNumber, lane }))));`;

test('the first example of the README sends its mail, and once', async () => {
  const [, postgres] = databases;
  const database = await postgres!.fresh();
  try {
    const mail = `{ to: 'grace@example.org', subject: 'Later', text: 'See you.' }`;
    const over = {
      'postgres://app@db/app': database.url,
      'smtp://user:password@mail.example.org': catcher.url,
      'outbox.enqueue(mail)': `outbox.enqueue(${mail})`,
      'await box.stop();': UNTIL_SENT + SAY_ALL,
    };
    expect(await runExample('README.md', over, '')).toEqual([
      { subject: 'Later', stepNumber: null, lane: 'outbox' },
      { subject: 'Booked', stepNumber: null, lane: 'outbox' },
    ]);
  } finally {
    await database.drop();
  }
});

test('the first example of notifications tells its subscriber', async () => {
  expect(
    await runExample('docs/notifications.md', { [MAIL_SERVER]: catcher.url }, UNTIL_SENT + SAY_ALL),
  ).toEqual([{ subject: 'A seat is open: Linear Algebra (09214)', stepNumber: null, lane: 'notification' }]);
});

test('the first example of campaigns shows its calendar and launches', async () => {
  // Who has left already says what he said.
  expect(await runExample('docs/campaigns.md', { [MAIL_SERVER]: catcher.url }, SAY_ALL)).toMatchObject([
    { stepNumber: 2, lane: 'campaign' },
    { stepNumber: 1, lane: 'campaign' },
  ]);
});

test('the first example of the guard says why its mail waits, or lets it leave', async () => {
  expect(await runExample('docs/guard.md', { [MAIL_SERVER]: catcher.url }, SAY_ALL)).toEqual([
    { subject: 'Hello', stepNumber: null, lane: 'outbox' },
  ]);
});

test('the first example of the relay sends its mail through RabbitMQ', async () => {
  const [, postgres] = databases;
  const database = await postgres!.fresh();
  try {
    const block = firstBlock('docs/relay.md', 'sh')
      .replace('postgres://…', database.url)
      .replace('amqp://guest:guest@localhost', broker.url)
      .replace('smtp://…', catcher.url)
      .replace('PILLARBOX_SECRET=…', `PILLARBOX_SECRET='${SECRET}'`)
      .replace('ada@example.org', 'through-rabbit@example.org');
    const script = `pillarbox() { "${process.execPath}" "${PROGRAM}" "$@"; }\n${block}\nwait`;
    const whole = { program: 'sh', args: ['-c', script], cwd: directory };
    await run(whole, () => mailTo('through-rabbit@example.org'));
    expect(caught.find(({ recipients }) => recipients.includes('through-rabbit@example.org'))?.subject).toBe(
      'Booked',
    );
  } finally {
    await database.drop();
  }
});

test('what the pages ask the API for by curl is answered', async () => {
  const database = await freshSqlite();
  let serving: Serving | undefined;
  try {
    const env = { DATABASE_URL: database.url, PILLARBOX_SECRET: SECRET };
    const config = readConfig({
      ...env,
      PORT: '0',
      PILLARBOX_API_KEY: KEY,
      PILLARBOX_ADMIN_PASSWORD: 'twelve letters',
    });
    serving = await startService({ config, worker: false, log: silent, onMade: () => undefined });
    const { url } = serving;
    const home = join(directory, 'curl');
    await mkdir(home);
    const rows = 'name\nanna.lind@fjordhus.example,Anna\nanna.example.org,Nobody\n';
    await writeFile(join(home, 'guests.csv'), `email,${rows}`);
    await writeFile(join(home, 'hosts.csv'), `E-Mail,${rows}`);
    const posted = await fetch(`${url}/api/outbox`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: 'ada@example.org', subject: 'Hello', text: 'x', mode: 'queue' }),
    });
    const { id } = ((await posted.json()) as { data: { id: string } }).data;
    const blocks = ['docs/contacts.md', 'docs/templates.md', 'docs/operations.md']
      .flatMap((page) => blocksOf(page, 'sh'))
      .filter(({ code }) => code.includes('curl '));
    expect(blocks.length).toBe(5);
    const script = blocks
      .map(({ code }) =>
        code
          .replaceAll('http://127.0.0.1:8025', url)
          .replaceAll('<msg_4k7q.5d41402a@example.org>', id)
          .replaceAll('./mail', join(home, 'mails'))
          // Where a reader has a secret of his own.
          .replaceAll('…', 'x'),
      )
      .join('\n');
    const tools = [
      `pillarbox() { "${process.execPath}" "${PROGRAM}" "$@"; }`,
      `curl() { "${process.execPath}" "${CURL}" "$@"; }`,
    ];
    const said = await run({
      program: 'sh',
      args: ['-ec', [...tools, script].join('\n')],
      cwd: home,
      env: { ...env, KEY, URL: url, PUBLIC_URL: url },
    });
    const answers = said.split('\n').filter((line) => line.startsWith('{"'));
    expect(answers.filter((line) => !line.startsWith('{"success":true'))).toEqual([]);
    expect(answers.length).toBe(10);
    expect(said).toContain('"reason":"email has no @');
  } finally {
    await serving?.stop();
    await database.drop();
  }
});
