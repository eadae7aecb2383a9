import { describe, expect, test } from 'vitest';
import { parseId } from '#pillarbox/core/ids';
import { ensureChannel } from '#pillarbox/store/scripts/accounts';
import { databases } from '../databases.js';
import { aMessage } from '../contract/fixture.js';
import { Carrier } from './carrier.js';
import { aMail, type Post } from './post.js';
import { postsOn } from './posts.js';
import { barrier } from './signal.js';

const CAPACITY = 5;
const BULK = 4_000;

/** Notifications of the account that also sends the outbox's mail. */
async function putNotifications({ box }: Post, many: number): Promise<void> {
  const { store, home } = box;
  const [account] = (await home.accounts.list()).items;
  const accountId = parseId('account', account!.id)!;
  const channelId = await store.transaction(ensureChannel(store, accountId, 'email', 'notification'));
  const lane = 'notification';
  const mail = JSON.stringify({
    from: { email: 'box@example.org' },
    to: { email: 'ada@example.org' },
    subject: 'News',
    text: 'There is a seat.',
  });
  const message = aMessage({ store, workspaceId: home.id, accountId, channelId }, { lane, mail });
  for (let from = 0; from < many; from += 1_000) {
    await store.enqueue(Array.from({ length: Math.min(1_000, many - from) }, () => message));
  }
}

describe.each(databases)('one account on $name', (database) => {
  const onPosts = postsOn(database);

  test(
    'starts a single mail of the outbox at once, although thousands of notifications wait and none of them ends',
    onPosts(async (posts) => {
      const { wait, open } = barrier();
      const carrier = new Carrier(
        async ({ mail }) => {
          if (mail.subject === 'News') await wait;
          return undefined;
        },
        { capacity: CAPACITY },
      );
      const post = await posts.open(carrier);
      await putNotifications(post, BULK);
      await post.box.start();
      await carrier.until('bulk in flight', () => carrier.inFlight === CAPACITY - 1);
      const ids = [];
      for (let n = 0; n < 3; n += 1) {
        const id = await post.put(aMail({ subject: 'Your new password' }));
        ids.push(id);
        await expect.poll(() => carrier.copiesOf(id)).toBe(1);
      }
      // Nothing but these and the few that were under way before.
      expect(carrier.offered).toHaveLength(CAPACITY - 1 + ids.length);
      open();
      await expect.poll(() => carrier.left.length).toBe(BULK + ids.length);
      expect(carrier.mostInFlight).toBeLessThanOrEqual(CAPACITY);
      expect(new Set(carrier.left.map(({ id }) => id)).size).toBe(BULK + ids.length);
    }),
  );

  test(
    'sends its notifications also while the outbox never ends',
    onPosts(async (posts) => {
      const carrier = new Carrier(() => undefined, { capacity: 2 });
      const post = await posts.open(carrier);
      await putNotifications(post, 20);
      await post.putMany(1_000);
      await post.box.start();
      const news = () => carrier.left.filter(({ mail }) => mail.subject === 'News').length;
      await carrier.until('all notifications', () => news() === 20);
      expect(carrier.left.length - news()).toBeLessThan(1_000);
    }),
  );
});
