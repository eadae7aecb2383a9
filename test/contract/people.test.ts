import { beforeEach, describe, expect, test } from 'vitest';
import { Messages } from '#pillarbox/messages/messages';
import { cancelAll } from '#pillarbox/store/scripts/cancel';
import { resolveLate, type LateReply } from '#pillarbox/store/scripts/late-replies';
import { coolAccount, pauseAccount } from '#pillarbox/store/scripts/accounts';
import { formatId } from '#pillarbox/core/ids';
import { databases } from '../databases.js';
import {
  anAccount,
  asking,
  failedTry,
  letLeasesRunOut,
  noteCause,
  put,
  result,
  rows,
  take,
  useFixture,
} from './fixture.js';

/** What people see of messages and do with them, on both databases. */
describe.each(databases)('messages and people on $name', ({ ready }) => {
  const fixture = useFixture(ready);
  let messages: Messages;

  beforeEach(() => {
    messages = new Messages(fixture.store, fixture.workspaceId);
  });

  const publicId = (id: number) => formatId('message', id);
  const late = (...replies: LateReply[]) => fixture.store.transaction(resolveLate(fixture.store, replies, 5));

  async function aDead(fingerprint?: string): Promise<string> {
    const id = await put(fixture);
    const claim = await take(fixture, 1);
    const entry = {
      event: 'exhausted',
      reason: 'max_attempts',
      attempt: failedTry,
      attempts: 5,
      fingerprint,
    } as const;
    await fixture.store.settle([result(claim, claim.messages[0]!, entry)]);
    return publicId(id);
  }

  /** A message in doubt, and the lease under which it was handed over. */
  async function aHeld(): Promise<{ id: string; number: number; lease: number }> {
    const { store } = fixture;
    const number = await put(fixture);
    const claim = await take(fixture, 1);
    await store.gate([asking(claim, claim.messages[0]!)]);
    await letLeasesRunOut(fixture);
    const [lost] = await store.takeOver('rescuer', 1);
    const attempt = { ...failedTry, outcome: 'in_doubt', errorClass: 'in_doubt' } as const;
    await store.settle([
      result(lost!, lost!.messages[0]!, { event: 'doubted', reason: 'in_doubt', attempt, lost: true }),
    ]);
    return { id: publicId(number), number, lease: claim.lease };
  }

  const illegal = expect.objectContaining({ code: 'illegal_move' });

  describe('retry', () => {
    test('gives a dead message a fresh budget, due now, with its error forgotten', async () => {
      const id = await aDead();
      expect(await messages.retry(id)).toMatchObject({
        state: 'scheduled',
        attempts: 0,
        lastError: null,
        deadReason: null,
      });
      expect((await take(fixture)).messages).toHaveLength(1);
    });

    test('pressed twice, or by twenty at once, acts once', async () => {
      const id = await aDead();
      const presses = await Promise.allSettled(Array.from({ length: 20 }, () => messages.retry(id)));
      expect(presses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const press of presses) if (press.status === 'rejected') expect(press.reason).toEqual(illegal);
      expect((await take(fixture)).messages).toHaveLength(1);
    });

    test('is refused for what waits, is in flight, was sent or is in doubt', async () => {
      const waiting = publicId(await put(fixture));
      await expect(messages.retry(waiting)).rejects.toEqual(illegal);
      const claim = await take(fixture);
      await expect(messages.retry(waiting)).rejects.toEqual(illegal);
      await fixture.store.settle([result(claim, claim.messages[0]!)]);
      await expect(messages.retry(waiting)).rejects.toEqual(illegal);
      await expect(messages.retry((await aHeld()).id)).rejects.toEqual(illegal);
    });
  });

  describe('dismiss', () => {
    test('takes a dead or held message off the work lists, once', async () => {
      for (const id of [await aDead(), (await aHeld()).id]) {
        expect(await messages.dismiss(id)).toMatchObject({
          state: 'cancelled',
          reason: 'dismissed_by_person',
        });
        await expect(messages.dismiss(id)).rejects.toEqual(illegal);
      }
      expect((await messages.list({ state: ['dead', 'held'] })).items).toEqual([]);
    });
  });

  describe('resolve', () => {
    test('as sent ends a doubt; as unsent sends again; neither touches what is not held', async () => {
      const { id } = await aHeld();
      expect(await messages.resolve(id, 'sent')).toMatchObject({
        state: 'sent',
        reason: 'confirmed_by_person',
      });
      await expect(messages.resolve(id, 'sent')).rejects.toEqual(illegal);
      const again = await aHeld();
      expect(await messages.resolve(again.id, 'unsent')).toMatchObject({ state: 'scheduled', attempts: 0 });
      await expect(messages.resolve(await aDead(), 'sent')).rejects.toEqual(illegal);
    });

    test('a late reply resolves its own doubt and no other', async () => {
      const { id, number, lease } = await aHeld();
      expect(await late({ id: number, lease: lease + 999, left: true })).toEqual(['never']);
      expect((await messages.get(id)).state).toBe('held');
      expect(await late({ id: number, lease, left: true })).toEqual(['resolved']);
      expect(await messages.get(id)).toMatchObject({ state: 'sent', reason: 'late_reply' });
      const attempts = await messages.attempts(id);
      expect(attempts.map(({ outcome }) => outcome)).toEqual(['in_doubt']);
      expect(await late({ id: number, lease, left: true })).toEqual(['never']);
    });

    test('a late refusal puts the message back', async () => {
      const { id, number, lease } = await aHeld();
      expect(await late({ id: number, lease, left: false })).toEqual(['resolved']);
      expect((await messages.get(id)).state).toBe('retry_scheduled');
    });

    test('a late reply also stops a message that waits to be sent again because of that doubt', async () => {
      const { store } = fixture;
      const number = await put(fixture, { doubtPolicy: 'resend' });
      const claim = await take(fixture, 1);
      await store.gate([asking(claim, claim.messages[0]!)]);
      await letLeasesRunOut(fixture);
      const [lost] = await store.takeOver('rescuer', 1);
      const attempt = { ...failedTry, outcome: 'in_doubt' } as const;
      await store.settle([result(lost!, lost!.messages[0]!, { event: 'deferred', waitMs: 60_000, attempt })]);
      expect(await late({ id: number, lease: claim.lease, left: true })).toEqual(['resolved']);
      expect(await messages.get(publicId(number))).toMatchObject({ state: 'sent', sentAt: 5 });
    });

    test('a late reply is told to wait while its doubt may still come, and only then', async () => {
      const { store } = fixture;
      const number = await put(fixture, { doubtPolicy: 'resend' });
      const claim = await take(fixture, 1);
      await store.gate([asking(claim, claim.messages[0]!)]);
      await letLeasesRunOut(fixture);
      const [lost] = await store.takeOver('rescuer', 1);
      const reply = { id: number, lease: claim.lease };
      // Its successor is deciding.
      expect(await late({ ...reply, left: true })).toEqual(['not_yet']);
      expect(await late({ ...reply, left: false })).toEqual(['not_yet']);
      expect(await late({ ...reply, lease: claim.lease + 999, left: true })).toEqual(['never']);
      const attempt = { ...failedTry, outcome: 'in_doubt' } as const;
      await store.settle([result(lost!, lost!.messages[0]!, { event: 'deferred', attempt })]);
      // It waits to be sent again: there is nothing to refute.
      expect(await late({ ...reply, left: false })).toEqual(['never']);
      // It is being sent again, and may come back.
      const again = await take(fixture, 1);
      expect(await late({ ...reply, left: true }, { ...reply, left: false })).toEqual(['not_yet', 'never']);
      await store.settle([result(again, again.messages[0]!, { event: 'deferred', attempt: failedTry })]);
      expect(await late({ ...reply, left: true })).toEqual(['resolved']);
      expect(await late({ ...reply, left: true })).toEqual(['never']);
      expect(await late({ ...reply, id: number + 999, left: true })).toEqual(['never']);
    });
  });

  describe('cancel', () => {
    test('stops what waits, and what is in flight but not handed over', async () => {
      const waiting = publicId(await put(fixture));
      expect(await messages.cancel(waiting)).toMatchObject({ state: 'cancelled' });
      await expect(messages.cancel(waiting)).rejects.toEqual(illegal);

      const flying = publicId(await put(fixture));
      const claim = await take(fixture);
      await messages.cancel(flying);
      const [answer] = await fixture.store.gate([asking(claim, claim.messages[0]!)]);
      expect(answer).toEqual({ passed: false, refusal: 'cancelled' });
    });

    test('of many stops those that it may, each in its place, in as many statements as for one', async () => {
      const { store, workspaceId } = fixture;
      const sent = await put(fixture);
      const first = await take(fixture, 1);
      await store.settle([result(first, first.messages[0]!)]);
      for (let n = 0; n < 60; n += 1) await put(fixture);
      const [one, two] = [await take(fixture, 20), await take(fixture, 20)];
      const [passed, withdrawn, ...flying] = [...one.messages, ...two.messages];
      await store.gate([asking(one, passed!)]);
      await messages.cancel(publicId(withdrawn!.id));
      const others = await store.transaction(anAccount(store, 'other'));
      const theirs = await put({ ...fixture, ...others });
      const waiting = (await rows<{ id: number }>(fixture, `select message_id as id from ${store.at('due')}`))
        .map(({ id }) => id)
        .filter((id) => id !== theirs);
      const refused = [sent, passed!.id, withdrawn!.id, theirs, 123_456];
      const ids = [...waiting, ...refused, ...flying.map(({ id }) => id)];

      let statements = 0;
      const stopped = await store.transaction(
        (function* () {
          const script = cancelAll(store, ids, { workspaceId, now: 1 });
          let step = script.next([]);
          while (!step.done) {
            statements += 1;
            step = script.next((yield step.value) as readonly unknown[]);
          }
          return step.value;
        })(),
      );
      expect(new Set(stopped)).toEqual(new Set(ids.filter((id) => !refused.includes(id))));
      expect(statements).toBeLessThan(25);
      for (const id of waiting)
        expect(await messages.get(publicId(id))).toMatchObject({ state: 'cancelled' });
      for (const [claim, own] of [
        [one, flying.slice(0, 18)],
        [two, flying.slice(18)],
      ] as const) {
        const answers = await store.gate(own.map((message) => asking(claim, message)));
        expect(answers.every((answer) => !answer.passed && answer.refusal === 'cancelled')).toBe(true);
        await store.settle(
          own.map((message) => result(claim, message, { event: 'released', attempt: undefined })),
        );
      }
      expect(await messages.countByState()).toMatchObject({ cancelled: 20 + 38, scheduled: 0, sent: 1 });
      expect(await messages.get(publicId(passed!.id))).toMatchObject({ state: 'sending' });
    });

    test('races with gates: every cancellation that was answered "yes" stays behind', async () => {
      const { store } = fixture;
      for (let n = 0; n < 30; n += 1) await put(fixture);
      const claim = await take(fixture, 30);
      const answers = claim.messages.map(async (message, n) => {
        const asked = n % 2 === 0;
        const press = () =>
          messages.cancel(publicId(message.id)).then(
            () => true,
            () => false,
          );
        const gate = () => store.gate([asking(claim, message)]).then(([answer]) => answer!.passed);
        const [first, second] = await Promise.all(asked ? [press(), gate()] : [gate(), press()]);
        return asked ? { cancelled: first, passed: second } : { cancelled: second, passed: first };
      });
      for (const { cancelled, passed } of await Promise.all(answers)) expect(cancelled && passed).toBe(false);
    });
  });

  describe('looking', () => {
    test('a list of a state has those messages and no others, newest first, page by page', async () => {
      const ids = [];
      for (let n = 0; n < 7; n += 1)
        ids.push(publicId(await put(fixture, { recipient: `u${n % 2}@example.org` })));
      const first = await messages.list({ state: 'scheduled', limit: 3 });
      const second = await messages.list({ state: 'scheduled', limit: 3, cursor: first.nextCursor! });
      const third = await messages.list({ state: 'scheduled', limit: 3, cursor: second.nextCursor! });
      expect([first, second, third].flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids.reverse());
      expect(third.nextCursor).toBeNull();
      expect((await messages.list({ to: 'u1@example.org' })).items).toHaveLength(3);
      expect((await messages.list({ to: 'u1@example.org', state: 'sent' })).items).toEqual([]);
    });

    test('a list may ask for several states at once, in every place', async () => {
      const dead = await aDead();
      const held = await aHeld();
      const sending = publicId(await put(fixture));
      await take(fixture);
      const waiting = publicId(await put(fixture));
      const { items } = await messages.list({ state: ['dead', 'held', 'sending', 'scheduled'] });
      expect(items.map(({ id, state }) => [id, state])).toEqual([
        [waiting, 'scheduled'],
        [sending, 'sending'],
        [held.id, 'held'],
        [dead, 'dead'],
      ]);
      expect((await messages.list({ state: 'sending' })).items.map(({ id }) => id)).toEqual([sending]);
    });

    test('another workspace sees nothing and can do nothing', async () => {
      const id = await aDead();
      const other = await fixture.store.transaction(anAccount(fixture.store, 'other'));
      const theirs = new Messages(fixture.store, other.workspaceId);
      const missing = expect.objectContaining({ code: 'not_found' });
      expect((await theirs.list({ state: 'dead' })).items).toEqual([]);
      expect((await theirs.list()).items).toEqual([]);
      const attempts = [
        () => theirs.get(id),
        () => theirs.attempts(id),
        () => theirs.explain(id),
        () => theirs.retry(id),
        () => theirs.dismiss(id),
        () => theirs.cancel(id),
        () => theirs.resolve(id, 'sent'),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toEqual(missing);
      expect((await messages.get(id)).state).toBe('dead');
    });

    test.each(['msg_', 'msg_zzz', 'acc_1', '', "1' or 1=1"])('%j is not a message', async (id) => {
      await expect(messages.get(id)).rejects.toMatchObject({ code: 'not_found' });
    });

    test.each([{ limit: 0 }, { limit: 201 }, { limit: 1.5 }, { cursor: 'x' }])(
      'a list with %j is refused',
      async (options) => {
        await expect(messages.list(options)).rejects.toMatchObject({ code: 'invalid_input' });
      },
    );

    test('explains from what the claim and the gate look at', async () => {
      const { store, accountId } = fixture;
      const id = publicId(await put(fixture));
      expect(await messages.explain(id)).toMatchObject({ state: 'scheduled', reason: 'no_worker' });
      const until = await store.transaction(
        coolAccount(store, accountId, '421 slow down', await store.now(), 600),
      );
      expect(await messages.explain(id)).toMatchObject({ reason: 'account_cooling', until });
      await store.transaction(pauseAccount(store, accountId, '535 wrong password', await store.now()));
      const { sentence } = await messages.explain(id);
      expect(sentence).toContain('535 wrong password');
    });
  });

  describe('dead groups', () => {
    test('are counted by cause and retried or dismissed as one', async () => {
      const cause = {
        transport: 'smtp',
        class: 'permanent',
        code: '550',
        sample: 'no such user',
      } as const;
      await noteCause(fixture, { ...cause, fingerprint: 'f1' });
      await noteCause(fixture, { ...cause, fingerprint: 'f2', code: '554' });
      await aDead('f2');
      const ids = [await aDead('f1'), await aDead('f1'), await aDead('f1')];
      expect(await messages.deadGroups()).toMatchObject([
        { fingerprint: 'f1', count: 3, code: '550', sample: 'no such user' },
        { fingerprint: 'f2', count: 1 },
      ]);
      expect(await messages.retryGroup('f1')).toBe(3);
      expect((await messages.get(ids[0]!)).state).toBe('scheduled');
      expect(await messages.dismissGroup('f2')).toBe(1);
      expect(await messages.deadGroups()).toEqual([]);
      expect(await messages.retryGroup('f1')).toBe(0);
    });
  });
});
