import { beforeEach, describe, expect, test } from 'vitest';
import { BLANKED, COPIED_INTO_DUE, MESSAGE_COLUMNS, type Column } from '#pillarbox/store/message-columns';
import { ensureChannel } from '#pillarbox/store/scripts/accounts';
import { blankMessages } from '#pillarbox/store/scripts/forget';
import { requeue } from '#pillarbox/store/scripts/moves';
import type { Enqueued, NewMessage } from '#pillarbox/store/store';
import { databases } from '../databases.js';
import {
  aMessage,
  failedTry,
  letLeasesRunOut,
  put,
  result,
  rows,
  take,
  type Fixture,
  useFixture,
} from './fixture.js';

const COLUMNS = Object.entries<Column>(MESSAGE_COLUMNS);
const AFTER_ALL = 9_000_000_000_000;

describe.each(databases)('the columns of a message on $name', ({ ready }) => {
  const opened = useFixture(ready);
  let fixture: Fixture;

  beforeEach(async () => {
    // Another number than the workspace's, so that one can't be taken for the other.
    const { store, accountId } = opened;
    const channelId = await store.transaction(ensureChannel(store, accountId, 'email', 'notification'));
    fixture = { ...opened, channelId };
  });

  /** Nothing in it is null, and no two things are the same. */
  const aFullMessage = (key: string): NewMessage => ({
    ...aMessage(fixture),
    lane: 'notification',
    idempotencyKey: key,
    bodyHash: `hash of ${key}`,
    recipient: 'Ada@EXAMPLE.org',
    recipientName: 'Ada',
    dueAt: 1_000,
    expiresAt: AFTER_ALL,
    retryPolicy: 'campaign',
    transactional: true,
    traceId: 'trace',
    mail: '{"text":"Hi"}',
  });

  /** The empty message: everything is null that may be. */
  const aBareMessage = (): NewMessage => aMessage(fixture, { subject: null });

  const read = async (id: number): Promise<Record<string, unknown>> => {
    const sql = `select * from ${fixture.store.at('messages')} where id = ${String(id)}`;
    const [row] = await rows<Record<string, unknown>>(fixture, sql);
    return row!;
  };

  /** Whoever stores it adds its id, the time, and on PostgreSQL its mark. */
  const expected = (message: NewMessage): Record<string, unknown> => {
    const known = COLUMNS.map(([name, { of }]) => [name, of(message)] as const);
    return Object.fromEntries(known.filter(([name, value]) => value !== undefined && name !== 'mark'));
  };

  test('are those of the table, and of its types', async () => {
    const { dialect } = fixture.store;
    const described = await rows<{ name: string; type: string }>(
      fixture,
      dialect === 'postgres'
        ? `select column_name as name, data_type as type from information_schema.columns
           where table_schema = 'pillarbox' and table_name = 'messages'`
        : `select name, lower(type) as type from pragma_table_info('messages')`,
    );
    const typeOf = ({ type }: Column): string => {
      if (type === 'text') return 'text';
      return dialect === 'sqlite' || type === 'int' ? 'integer' : 'bigint';
    };
    expect(Object.fromEntries(described.map(({ name, type }) => [name, type]))).toEqual(
      Object.fromEntries(COLUMNS.map(([name, column]) => [name, typeOf(column)])),
    );
  });

  const alone = async ([first, second]: readonly NewMessage[]) => [
    ...(await fixture.store.enqueue([first!])),
    ...(await fixture.store.enqueue([second!])),
  ];
  const together = (messages: readonly NewMessage[]) => fixture.store.enqueue(messages);
  const leased = async (messages: readonly NewMessage[]) =>
    (await fixture.store.enqueueLeased(messages, 'caller')).enqueued;

  test.each([
    ['alone', alone],
    ['in a group', together],
    ['for its caller to send', leased],
  ])('are all written when it is stored %s', async (_, enqueue) => {
    const { dialect } = fixture.store;
    for (const messages of [
      [aFullMessage('a'), aFullMessage('b')],
      [aBareMessage(), aBareMessage()],
    ]) {
      for (const [n, { id }] of (await enqueue(messages)).entries()) {
        const row = await read(id);
        expect(row).toMatchObject(expected(messages[n]!));
        expect(row['mark'] === null).toBe(dialect === 'sqlite');
        expect(row['scheduled_for']).toBe(messages[n]!.dueAt ?? row['created_at']);
        expect(row['created_at']).toBeGreaterThan(1_000);
      }
    }
  });

  test.each([
    ['alone', alone],
    ['in a group', together],
    ['for its caller to send', leased],
  ])('go without a content if its front door has none yet, stored %s', async (_, enqueue) => {
    const [{ id: without }, { id: written }] = (await enqueue([
      { ...aBareMessage(), mail: null },
      aFullMessage('a'),
    ])) as [Enqueued, Enqueued];
    const contents = await rows<{ message_id: number; mail: string }>(
      fixture,
      `select message_id, mail from ${fixture.store.at('contents')}`,
    );
    expect(contents).toEqual([{ message_id: written, mail: '{"text":"Hi"}' }]);
    expect(await read(without)).toMatchObject({ id: without });
  });

  test('say nothing of a content that is not there, to its caller and to a claim', async () => {
    const message = { ...aBareMessage(), mail: null };
    const { claim } = await fixture.store.enqueueLeased([message], 'caller');
    const [{ id }] = (await fixture.store.enqueue([message])) as [Enqueued];
    const taken = await take(fixture);
    expect(claim!.messages).toMatchObject([{ mail: null, bytes: 0 }]);
    expect(taken.messages).toMatchObject([{ id, mail: null, bytes: 0 }]);
  });

  test('that say who it was are blanked when that is forgotten, and no others', async () => {
    const [{ id }] = (await fixture.store.enqueue([aFullMessage('a')])) as [Enqueued];
    const before = await read(id);
    await fixture.store.transaction(blankMessages(fixture.store, [id]));
    expect(await read(id)).toEqual({ ...before, ...BLANKED });
    expect(Object.keys(BLANKED).sort()).toEqual([
      ...['error', 'recipient', 'recipient_given', 'recipient_name', 'subject', 'thread_id'],
    ]);
  });

  test('are read by a claim as the caller had them who stored it', async () => {
    const { store } = fixture;
    const messages = [aFullMessage('a'), aBareMessage()];
    const { claim } = await store.enqueueLeased(messages, 'caller');
    await letLeasesRunOut(fixture);
    const [lost] = await store.takeOver('worker', 1);
    const untouched = { handed: false, withdrawn: false };
    expect(lost!.messages).toEqual(claim!.messages.map((message) => ({ ...message, ...untouched })));
    expect(claim!.messages[0]).toMatchObject({ recipient: 'ada@example.org', transactional: true });
  });

  test('are repeated in the queue whenever it comes there', async () => {
    const { store, workspaceId } = fixture;
    const repeated = async (id: number) => {
      const sql = `select ${COPIED_INTO_DUE.join(', ')} from ${store.at('due')} where message_id = ${String(id)}`;
      const row = await read(id);
      expect(await rows(fixture, sql)).toEqual([
        Object.fromEntries(COPIED_INTO_DUE.map((name) => [name, row[name]])),
      ]);
    };
    await repeated(await put(fixture, aFullMessage('alone')));
    for (const { id } of await store.enqueue([aFullMessage('a'), aFullMessage('b')])) await repeated(id);

    const claim = await take(fixture);
    const [first, second] = claim.messages;
    await store.settle([
      result(claim, first!, { event: 'deferred', attempt: failedTry, waitMs: 0 }),
      result(claim, second!, { event: 'exhausted', attempt: failedTry, reason: 'max_attempts' }),
    ]);
    await repeated(first!.id);
    await store.transaction(requeue(store, second!.id, 'dead', { workspaceId, now: 2_000 }));
    await repeated(second!.id);
  });
});
