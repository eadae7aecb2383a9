import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPillarbox, fileTransport, type Outgoing } from 'pillarbox';
import { databases } from '../databases.js';

const message: Outgoing = {
  id: 'msg_7',
  action: 'email',
  messageId: '<msg_7.abc@example.org>',
  date: Date.UTC(2026, 10, 16, 14),
  dedupeKey: 'msg_7',
  mail: {
    from: { email: 'box@example.org', name: 'Zoë' },
    to: { email: 'ada@example.org' },
    bcc: [{ email: 'secret@example.org', name: 'Hidden Reader' }],
    subject: 'Größe',
    text: 'Hello.\n.\nBye.',
  },
};

const pass = () => Promise.resolve(true);
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pillarbox-files-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const onlyFile = async () => {
  const names = await readdir(directory);
  expect(names).toHaveLength(1);
  return readFile(join(directory, names[0]!), 'utf8');
};

test('a mail becomes one file that a mail reader can open, and Bcc is nowhere in it', async () => {
  const report = await fileTransport({ directory }).send(message, pass);
  expect(report).toMatchObject({ status: 'sent', provider: 'file' });
  const [name] = await readdir(directory);
  expect(name).toMatch(/^msg_7\.\w+\.eml$/);
  expect(report).toHaveProperty('providerMessageId', name);
  const bytes = await onlyFile();
  expect(bytes).not.toMatch(/bcc|secret|hidden/i);
  expect(await PostalMime.parse(bytes)).toMatchObject({
    subject: 'Größe',
    messageId: message.messageId,
    text: expect.stringContaining('Hello.') as string,
  });
});

test('only its owner may read it, also where the directory had to be made', async () => {
  const deeper = join(directory, 'a', 'b');
  await fileTransport({ directory: deeper }).send(message, pass);
  const [name] = await readdir(deeper);
  expect((await stat(deeper)).mode & 0o077).toBe(0);
  expect((await stat(join(deeper, name!))).mode & 0o077).toBe(0);
});

test('the gate is asked once, when everything but the name is written', async () => {
  let asked = 0;
  const report = await fileTransport({ directory }).send(message, async () => {
    asked += 1;
    expect(await readdir(directory)).toEqual([expect.stringMatching(/^\.msg_7\./)]);
    expect(await onlyFile()).toMatch(/^Message-ID: <msg_7\.abc@example\.org>\r\n[^]*Bye\.\r\n$/);
    return true;
  });
  expect(report.status).toBe('sent');
  expect(asked).toBe(1);
});

test.each([
  ['refuses', () => Promise.resolve(false)],
  ['fails', () => Promise.reject(new Error('no database'))],
])('a gate that %s leaves nothing behind, and no try is used up', async (_how, gate) => {
  const transport = fileTransport({ directory });
  expect(await transport.send(message, gate)).toMatchObject({
    status: 'retryable',
    error: { code: 'EGATE', attempted: false },
  });
  expect(await readdir(directory)).toEqual([]);
  expect(await transport.lookup!(message)).toBe('unsent');
});

test('the same mail on a second try is the same file, byte for byte', async () => {
  const transport = fileTransport({ directory });
  await transport.send(message, pass);
  const first = await onlyFile();
  await transport.send(message, pass);
  expect(await onlyFile()).toBe(first);
});

test('mails of the same number from two installations stay apart', async () => {
  const transport = fileTransport({ directory });
  const other = { ...message, messageId: '<msg_7.def@example.org>' };
  await transport.send(message, pass);
  expect(await transport.lookup!(other)).toBe('unsent');
  await transport.send(other, pass);
  expect(await readdir(directory)).toHaveLength(2);
});

test('whether it left can be told exactly, unless the directory itself is gone', async () => {
  const transport = fileTransport({ directory });
  expect(await transport.lookup!(message)).toBe('unsent');
  await transport.send(message, pass);
  expect(await transport.lookup!(message)).toBe('sent');
  expect(await fileTransport({ directory: join(directory, 'unmounted') }).lookup!(message)).toBe('unknown');
});

test('an id cannot point out of the directory', async () => {
  await fileTransport({ directory: join(directory, 'mails') }).send({ ...message, id: '../../msg_7' }, pass);
  expect(await readdir(directory)).toEqual(['mails']);
  expect(await readdir(join(directory, 'mails'))).toHaveLength(1);
});

test('a directory that cannot be made is reported, not thrown, and tried again next time', async () => {
  const blocked = join(directory, 'mails');
  await writeFile(blocked, 'in the way');
  const transport = fileTransport({ directory: blocked });
  let asked = false;
  const gate = () => Promise.resolve((asked = true));
  expect(await transport.send(message, gate)).toMatchObject({
    status: 'retryable',
    error: { code: 'EEXIST', message: expect.stringContaining('exists') as string },
  });
  expect(asked).toBe(false);
  await rm(blocked);
  expect(await transport.send(message, gate)).toMatchObject({ status: 'sent' });
});

test('a directory that vanishes after the gate means that nothing left', async () => {
  const mails = join(directory, 'mails');
  const report = await fileTransport({ directory: mails }).send(message, async () => {
    await rm(mails, { recursive: true });
    return true;
  });
  expect(report).toMatchObject({ status: 'retryable', error: { code: 'ENOENT' } });
});

test('a mail that must not leave is refused for good, with its field', async () => {
  const broken = { ...message, mail: { ...message.mail, subject: 'a\r\nBcc: eve@example.org' } };
  expect(await fileTransport({ directory }).send(broken, pass)).toMatchObject({
    status: 'failed',
    error: { class: 'permanent', code: 'ECOMPOSE', message: expect.stringMatching(/^subject /) as string },
  });
  expect(await readdir(directory)).toEqual([]);
});

test('what a crash left behind is removed a day later, and nothing else', async () => {
  const old = new Date(Date.now() - 25 * 3_600_000);
  for (const [name, at] of [
    ['.msg_1.0a1b2c3d.eml.0123456789ab', old],
    ['.msg_2.0a1b2c3d.eml.0123456789ab', new Date()],
    ['msg_3.0a1b2c3d.eml', old],
    ['.gitignore', old],
  ] as const) {
    await writeFile(join(directory, name), 'x');
    await utimes(join(directory, name), at, at);
  }
  await fileTransport({ directory }).send(message, pass);
  expect((await readdir(directory)).sort()).toEqual([
    '.gitignore',
    '.msg_2.0a1b2c3d.eml.0123456789ab',
    'msg_3.0a1b2c3d.eml',
    expect.stringMatching(/^msg_7\./),
  ]);
});

const WORKER = fileURLToPath(new URL('file-worker.mjs', import.meta.url));

describe.each(databases)('a worker on $name', ({ fresh }) => {
  test.each([
    { point: 'after_gate', files: 0, outcomes: ['in_doubt', 'success'] },
    { point: 'after_send', files: 1, outcomes: ['in_doubt'] },
  ])('that is killed at $point leaves no doubt: the directory tells', async ({ point, files, outcomes }) => {
    const database = await fresh();
    const databaseUrl = database.url;
    const producer = await createPillarbox({ databaseUrl, from: 'box@example.org' });
    const { id } = await producer.outbox.enqueue({
      to: 'ada@example.org',
      subject: 'Hello',
      text: 'Hello.',
      onDoubt: 'hold',
      retryPolicy: { maxAttempts: 2, delaysSeconds: [0] },
    });
    const worker = spawn(process.execPath, [WORKER, databaseUrl, directory, point], { stdio: 'inherit' });
    expect((await once(worker, 'exit'))[1]).toBe('SIGKILL');
    expect(await mails()).toHaveLength(files);

    const transport = fileTransport({ directory });
    const successor = await createPillarbox({ databaseUrl, transport, leaseSeconds: 1 });
    await successor.start();
    // Nobody tells of a lease that runs out in another process.
    await expect.poll(async () => (await producer.messages.get(id)).state, OFTEN).toBe('sent');
    expect((await producer.messages.attempts(id)).map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(await mails()).toHaveLength(1);
    await successor.stop();
    await producer.stop();
    await database.drop();
  });
});

const OFTEN = { interval: 50 };
const mails = async () => (await readdir(directory)).filter((name) => /^msg_\w+\.\w+\.eml$/.test(name));
