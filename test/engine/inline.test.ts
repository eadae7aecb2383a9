import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { afterTheGate, BUSY, Carrier, failed, inDoubt, TOO_LARGE } from './carrier.js';
import { aMail } from './post.js';
import { postsOn } from './posts.js';

const never = new Promise<undefined>(() => undefined);

describe.concurrent.each(databases)('a mail that its caller sends on $name', (database) => {
  const onPosts = postsOn(database);

  test(
    'has left when the call returns, without any worker, and no try of the engine is counted',
    onPosts(async (posts) => {
      const { box, carrier } = await posts.open();
      const result = await box.outbox.send(aMail());
      const id = carrier.left[0]!.id;
      const message = await box.messages.get(id);
      expect(result).toEqual({ delivered: true, id, messageId: message.messageId, recorded: true });
      expect(message).toMatchObject({ state: 'sent', attempts: 0, lastError: null, lockedBy: null });
      expect(await box.messages.attempts(id)).toEqual([]);
      expect(await box.messages.inlineAttempt(id)).toMatchObject({ number: 1, outcome: 'success' });
    }),
  );

  test(
    'waits 30 s when the server refuses it for now, as a retry that has used up none of its tries',
    onPosts(async (posts) => {
      const { box } = await posts.open(new Carrier(() => failed(BUSY)));
      const result = await box.outbox.send(aMail());
      expect(result).toMatchObject({ delivered: false, state: 'retry_scheduled' });
      const { id } = result as { id: string };
      const inline = (await box.messages.inlineAttempt(id))!;
      expect(inline).toMatchObject({ outcome: 'failed', errorCode: BUSY.code });
      expect(result).toMatchObject({ nextAttemptAt: inline.finishedAt + 30_000 });
      expect(await box.messages.get(id)).toMatchObject({
        state: 'retry_scheduled',
        attempts: 0,
        lastError: { code: BUSY.code },
      });
      const { items } = await box.messages.list({ state: 'retry_scheduled' });
      expect(items.map((item) => item.id)).toEqual([id]);
    }),
  );

  test(
    'goes on with its waits after the inline one: 60 s after the first failure of a worker',
    onPosts(async (posts) => {
      const post = await posts.start(new Carrier(() => failed(BUSY)), { clock: '2031-03-03T09:00:00Z*600' });
      const { id } = (await post.box.outbox.send(aMail())) as { id: string };
      const { nextAttemptAt, attempts } = await post.settled(id, 2);
      const [first] = await post.box.messages.attempts(id);
      expect(attempts).toBe(1);
      expect(nextAttemptAt).toBe(first!.finishedAt + 60_000);
    }),
  );

  test(
    'that is refused for good is dead at once, and the caller is told',
    onPosts(async (posts) => {
      const { box } = await posts.open(new Carrier(() => failed(TOO_LARGE)));
      const result = await box.outbox.send(aMail());
      expect(result).toMatchObject({ delivered: false, state: 'dead', nextAttemptAt: null });
      const { id } = result as { id: string };
      expect(await box.messages.get(id)).toMatchObject({ attempts: 0 });
      expect((await box.messages.explain(id)).headline).toMatch(/^Its one try, while the caller waited, met/);
    }),
  );

  test(
    'is on its way when the budget ends, and only its own end decides what follows [F41]',
    onPosts(async (posts) => {
      let answer: () => void = () => undefined;
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const carrier = new Carrier(async () => {
        await answered;
        return undefined;
      });
      const post = await posts.start(carrier, { inlineSeconds: 0.1 });
      // Its server has not answered yet, nor would it ever have.
      const result = await post.box.outbox.send(aMail());
      expect(result).toMatchObject({ delivered: false, state: 'sending' });
      answer();
      const { id } = result as { id: string };
      expect(await post.becomes('sent', id)).toMatchObject({ attempts: 0 });
      expect(carrier.offered).toHaveLength(1);
    }),
  );

  test(
    'whose caller is gone is sent by a worker once the lease has run out [D19]',
    onPosts(async (posts) => {
      const dying = await posts.open(new Carrier(() => never), {
        leaseSeconds: 0.5,
        inlineSeconds: 0.05,
        graceSeconds: 0,
      });
      const { id } = (await dying.box.outbox.send(aMail())) as { id: string };
      const worker = await posts.start(new Carrier(), { leaseSeconds: 0.5 });
      await dying.box.stop();
      await worker.becomes('sent', id);
      expect(worker.carrier.left).toHaveLength(1);
    }),
  );

  test(
    'in doubt is sent once more, after its wait, and shows the doubt [F41]',
    onPosts(async (posts) => {
      const carrier = new Carrier((message, gate, nth) =>
        nth === 1 ? afterTheGate(() => inDoubt())(message, gate, nth) : undefined,
      );
      const post = await posts.open(carrier);
      const result = await post.box.outbox.send(aMail({ onDoubt: 'resend' }));
      expect(result).toMatchObject({ delivered: false, state: 'retry_scheduled' });
      const { id } = result as { id: string };
      expect(await post.box.messages.inlineAttempt(id)).toMatchObject({ outcome: 'in_doubt' });
      expect(await post.get(id)).toMatchObject({ attempts: 0 });
    }),
  );

  test(
    'with a known key is not sent again; with another content it is refused',
    onPosts(async (posts) => {
      const { box, carrier } = await posts.open();
      const first = (await box.outbox.send(aMail(), { idempotencyKey: 'k' })) as { id: string };
      expect(await box.outbox.send(aMail(), { idempotencyKey: 'k' })).toEqual({
        duplicate: true,
        id: first.id,
        state: 'sent',
      });
      const other = box.outbox.send(aMail({ text: 'Something else.' }), { idempotencyKey: 'k' });
      await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
      expect(carrier.left).toHaveLength(1);
    }),
  );

  test(
    'at a later time, or from a paused account, waits without a try',
    onPosts(async (posts) => {
      const { box, carrier } = await posts.open();
      const sendAt = new Date(Date.now() + 3_600_000).toISOString();
      expect(await box.outbox.send(aMail({ sendAt }))).toMatchObject({
        state: 'scheduled',
        nextAttemptAt: Date.parse(sendAt),
      });
      await box.pause('a person said so');
      expect(await box.outbox.send(aMail())).toMatchObject({ delivered: false, state: 'scheduled' });
      expect(carrier.left).toEqual([]);
    }),
  );

  test(
    'together with fifty others leaves once, each',
    onPosts(async (posts) => {
      const { box, carrier } = await posts.open();
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, n) => box.outbox.send(aMail({ to: `r${n}@example.org` }))),
      );
      expect(results.every((result) => 'delivered' in result && result.delivered)).toBe(true);
      expect(new Set(carrier.left.map(({ id }) => id)).size).toBe(50);
      expect(carrier.left).toHaveLength(50);
    }),
  );
});
