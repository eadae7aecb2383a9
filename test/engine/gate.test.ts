import type { MailInput } from 'pillarbox';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { BUSY, Carrier, failed, sent } from './carrier.js';
import type { Post } from './post.js';
import { postsOn, type Posts } from './posts.js';
import { barrier } from './signal.js';

describe.concurrent.each(databases)('the gate on $name', (database) => {
  const onPosts = postsOn(database);

  /** A mail in the carrier's hands that has not asked yet, and the switch that makes it ask. */
  const atTheGate = async (posts: Posts, over: () => Partial<MailInput> = () => ({})) => {
    const go = barrier();
    const carrier = new Carrier(async () => {
      await go.wait;
      return undefined;
    });
    const post = await posts.start(carrier);
    const id = await post.put(over());
    await carrier.until('the offer', () => carrier.triesOf(id) === 1);
    return { post, id, go };
  };

  /** It did not leave, no try is counted, and none is told of. */
  const expectUntried = async (post: Post, id: string) => {
    expect(post.carrier.left).toEqual([]);
    expect((await post.get(id)).attempts).toBe(0);
    expect(await post.box.messages.attempts(id)).toEqual([]);
  };

  test(
    'is shut for what was cancelled meanwhile [D24]',
    onPosts(async (posts) => {
      const { post, id, go } = await atTheGate(posts);
      await post.box.messages.cancel(id);
      go.open();
      expect(await post.settled(id)).toMatchObject({ state: 'cancelled', reason: 'cancelled_by_person' });
      await expectUntried(post, id);
    }),
  );

  test(
    'is shut for a recipient who was suppressed meanwhile [D24] [F38]',
    onPosts(async (posts) => {
      const { post, id, go } = await atTheGate(posts);
      await post.box.suppress('ada@example.org');
      go.open();
      expect(await post.settled(id)).toMatchObject({ state: 'skipped', reason: 'suppressed' });
      await expectUntried(post, id);
    }),
  );

  test(
    'is shut for an account that was paused meanwhile; resumed, it opens',
    onPosts(async (posts) => {
      const { post, id, go } = await atTheGate(posts);
      await post.box.pause('looking into it');
      go.open();
      expect(await post.settled(id)).toMatchObject({ state: 'scheduled' });
      await expectUntried(post, id);
      expect(await post.box.messages.explain(id)).toMatchObject({
        reason: 'account_paused',
        sentence: expect.stringContaining('looking into it') as string,
      });
      await post.box.resume();
      expect(await post.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 1 });
      expect(post.carrier.copiesOf(id)).toBe(1);
    }),
  );

  test(
    'is shut for what came too late meanwhile',
    onPosts(async (posts) => {
      const inAnHour = () => ({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
      const { post, id, go } = await atTheGate(posts, inAnHour);
      await post.box.store.setClock((await post.get(id)).expiresAt! + 1);
      go.open();
      expect(await post.settled(id)).toMatchObject({ state: 'expired' });
      await expectUntried(post, id);
    }),
  );

  test(
    'opens once for a try, whoever asks again',
    onPosts(async (posts) => {
      const answers: boolean[] = [];
      const carrier = new Carrier(async (message, gate) => {
        answers.push(...(await Promise.all([gate(), gate()])), await gate());
        return sent(message);
      });
      const post = await posts.start(carrier);
      expect(await post.settled(await post.put())).toMatchObject({ state: 'sent', attempts: 1 });
      expect(answers).toEqual([true, false, false]);
    }),
  );

  test(
    'has opened: then it is too late to cancel, and the mail is sent',
    onPosts(async (posts) => {
      const reply = barrier();
      const carrier = new Carrier(async (message, gate) => {
        await gate();
        await reply.wait;
        return sent(message);
      });
      const post = await posts.start(carrier);
      const id = await post.put();
      await carrier.until('the hand-over', () => carrier.copiesOf(id) === 1);
      await expect(post.box.messages.cancel(id)).rejects.toMatchObject({ code: 'illegal_move' });
      expect(await post.box.messages.explain(id)).toMatchObject({ state: 'sending', reason: 'handed_over' });
      reply.open();
      expect(await post.settled(id)).toMatchObject({ state: 'sent' });
    }),
  );

  test(
    'was never asked: what was cancelled and has failed by itself is cancelled all the same',
    onPosts(async (posts) => {
      const go = barrier();
      const carrier = new Carrier(async () => {
        await go.wait;
        return failed(BUSY);
      });
      const post = await posts.start(carrier);
      const id = await post.put();
      await carrier.until('the offer', () => carrier.triesOf(id) === 1);
      await post.box.messages.cancel(id);
      go.open();
      expect(await post.settled(id)).toMatchObject({
        state: 'cancelled',
        reason: 'cancelled_by_person',
        attempts: 1,
      });
    }),
  );
});
