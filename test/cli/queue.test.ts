import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '#pillarbox/core/ids';
import { ask } from '#pillarbox/store/script';
import { listAudit } from '#pillarbox/store/scripts/audit';
import { createPillarbox, type MailInput, type Pillarbox, type State } from 'pillarbox';
import { CatcherScene } from '../catcher/fixture.js';
import { databases, type FreshDatabase } from '../databases.js';
import { Cli } from './cli.js';

interface Shown {
  readonly id: string;
  readonly state: State;
  readonly subject: string;
  readonly attemptLog?: { readonly outcome: string; readonly errorCode: string | null }[];
}

interface Page {
  readonly items: readonly Shown[];
  readonly nextCursor: string | null;
}

/** What the door refuses today may be in a database from before, or come in another way. */
const HOSTILE = 'Tidy \u001b[31m\u001b]0;owned\u0007\u202egnp.exe\r\u200b日本';
const WRITTEN = 'Tidy  [31m ]0;owned  gnp.exe  日本';

describe.each(databases)('queue on $name', ({ fresh }) => {
  let database: FreshDatabase;
  let cli: Cli;
  /** By what has become of them. */
  const ids = new Map<string, string>();
  const idOf = (name: string): string => ids.get(name)!;

  /** Real ends by a real server: what each mail asks of the catcher is what it gets. */
  beforeAll(async () => {
    database = await fresh();
    cli = new Cli({ DATABASE_URL: database.url });
    const scene = await CatcherScene.open(database.url);
    let settled = 0;
    let onSettled: () => void = () => undefined;
    const box = await createPillarbox({
      databaseUrl: database.url,
      from: 'box@example.org',
      smtpUrl: scene.url,
      probe: (point) => {
        if (point === 'settled') {
          settled += 1;
          onSettled();
        }
      },
    });
    const later = '2031-03-03T09:00:00Z';
    const mails: Record<string, Partial<MailInput>> = {
      sent: {},
      refused: { to: 'ada+data554@example.org' },
      dead1: { to: 'bob+data554@example.org' },
      dead2: { to: 'cy+data554@example.org' },
      held1: { to: 'ada+drop@example.org', onDoubt: 'hold' },
      held2: { to: 'bob+drop@example.org', onDoubt: 'hold' },
      retried: { to: 'ada+451@example.org' },
      waiting1: { sendAt: later },
      waiting2: { sendAt: later },
    };
    for (const [name, over] of Object.entries(mails)) {
      const mail = { to: 'ada@example.org', subject: name, text: 'x', ...over };
      ids.set(name, (await box.outbox.enqueue(mail)).id);
    }
    await box.start();
    while (settled < 7) {
      await new Promise<void>((resolve) => {
        onSettled = resolve;
      });
    }
    await box.stop();
    const { store } = scene;
    const number = parseId('message', idOf('refused'))!;
    const vandal = store.db.updateTable('messages').set({ subject: HOSTILE }).where('id', '=', number);
    await store.transaction(ask(vandal));
    await scene.close();
  });
  afterEach(() => cli.close());
  afterAll(() => database.drop());

  /** Past the command line. */
  async function looking<T>(look: (box: Pillarbox) => Promise<T>): Promise<T> {
    const box = await createPillarbox({ databaseUrl: database.url });
    return look(box).finally(() => box.stop());
  }

  test('ls shows a table, newest first, that says what to do next', async () => {
    const { code, stdout, stderr } = await cli.run(['queue', 'ls']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^ {2}STATE +TO +SUBJECT +TRIES +WHEN +ID$/);
    expect(lines[1]).toMatch(
      new RegExp(`^○ Scheduled +ada@example.org +waiting2 +0/5 +2031-03-03 09:00 +${idOf('waiting2')}$`),
    );
    expect(lines[3]).toMatch(/^↻ Retry later +ada\+451@example\.org +retried +1\/5 +in \d+ [ms].* msg_\w+$/);
    expect(lines.filter((line) => /^◆ Held .* 1\/5 +since \d\d:\d\d /.test(line))).toHaveLength(2);
    expect(lines.at(-2)).toBe('9 of 9. Times in UTC. Why: pillarbox queue explain ID');
  });

  test('words of strangers cannot steer the terminal', async () => {
    for (const args of [['ls'], ['show', idOf('refused')]]) {
      const { stdout } = await cli.run(['queue', ...args]);
      expect(stdout).toContain(WRITTEN);
      expect(stdout.replace(/\n/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });

  test('ls filters, pages and speaks JSON', async () => {
    const first = await cli.json<Page>('queue', 'ls', '--limit', '4');
    const rest = await cli.json<Page>('queue', 'ls', '--limit', '200', '--cursor', first.nextCursor!);
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual([...ids.values()].reverse());
    expect(rest.nextCursor).toBeNull();
    const dead = await cli.json<Page>('queue', 'ls', '--state', 'dead,held');
    expect(new Set(dead.items.map(({ state }) => state))).toEqual(new Set(['dead', 'held']));
    const { stdout: few } = await cli.run(['queue', 'ls', '--state', 'dead,held', '--limit', '2']);
    expect(few).toMatch(
      /\n2 of 5\. Times in UTC\. Older: --cursor msg_\w+ {3}Why: pillarbox queue explain ID\n$/,
    );
    const toOne = await cli.json<Page>('queue', 'ls', '--to', 'bob+drop@EXAMPLE.org');
    expect(toOne.items.map(({ id }) => id)).toEqual([idOf('held2')]);
    expect((await cli.run(['queue', 'ls', '--to', 'nobody@example.org'])).stdout).toBe(
      'No message matches. Try without --to.\n',
    );
  });

  test('ls finds by words, lane and account', async () => {
    const idsOf = async (...filter: string[]) =>
      (await cli.json<Page>('queue', 'ls', ...filter)).items.map(({ id }) => id);
    expect(await idsOf('--q', 'waiting1')).toEqual([idOf('waiting1')]);
    expect(await idsOf('--q', 'ada+drop')).toEqual([idOf('held1')]);
    expect(await idsOf('--lane', 'campaign')).toEqual([]);
    expect(await idsOf('--account', 'default', '--state', 'sent')).toEqual([idOf('sent')]);
    expect(await idsOf('--account', 'box@example.org', '--q', idOf('sent'))).toEqual([idOf('sent')]);
    expect(await cli.run(['queue', 'ls', '--account', 'nobody'])).toMatchObject({
      code: 1,
      stderr: 'there is no account nobody\n',
    });
  });

  test('show has every try; explain has the reason', async () => {
    const shown = await cli.json<Shown>('queue', 'show', idOf('dead1'));
    expect(shown).toMatchObject({
      state: 'dead',
      deadReason: 'permanent_error',
      attemptLog: [{ number: 1, outcome: 'failed', errorCode: '554 5.7.1' }],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    });
    const { stdout } = await cli.run(['queue', 'show', idOf('dead1')]);
    expect(stdout).toMatch(/^■ Dead {2}msg_/);
    expect(stdout).toMatch(
      /TRY +FINISHED +OUTCOME +CODE +ANSWER\n1 .* ⊗ failed +554 5\.7\.1 +message refused by policy/,
    );
    const id = idOf('dead1');
    expect(
      stdout.endsWith(`\nRetry: pillarbox queue retry ${id}   Give up: pillarbox queue dismiss ${id}\n`),
    ).toBe(true);
    expect(await cli.json('queue', 'explain', idOf('waiting1'))).toMatchObject({
      state: 'scheduled',
      reason: 'scheduled',
      until: '2031-03-03T09:00:00.000Z',
      sentence: 'It is scheduled for Mon 3 Mar 2031, 09:00:00 UTC.',
    });
    expect((await cli.run(['queue', 'explain', idOf('held1')])).stdout).toMatch(
      /^◆ Held {2}Nobody knows whether this mail left/,
    );
  });

  test('causes are one line each, however many messages died of them', async () => {
    const { items } = await cli.json<{ items: { fingerprint: string }[] }>('queue', 'causes');
    expect(items).toMatchObject([{ count: 3, code: '554 5.7.1', transport: 'smtp', class: 'permanent' }]);
    const { stdout } = await cli.run(['queue', 'causes']);
    expect(stdout).toMatch(/^ {2}COUNT +CODE +CLASS +SAMPLE +LAST +GROUP\n■ 3 +554 5\.7\.1 +permanent /);
    expect(stdout).toMatch(
      /\n3 dead messages of 1 cause\. Retry one: pillarbox queue retry --group GROUP\n$/,
    );
  });

  test('dead messages are dismissed one by one, or retried by their cause', async () => {
    expect(await cli.json('queue', 'dismiss', idOf('refused'))).toMatchObject({ state: 'cancelled' });
    const [group] = await looking((box) => box.messages.deadGroups());
    const byCause = ['queue', 'retry', '--group', group!.fingerprint];
    expect(await cli.json(...byCause)).toEqual({ done: 2, conflicts: 0, more: false });
    const retried = await looking((box) => box.messages.get(idOf('dead1')));
    expect(retried).toMatchObject({ state: 'scheduled', attempts: 0, lastError: null });
    expect((await cli.run(byCause)).stdout).toMatch(/^No dead message has this cause/);
    expect((await cli.run(['queue', 'causes'])).stdout).toBe('● No dead messages.\n');
  });

  test('held messages are resolved', async () => {
    expect(await cli.json('queue', 'resolve', idOf('held1'), '--as', 'sent')).toMatchObject({
      state: 'sent',
    });
    const { stdout, code } = await cli.run(['queue', 'resolve', idOf('held2'), '--as', 'unsent']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `○ Scheduled  ${idOf('held2')}\n` });
  });

  test('what cannot be done for one message does not stop the others', async () => {
    const several = [idOf('sent'), idOf('waiting1'), 'msg_zzzz'];
    const { code, stdout, stderr } = await cli.run(['queue', 'cancel', ...several, '--json']);
    expect(code).toBe(1);
    const refused = [idOf('sent'), 'msg_zzzz'];
    expect(JSON.parse(stdout)).toEqual({ done: 1, conflicts: 2, refused, more: false });
    expect(await looking((box) => box.messages.get(idOf('waiting1')))).toMatchObject({ state: 'cancelled' });
    expect(stderr).toBe(
      `${idOf('sent')}: a message that is sent can't be cancelled\nmsg_zzzz: there is no message msg_zzzz\n`,
    );
  });

  test.each([
    ['retry', ['sent'], "a message that is sent can't be retried"],
    ['dismiss', ['waiting2'], "a message that is scheduled can't be dismissed"],
    ['resolve', ['sent', '--as', 'sent'], "a message that is sent can't be decided"],
  ])('%s where the state does not allow it fails and changes nothing', async (move, [name, ...more], why) => {
    const id = idOf(name!);
    const before = await looking((box) => box.messages.get(id));
    expect(await cli.run(['queue', move, id, ...more, '--json'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `${id}: ${why}\n`,
    });
    expect(await looking((box) => box.messages.get(id))).toEqual(before);
  });

  test('what was decided here stands in the audit log', async () => {
    const entries = await looking(({ store, home }) => store.read(listAudit(store, home.id, 1e9, 50)));
    const told = entries.map(({ actor, action, target }) => [actor, action, target]);
    expect(told).toContainEqual(['command line', 'message.dismiss', idOf('refused')]);
    expect(told).toContainEqual(['command line', 'message.resolve', idOf('held1')]);
    expect(told).toContainEqual(['command line', 'message.cancel', idOf('waiting1')]);
    expect(told.map(([, action]) => action)).toContain('message.dead-group.retry');
    expect(told.filter(([, , target]) => target === idOf('sent'))).toEqual([]);
  });

  test('a message that does not exist is exit 1', async () => {
    expect(await cli.run(['queue', 'show', 'msg_zzzz'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'there is no message msg_zzzz\n',
    });
  });
});

describe('wrong usage of queue is exit 2', () => {
  const cli = new Cli({ DATABASE_URL: 'sqlite:/dev/null/never-opened.db' });

  test.each<[string[], RegExp]>([
    [['queue', 'ls', '--state', 'lost'], /There are scheduled, retry_scheduled, queued, sending, sent/],
    [['queue', 'ls', '--limit', '201'], /Give a whole number from 1 to 200/],
    [['queue', 'ls', '--limit', '1e2'], /Give a whole number from 1 to 200/],
    [['queue', 'ls', '--to', 'nobody'], /It has no @/],
    [['queue', 'show'], /missing required argument 'id'/],
    [['queue', 'retry'], /^ids: give some, or --group, but not both\n$/],
    [['queue', 'retry', 'msg_1', '--group', 'x'], /^ids: give some, or --group, but not both\n$/],
    [['queue', 'cancel'], /missing required argument 'ids'/],
    [['queue', 'resolve', 'msg_1'], /required option '--as <what>' not specified/],
    [['queue', 'resolve', 'msg_1', '--as', 'lost'], /Allowed choices are sent, unsent/],
    [['queue', 'list'], /unknown command 'list'/],
    [['queues'], /unknown command 'queues'\n\(Did you mean queue\?\)/],
  ])('%j', async (args, expected) => {
    const { code, stdout, stderr } = await cli.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expected);
  });
});
