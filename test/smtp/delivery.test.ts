import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseId } from '#pillarbox/core/ids';
import {
  createPillarbox,
  type MailInput,
  type Message,
  type Pillarbox,
  type PillarboxOptions,
} from 'pillarbox';
import { CatcherScene } from '../catcher/fixture.js';
import { databases, type FreshDatabase } from '../databases.js';
import { Signal } from '../engine/signal.js';
import { ScriptedServer, thenClose, type Script } from './scripted-server.js';

/** A virtual clock that runs ten minutes a second: a back-off of a minute passes in a tenth of a second. */
const FAST = '2031-03-03T09:00:00Z*600';

const aMail = (over: Partial<MailInput> = {}): MailInput => ({
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'See you on Monday.',
  ...over,
});

/** A worker of our own, that tells when it has settled something. */
class Worker {
  readonly #settled = new Map<number, number>();
  readonly #signal = new Signal();
  #box: Pillarbox | undefined;

  get box(): Pillarbox {
    return this.#box!;
  }

  async start(options: PillarboxOptions): Promise<this> {
    this.#box = await createPillarbox({
      from: 'Box <box@example.org>',
      graceSeconds: 1,
      probe: (point, id) => {
        if (point !== 'settled') return;
        this.#settled.set(id, (this.#settled.get(id) ?? 0) + 1);
        this.#signal.tell();
      },
      ...options,
    });
    await this.#box.start();
    return this;
  }

  async put(over: Partial<MailInput> = {}): Promise<string> {
    return (await this.box.outbox.enqueue(aMail(over))).id;
  }

  /** The message, once it has been settled so many times. */
  async settled(id: string, times = 1): Promise<Message> {
    const number = parseId('message', id)!;
    await this.#signal.until(`settlement ${times} of ${id}`, () => (this.#settled.get(number) ?? 0) >= times);
    return this.box.messages.get(id);
  }
}

/** The whole way: from `enqueue` through the engine and our own client to a real server. */
describe.each(databases)('mail leaves over SMTP, on $name', ({ ready }) => {
  let database: FreshDatabase;
  const ending: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    database = await ready();
  });
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
    await database.drop();
  });

  async function start(smtpUrl: string, over: Partial<PillarboxOptions> = {}): Promise<Worker> {
    const worker = await new Worker().start({ databaseUrl: database.url, smtpUrl, ...over });
    ending.push(() => worker.box.stop());
    return worker;
  }

  async function scripted(script: Script): Promise<ScriptedServer> {
    const server = await ScriptedServer.start(script);
    ending.push(() => server.close());
    return server;
  }

  const urlOf = ({ port }: ScriptedServer, login = '') => `smtp://${login}127.0.0.1:${port}`;

  test('every mail arrives once, also with two workers', async () => {
    const scene = await CatcherScene.open(database.url);
    ending.push(() => scene.close());
    const workers = [await start(scene.url), await start(scene.url)];
    const { ids } = await workers[0]!.box.outbox.enqueueMany(
      Array.from({ length: 60 }, (_, n) => aMail({ to: `r${n}@example.org`, subject: `mail ${n}` })),
    );
    await Promise.all(ids.map((id) => Promise.race(workers.map((worker) => worker.settled(id!)))));
    const messages = await Promise.all(ids.map((id) => workers[0]!.box.messages.get(id!)));
    expect(messages.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(ids.map(() => 'sent 1'));
    const arrived = await Promise.all(scene.told.map(({ id }) => scene.inbox.read(id)));
    const messageIds = arrived.map(({ headers }) => headers.find(({ name }) => name === 'Message-ID')!.value);
    expect(messageIds.sort()).toEqual(messages.map(({ messageId }) => messageId).sort());
    const [attempt] = await workers[0]!.box.messages.attempts(ids[0]!);
    expect(attempt).toMatchObject({
      outcome: 'success',
      providerMessageId: expect.stringMatching(/^caught as cgt_\w+$/) as string,
    });
  });

  test('a server that is busy gets the very same mail again [F13]', async () => {
    let dots = 0;
    const server = await scripted({
      dot: (peer) => void peer.write(dots++ === 0 ? '451 4.3.0 busy\r\n' : '250 2.0.0 ok\r\n'),
    });
    const worker = await start(urlOf(server), { clock: FAST });
    const id = await worker.put();
    await worker.settled(id);
    expect(await worker.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 2, lastError: null });
    const outcomes = (await worker.box.messages.attempts(id)).map(({ outcome, errorCode }) => [
      outcome,
      errorCode,
    ]);
    expect(outcomes).toEqual([
      ['failed', '451 4.3.0'],
      ['success', null],
    ]);
    const [first, second, ...more] = server.mails;
    expect(more).toEqual([]);
    expect(first).toMatch(/^Message-ID: <[^]*\r\nDate: \w/);
    expect(second).toBe(first);
  });

  test('an address that does not exist is not written to again', async () => {
    const server = await scripted({ refuses: (address) => address.startsWith('gone') });
    const worker = await start(urlOf(server));
    const first = await worker.settled(await worker.put({ to: 'gone@example.org' }));
    expect(first).toMatchObject({
      state: 'dead',
      deadReason: 'permanent_error',
      lastError: { class: 'recipient', code: '550 5.1.1', message: 'no such user' },
    });
    const second = await worker.settled(await worker.put({ to: 'gone@example.org', subject: 'Again' }));
    expect(second).toMatchObject({ state: 'skipped', attempts: 0 });
    expect(await worker.settled(await worker.put())).toMatchObject({ state: 'sent' });
    expect(server.commands.filter((command) => command.startsWith('RCPT TO:<gone'))).toHaveLength(1);
  });

  test('a password that is refused pauses the account, burns no try, and is told without the password [F14]', async () => {
    let open = false;
    const server = await scripted({
      ehlo: '250-x\r\n250 AUTH PLAIN\r\n',
      other: (peer) => void peer.write(open ? '235 2.7.0 welcome\r\n' : '535 5.7.8 bad credentials\r\n'),
    });
    const worker = await start(urlOf(server, 'ada:geheim-77@'));
    const id = await worker.put();
    const refused = await worker.settled(id);
    expect(refused).toMatchObject({ state: 'scheduled', attempts: 0, lastError: { class: 'account' } });
    const explanation = await worker.box.messages.explain(id);
    expect(explanation).toMatchObject({ reason: 'account_paused' });
    expect(explanation.sentence).toMatch(/^Account default is paused since .*: 535 5\.7\.8 bad credentials/);
    const texts = JSON.stringify([refused, explanation, await worker.box.messages.attempts(id)]);
    expect(texts).not.toContain('geheim');
    expect(texts).not.toContain(Buffer.from('\0ada\0geheim-77').toString('base64'));

    const waiting = await worker.put({ to: 'bob@example.org' });
    expect(await worker.box.messages.explain(waiting)).toMatchObject({ reason: 'account_paused' });
    open = true;
    await worker.box.resume();
    expect(await worker.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 1 });
    expect(await worker.settled(waiting)).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('a server that wants fewer connections gives the account a rest', async () => {
    const server = await scripted({ greeting: thenClose('421 4.7.0 too many connections\r\n') });
    const worker = await start(urlOf(server));
    const id = await worker.put();
    expect(await worker.settled(id)).toMatchObject({ attempts: 0, lastError: { class: 'rate_limited' } });
    const { reason, until } = await worker.box.messages.explain(id);
    expect(reason).toBe('account_cooling');
    expect(until).toBeGreaterThan(Date.now() + 14 * 60_000);
  });

  test('a connection cut after the dot is for a person to decide, where the mail says so', async () => {
    let cut = true;
    const server = await scripted({
      dot: (peer) => {
        if (cut) peer.destroy();
        else peer.write('250 2.0.0 ok\r\n');
      },
    });
    const worker = await start(urlOf(server));
    const id = await worker.put({ onDoubt: 'hold' });
    expect(await worker.settled(id)).toMatchObject({ state: 'held', attempts: 1 });
    expect((await worker.box.messages.attempts(id)).map(({ outcome }) => outcome)).toEqual(['in_doubt']);
    cut = false;
    await worker.box.messages.resolve(id, 'unsent');
    expect(await worker.settled(id, 2)).toMatchObject({ state: 'sent' });
    expect(server.mails).toHaveLength(2);
    expect(server.mails[1]).toBe(server.mails[0]);
  });
});
