import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LANES, type Lane } from '#pillarbox/core/message';
import { SUPPRESSION_REASONS } from '#pillarbox/core/suppression';
import { Messages } from '#pillarbox/messages/messages';
import { listSuppressions, suppressionsOf } from '#pillarbox/store/scripts/suppression-list';
import { noteSoftBounce, suppress, unsuppress } from '#pillarbox/store/scripts/suppressions';
import { forgetFinished } from '#pillarbox/store/scripts/sweep';
import type { GateAnswer } from '#pillarbox/store/store';
import { Suppressions } from '#pillarbox/suppressions/suppressions';
import { databases, type FreshDatabase } from '../databases.js';
import { asking, openFixture, put, result, rows, take, type Fixture } from './fixture.js';

const refusal = (answer: GateAnswer | undefined) => (answer?.passed ? undefined : answer?.refusal);

describe.each(databases)('suppression on $name', ({ ready }) => {
  let database: FreshDatabase;
  let fixture: Fixture;
  let suppressions: Suppressions;

  beforeEach(async () => {
    database = await ready();
    fixture = await openFixture(database.url);
    suppressions = new Suppressions(fixture.store, fixture.workspaceId);
  });

  afterEach(async () => {
    await fixture.store.close();
    await database.drop();
  });

  test('knows an address in ten spellings, at the claim and at the gate [D23]', async () => {
    const { store, workspaceId } = fixture;
    const spellings = [
      ...['jörg@xn--bcher-kva.example', 'Jörg@xn--bcher-kva.example', 'JÖRG@xn--bcher-kva.example'],
      ...[
        'jo\u0308rg@xn--bcher-kva.example',
        'JO\u0308RG@xn--bcher-kva.example',
        'jöRG@XN--BCHER-KVA.example',
      ],
      ...['bob@example.org', 'Bob@example.org', 'BOB@example.org', 'bOb@EXAMPLE.ORG'],
    ];
    for (const recipient of spellings) await put(fixture, { recipient });
    const early = await take(fixture, 10);
    for (const address of ['jÖrg@bücher.example', 'BoB@Example.org']) {
      await store.transaction(suppress(store, workspaceId, address, 'manual', 1));
    }
    const answers = await store.gate(early.messages.map((message) => asking(early, message)));
    expect(answers.map(refusal)).toEqual(spellings.map(() => 'suppressed'));
    for (const recipient of spellings) await put(fixture, { recipient });
    const late = await take(fixture, 10);
    expect(late.messages.map(({ suppressed }) => suppressed)).toEqual(spellings.map(() => true));
    expect((await suppressions.list()).items.map(({ address }) => address)).toEqual([
      'bob@example.org',
      'jörg@xn--bcher-kva.example',
    ]);
  });

  test('means the same to the claim, to the gate and to whoever looks beforehand', async () => {
    const { store, workspaceId } = fixture;
    const lanesOf: readonly (readonly Lane[] | null)[] = [
      null,
      ['outbox'],
      ['campaign', 'notification'],
      LANES,
    ];
    const cases = SUPPRESSION_REASONS.flatMap((reason) => lanesOf.map((lanes) => ({ reason, lanes })));
    for (const [n, { reason, lanes }] of cases.entries()) {
      await store.transaction(suppress(store, workspaceId, `p${n}@example.org`, reason, 1, { lanes }));
    }
    const mails = cases.flatMap((_, n) =>
      LANES.flatMap((lane) => [true, false].map((transactional) => ({ n, lane, transactional }))),
    );
    for (const { n, ...mail } of mails) await put(fixture, { recipient: `p${n}@example.org`, ...mail });
    const claim = await take(fixture, mails.length);
    const asked = claim.messages.map((message) => asking(claim, message));
    const recipients = await store.gate(asked);
    const copies = await store.gate(
      asked.map(({ lease, message }) => ({
        lease,
        message: { ...message, recipient: 'ada@example.org' },
        copies: [message.recipient],
      })),
    );
    const verdicts = new Set<boolean>();
    for (const [place, message] of claim.messages.entries()) {
      const { lane, transactional, recipient, suppressed } = message;
      const seen = await store.read(suppressionsOf(store, workspaceId, [recipient], { lane, transactional }));
      verdicts.add(suppressed);
      expect({
        recipient,
        lane,
        transactional,
        at: refusal(recipients[place]),
        copy: refusal(copies[place]),
      }).toEqual({
        ...{ recipient, lane, transactional },
        at: suppressed ? 'suppressed' : undefined,
        copy: suppressed ? 'copy_suppressed' : undefined,
      });
      expect(seen.has(recipient)).toBe(suppressed);
    }
    expect(verdicts.size).toBe(2);
  });

  test('of a copy is told apart from that of the recipient, whatever the spelling of the others', async () => {
    const { store, workspaceId } = fixture;
    await store.transaction(suppress(store, workspaceId, 'Carl@example.org', 'complaint', 1));
    for (let n = 0; n < 3; n += 1) await put(fixture);
    const claim = await take(fixture);
    const [first, second, third] = claim.messages.map((message) => asking(claim, message));
    const answers = await store.gate([
      { ...first!, copies: ['bob@example.org', 'carl@example.org'] },
      { ...second!, copies: ['bob@example.org'] },
      { ...third!, copies: [] },
    ]);
    expect(answers.map(refusal)).toEqual(['copy_suppressed', undefined, undefined]);
  });

  test('a channel that is gone lets nothing pass', async () => {
    const { store } = fixture;
    await put(fixture);
    const claim = await take(fixture);
    const [message] = claim.messages;
    const answers = await store.gate([asking(claim, { ...message!, channelId: 999_999 })]);
    expect(answers.map(refusal)).toEqual(['paused']);
  });

  test('keeps the graver reason and the lanes of both, and tells which message taught it', async () => {
    const { store, workspaceId } = fixture;
    const add = (reason: 'unsubscribed' | 'hard_bounce' | 'manual', at: number, over: object = {}) =>
      store.transaction(suppress(store, workspaceId, 'Bob@example.org', reason, at, over));
    await add('unsubscribed', 1, { lanes: ['campaign'] });
    await add('hard_bounce', 2, { lanes: ['outbox'], messageId: 7 });
    const wanted = {
      ...{ address: 'bob@example.org', reason: 'hard_bounce', lanes: ['campaign', 'outbox'] },
      ...{ createdAt: 2, messageId: 7, note: null, actor: null },
    };
    expect(await suppressions.get('BOB@example.org')).toEqual(wanted);
    expect(await add('manual', 3, { lanes: ['campaign'] })).toEqual(wanted);
    await add('manual', 3);
    expect(await suppressions.get('bob@example.org')).toEqual({ ...wanted, lanes: null });
  });

  test('is taken back in whatever spelling; a complaint only if that is meant', async () => {
    const { store, workspaceId } = fixture;
    const remove = (address: string, evenComplaints = false) =>
      store.transaction(unsuppress(store, workspaceId, address, { evenComplaints }));
    await suppressions.add({ email: 'bob@example.org' });
    await suppressions.add({ email: 'carl@example.org', reason: 'complaint' });
    expect(await remove('BOB@Example.org')).toMatchObject({ address: 'bob@example.org', reason: 'manual' });
    expect(await remove('bob@example.org')).toBeUndefined();
    expect(await remove('Carl@example.org')).toBeUndefined();
    expect(await remove('Carl@example.org', true)).toMatchObject({ reason: 'complaint' });
  });

  test('three soft bounces of one address add up, however it is written', async () => {
    const { store, workspaceId } = fixture;
    for (const [n, address] of ['Full@example.org', 'full@example.org', 'FULL@example.org'].entries()) {
      await store.transaction(noteSoftBounce(store, workspaceId, address, n + 1, 1_000));
    }
    expect(await suppressions.get('full@example.org')).toMatchObject({
      reason: 'soft_bounces',
      messageId: 3,
    });
  });

  test('is listed by address, page by page, by how it begins and by reason', async () => {
    const { store, workspaceId } = fixture;
    const names = ['zoe', 'Bob', 'bob.b', 'carl', 'Ålice', 'bobby'];
    for (const [n, name] of names.entries()) {
      const reason = n % 2 === 0 ? 'manual' : 'hard_bounce';
      await suppressions.add({ email: `${name}@example.org`, reason });
    }
    const elsewhere = new Suppressions(store, workspaceId + 1);
    await elsewhere.add({ email: 'bob.elsewhere@example.org' });
    const walk = async (options: object) => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await suppressions.list({ limit: 2, cursor, ...options });
        found.push(...page.items.map(({ address }) => address.split('@')[0]!));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return found;
    };
    expect(await walk({})).toEqual(['bob.b', 'bob', 'bobby', 'carl', 'zoe', 'ålice']);
    expect(await walk({ q: 'BOB' })).toEqual(['bob.b', 'bob', 'bobby']);
    expect(await walk({ q: 'Bob@' })).toEqual(['bob']);
    expect(await walk({ q: 'å' })).toEqual(['ålice']);
    expect(await walk({ reason: 'hard_bounce' })).toEqual(['bob', 'bobby', 'carl']);
    expect(await walk({ reason: 'hard_bounce', q: 'bob' })).toEqual(['bob', 'bobby']);
    expect(await walk({ reason: 'complaint' })).toEqual([]);
    expect(await elsewhere.list()).toMatchObject({ items: [{ address: 'bob.elsewhere@example.org' }] });
  });

  test('of a rare reason is looked for in steps, and says where to go on', async () => {
    const { store, workspaceId } = fixture;
    const { at, dialect } = store;
    const many = dialect === 'postgres' ? 'generate_series(1, 10000) g(n)' : 'numbers';
    const numbers =
      'with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10000)';
    const number = dialect === 'postgres' ? "lpad(n::text, 5, '0')" : "printf('%05d', n)";
    await store.transaction(
      (function* () {
        yield {
          sql: `${dialect === 'postgres' ? '' : numbers} insert into ${at('suppressions')} (workspace_id, address, reason, created_at)
            select ${String(workspaceId)}, 'a' || ${number} || '@example.org', 'manual', 1 from ${many}`,
          parameters: [],
        };
      })(),
    );
    await suppressions.add({ email: 'zoe@example.org', reason: 'complaint' });
    const look = (after?: string) =>
      store.read(listSuppressions(store, workspaceId, { reason: 'complaint', limit: 5, after }));
    const first = await look();
    expect(first).toEqual({ items: [], next: 'a10000@example.org' });
    expect(await look(first.next)).toMatchObject({
      items: [{ address: 'zoe@example.org' }],
      next: undefined,
    });
  });

  test('a message is shown as its recipient was written, and found in every spelling', async () => {
    const { store, workspaceId } = fixture;
    const messages = new Messages(store, workspaceId);
    await put(fixture, { recipient: 'Bob.B@example.org' });
    await put(fixture, { recipient: 'bob.b@example.org' });
    const found = async (options: object) => (await messages.list(options)).items.map(({ to }) => to.email);
    const both = ['bob.b@example.org', 'Bob.B@example.org'];
    for (const to of ['bob.b@example.org', 'BOB.B@EXAMPLE.org']) expect(await found({ to })).toEqual(both);
    for (const q of ['bob.', 'BOB.B', 'Bob.b@Example.org']) expect(await found({ q })).toEqual(both);
    expect(await found({ q: 'bobb' })).toEqual([]);
  });

  test('what retention forgets, it forgets in every spelling', async () => {
    const { store } = fixture;
    await put(fixture, { recipient: 'Bob@example.org', idempotencyKey: 'kept' });
    const claim = await take(fixture);
    await store.settle([result(claim, claim.messages[0]!)]);
    const keeping = { now: (await store.now()) + 1_000, keepMs: 0 };
    await store.transaction(forgetFinished(store, fixture.workspaceId, keeping, 100));
    const kept = await rows(fixture, `select recipient, recipient_given from ${store.at('messages')}`);
    expect(kept).toMatchObject([{ recipient: '', recipient_given: null }]);
  });
});
