import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { Carrier, failed, NOBODY, TOO_LARGE } from './carrier.js';
import { clockAt } from './post.js';
import { postsOn } from './posts.js';

const START = Date.UTC(2031, 2, 3, 9);

describe.concurrent.each(databases)('a retry that cannot help, on $name,', (database) => {
  const onPosts = postsOn(database);
  const deadly = () =>
    new Carrier(({ mail }) => failed(mail.to.email.toLowerCase().startsWith('nobody') ? NOBODY : TOO_LARGE));

  test(
    'is refused while the recipient is suppressed, and done when he is not any more',
    onPosts(async (posts) => {
      const post = await posts.start(deadly());
      const { messages, suppressions } = post.box;
      const id = await post.put({ to: 'Nobody@example.org' });
      await post.settled(id);
      const nobody = await post.put({ to: 'nobody@example.org', transactional: true });
      expect(await post.settled(nobody)).toMatchObject({ state: 'skipped' });
      expect(await post.get(id)).toMatchObject({ state: 'dead' });
      const refused = {
        code: 'illegal_move',
        message: expect.stringContaining('take the address off the list') as string,
      };
      await expect(messages.retry(id)).rejects.toMatchObject(refused);
      await expect(messages.retryFailed(id)).rejects.toMatchObject(refused);
      expect(await messages.act({ kind: 'retry' }, [id])).toMatchObject({
        done: 0,
        conflicts: 1,
        refused: [id],
      });
      expect(await post.get(id)).toMatchObject({ state: 'dead' });
      await suppressions.remove('NOBODY@example.org');
      post.carrier.conduct = () => undefined;
      await messages.retry(id);
      expect(await post.settled(id, 2)).toMatchObject({ state: 'sent' });
    }),
  );

  test(
    'is refused when its time ran out, with that time',
    onPosts(async (posts) => {
      const soon = new Date(START + 60_000).toISOString();
      const first = await posts.start(deadly(), clockAt(START));
      const id = await first.put({ expiresAt: soon });
      expect(await first.settled(id)).toMatchObject({ state: 'dead' });
      await first.box.stop();
      const later = await posts.open(deadly(), clockAt(START + 120_000));
      await expect(later.box.messages.retry(id)).rejects.toMatchObject({
        code: 'illegal_move',
        message: expect.stringMatching(/ran out at .*09:01.*send it anew/) as string,
      });
      expect(await later.get(id)).toMatchObject({ state: 'dead' });
    }),
  );

  test(
    'is left out of a whole cause, and reported',
    onPosts(async (posts) => {
      const post = await posts.start(deadly());
      const { messages } = post.box;
      const ids = await post.putMany(6);
      await post.allSettled(ids);
      for (const n of [0, 2, 5]) await post.box.suppress(`R${n}@example.org`);
      const [group] = await messages.deadGroups();
      const report = await messages.actOnGroup('retry', group!.fingerprint, Infinity);
      expect(report).toEqual({ done: 3, conflicts: 3, more: false });
      for (const n of [0, 2, 5]) expect(await post.get(ids[n]!)).toMatchObject({ state: 'dead' });
      expect(await messages.actOnGroup('dismiss', group!.fingerprint, Infinity)).toMatchObject({
        more: false,
      });
      for (const n of [0, 2, 5]) expect(await post.get(ids[n]!)).toMatchObject({ state: 'cancelled' });
    }),
  );
});
