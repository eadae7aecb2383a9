import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPillarbox, type Pillarbox } from 'pillarbox';
import { byHand, sendOnce } from '../catcher/fixture.js';
import { databases, freshSqlite, type FreshDatabase } from '../databases.js';
import { Cli, useCli } from './cli.js';

const PASSWORD = 'Correct-Horse 7';
const LOGIN = `ada:${encodeURIComponent(PASSWORD)}@`;

/** A real server that wants a password; it takes mail, but slowly if it is told to wait. */
class MailServer {
  readonly taken: string[] = [];
  readonly port: Promise<number>;
  /** Holds the answer to the final dot until this is resolved. */
  patience: Promise<void> = Promise.resolve();
  readonly #server: SMTPServer;
  #onMail: () => void = () => undefined;

  constructor() {
    this.#server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      closeTimeout: 100,
      logger: false,
      onAuth: ({ username, password }, _session, answer) => {
        if (username === 'ada' && password === PASSWORD) answer(null, { user: 'ada' });
        else answer(new Error('Wrong.'));
      },
      onData: (stream, session, answer) => {
        stream.resume().once('end', () => {
          this.taken.push(session.envelope.rcptTo[0]!.address);
          this.#onMail();
          void this.patience.then(() => answer(null, 'taken'));
        });
      },
    });
    this.#server.on('error', () => undefined);
    this.port = new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => resolve((this.#server.server.address() as AddressInfo).port));
    });
  }

  async has(mails: number): Promise<void> {
    while (this.taken.length < mails) {
      await new Promise<void>((resolve) => {
        this.#onMail = resolve;
      });
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

describe.each(databases)('work on $name', ({ fresh }) => {
  let database: FreshDatabase;
  let server: MailServer;
  let cli: Cli;
  let box: Pillarbox;

  beforeEach(async () => {
    database = await fresh();
    server = new MailServer();
    const SMTP_URL = `smtp://${LOGIN}127.0.0.1:${await server.port}`;
    cli = new Cli({
      ...{ DATABASE_URL: database.url, PILLARBOX_SECRET: 'a secret for tests, of some length' },
      ...{ SMTP_URL, MAIL_FROM: 'box@example.org', LOG_LEVEL: 'trace' },
    });
    box = await createPillarbox({ databaseUrl: database.url });
  });
  afterEach(async () => {
    await cli.close();
    await server.close();
    await box.stop();
    await database.drop();
  });

  const put = async (to: string) => (await box.outbox.enqueue({ to, subject: 'Hello', text: 'Hello.' })).id;

  test.each(['SIGTERM', 'SIGHUP'] as const)(
    'sends what is due, hands back nothing half done, and ends with 0 on %s [F56]',
    async (signal) => {
      let answer = (): void => undefined;
      const worker = cli.start(['work', '--json']);
      await worker.said(/"working"/);
      const first = await put('ada@example.org');
      await server.has(1);
      await expect.poll(async () => (await box.messages.get(first)).state).toBe('sent');

      server.patience = new Promise((resolve) => {
        answer = resolve;
      });
      const second = await put('bob@example.org');
      await server.has(2);
      worker.tell(signal);
      await worker.said(/stopping/);
      answer();
      const { code, stdout, stderr } = await worker.ended;
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ claimed: 2, sent: 2, held: 0, dead: 0 });
      expect(
        stderr
          .trim()
          .split('\n')
          .every((line) => line.startsWith('{"level":')),
      ).toBe(true);
      expect(await box.messages.get(second)).toMatchObject({ state: 'sent', attempts: 1 });
      expect(server.taken).toEqual(['ada@example.org', 'bob@example.org']);
      for (const secret of [
        PASSWORD,
        encodeURIComponent(PASSWORD),
        Buffer.from(PASSWORD).toString('base64'),
      ]) {
        expect(stdout + stderr).not.toContain(secret);
      }
    },
  );

  test('a log that nobody reads any more does not stop the mail', async () => {
    const worker = cli.start(['work']);
    await worker.said(/"working"/);
    worker.stopReading();
    const first = await put('ada@example.org');
    await expect.poll(async () => (await box.messages.get(first)).state).toBe('sent');
    worker.tell('SIGHUP');
    expect(await worker.ended).toMatchObject({ code: 0 });
  });

  test('a second signal does not wait; what had been handed over stays leased', async () => {
    server.patience = new Promise(() => undefined);
    const worker = cli.start(['work']);
    const id = await put('ada@example.org');
    await server.has(1);
    worker.tell('SIGTERM');
    await worker.said(/stopping/);
    worker.tell('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 143 });
    expect(await box.messages.get(id)).toMatchObject({ state: 'sending', attempts: 0 });
  });

  test('a password that is refused pauses the account, and nowhere is it written', async () => {
    const wrong = 'Wrong-Donkey 8';
    const login = `ada:${encodeURIComponent(wrong)}@`;
    const id = await put('ada@example.org');
    const worker = cli.with({ SMTP_URL: `smtp://${login}127.0.0.1:${await server.port}` }).start(['work']);
    await worker.said(/paused/);
    worker.tell('SIGINT');
    const { code, stdout, stderr } = await worker.ended;
    expect(code).toBe(0);
    const explained = await cli.run(['queue', 'explain', id]);
    expect(explained.stdout).toMatch(/Account default is paused since .*: 535 /);
    const shown = await cli.run(['queue', 'show', id, '--json']);
    const texts = [stdout, stderr, explained.stdout, shown.stdout].join();
    for (const secret of [
      wrong,
      encodeURIComponent(wrong),
      Buffer.from(`\0ada\0${wrong}`).toString('base64'),
    ]) {
      expect(texts).not.toContain(secret);
    }
    expect(server.taken).toEqual([]);
  });
});

describe('catcher', () => {
  const cli = useCli(freshSqlite);

  const urlIn = (said: string): string => /SMTP_URL=(smtp:\/\/127\.0\.0\.1:\d+)/.exec(said)![1]!;

  test('says where it is and what it takes, and stops on a signal', async () => {
    const catcher = cli.start(['catcher', '--port', '0']);
    const url = urlIn(await catcher.said(/SMTP_URL=\S+/));
    await sendOnce(url, { subject: 'Größe', cc: [{ email: 'bob@example.org' }] });
    await catcher.said(/Größe/);
    await byHand(Number(new URL(url).port), (socket) =>
      socket.write('Subject: \u001b]0;owned\u0007\u001b[2J\r\n\r\n.\r\nQUIT\r\n'),
    );
    await catcher.said(/owned/);
    catcher.tell('SIGTERM');
    const { code, stdout, stderr } = await catcher.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[1]).toMatch(
      /^\d\d:\d\d:\d\d {2}cgt_1 {2}box@example\.org to ada@example\.org and 1 more {2}\d+ bytes {2}Größe$/,
    );
    expect(lines[2]).toMatch(/^\d\d:\d\d:\d\d {2}cgt_2 {2}<> to c@example\.org {2}\d+ bytes {2}/);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(lines[3]).toBe('2 mails caught. See them: pillarbox inbox ls');
  });

  test('what it took can be read afterwards', async () => {
    const catcher = cli.start(['catcher', '--port', '0']);
    const url = urlIn(await catcher.said(/SMTP_URL=\S+/));
    await sendOnce(url, {
      subject: 'Größe',
      text: 'Hëllo.\nBye.',
      ics: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n' },
      attachments: [{ filename: 'a.bin', contentType: 'application/x-a', contentBase64: 'AAH/gA==' }],
    });
    catcher.tell('SIGTERM');
    await catcher.ended;
    expect((await cli.run(['inbox', 'ls'])).stdout).toMatch(
      /^TO +SUBJECT +WHEN +ID\nada@example\.org +Größe +\d+ s ago +cgt_1\n1 shown\. Read one: .*\n$/,
    );
    const { items } = await cli.json<{ items: object[] }>('inbox', 'ls');
    expect(items).toMatchObject([{ id: 'cgt_1', subject: 'Größe', recipients: ['ada@example.org'] }]);
    const { stdout } = await cli.run(['inbox', 'show', 'cgt_1']);
    expect(stdout).toMatch(/^envelope {2}from box@example\.org to ada@example\.org\nMessage-ID: </);
    expect(stdout).toMatch(/\nSubject: Größe\n/);
    expect(stdout).toMatch(
      /\n\nHëllo\.\nBye\.\n\ncalendar {2}REQUEST\nattached {2}a\.bin {2}application\/x-a {2}4 bytes\n$/,
    );
    const mail = await cli.json<object>('inbox', 'show', 'cgt_1');
    expect(mail).toMatchObject({
      calendar: { method: 'REQUEST' },
      attachments: [{ contentBase64: 'AAH/gA==' }],
    });
    const raw = await cli.run(['inbox', 'show', 'cgt_1', '--raw']);
    expect(raw.stdout).toMatch(/^[\s\S]*\r\nSubject: =\?[\s\S]*\r\n\r\n/);
    expect(await cli.json('inbox', 'clear')).toEqual({ done: 1 });
    expect(await cli.run(['inbox', 'show', 'cgt_1'])).toMatchObject({
      code: 1,
      stderr: 'there is no caught mail cgt_1\n',
    });
  });

  test('with --json prints one document when it stops', async () => {
    const catcher = cli.start(['catcher', '--port', '0', '--json']);
    const url = urlIn(await catcher.said(/SMTP_URL=\S+/));
    await sendOnce(url);
    catcher.tell('SIGINT');
    const { code, stdout } = await catcher.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ url, port: Number(new URL(url).port), caught: 1 });
  });

  test('gives its certificate to clients that verify, and offers no TLS when it is told not to', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'pillarbox-catcher-')), 'catcher.pem');
    const catcher = cli.start(['catcher', '--port', '0', '--certificate', file]);
    const url = urlIn(await catcher.said(/SMTP_URL=\S+/));
    const verifying = cli.with({ SMTP_URL: `${url}?tls=starttls&ca=${encodeURIComponent(file)}` });
    expect(await verifying.run(['accounts', 'verify', 'default'])).toMatchObject({ code: 0 });
    catcher.tell('SIGTERM');
    expect(await catcher.ended).toMatchObject({ code: 0 });
    await rm(dirname(file), { recursive: true });

    const plain = cli.start(['catcher', '--port', '0', '--no-starttls']);
    const refused = await sendOnce(`${urlIn(await plain.said(/SMTP_URL=\S+/))}?tls=starttls`);
    expect(refused).toMatchObject({ error: { code: 'ETLS_NOT_OFFERED' } });
    plain.tell('SIGTERM');
    await plain.ended;
    expect(await cli.runAlone(['catcher', '--port', '0', '--certificate', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `--certificate: ${file} cannot be written (ENOENT)\n`,
    });
  });

  test('a port that is taken is said so', async () => {
    const catcher = cli.start(['catcher', '--port', '0']);
    const { port } = new URL(urlIn(await catcher.said(/SMTP_URL=\S+/)));
    expect(await cli.runAlone(['catcher', '--port', port])).toEqual({
      code: 2,
      stdout: '',
      stderr: `port: ${port} is in use on 127.0.0.1; give another\n`,
    });
    catcher.tell('SIGTERM');
    expect(await catcher.ended).toMatchObject({ code: 0 });
  });
});
