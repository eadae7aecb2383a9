import { describe, expect, test } from 'vitest';
import { readMessages } from '#pillarbox/store/scripts/messages';
import { parseId } from '#pillarbox/core/ids';
import { databases } from '../databases.js';
import { Carrier } from './carrier.js';
import { aMail, type Post } from './post.js';
import { postsOn, type Posts } from './posts.js';
import { Tarpit } from './tarpit.js';

/** Of a process without other accounts: five times the sends at once of a worker. */
const CONCURRENCY = 20;
const AT_ONCE = 5 * CONCURRENCY;

/** How many are in their callers' hands, and how many wait for a worker. */
async function standings({ box }: Post, ids: readonly string[]) {
  const numbers = ids.map((id) => parseId('message', id)!);
  const states = new Map<string, number>();
  for (let from = 0; from < numbers.length; from += 500) {
    const page = numbers.slice(from, from + 500);
    for (const { state } of await box.store.read(readMessages(box.store, box.home.id, page))) {
      states.set(state, (states.get(state) ?? 0) + 1);
    }
  }
  return { sending: states.get('sending') ?? 0, scheduled: states.get('scheduled') ?? 0 };
}

const sendMany = async ({ box }: Post, many: number, text = 'See you on Monday.') => {
  const results = await Promise.all(
    Array.from({ length: many }, (_, n) => box.outbox.send(aMail({ to: `r${n}@example.org`, text }))),
  );
  return results.map((result) => (result as { id: string }).id);
};

describe.each(databases)('callers that send on $name, to a server that says nothing,', (database) => {
  const onPosts = postsOn(database);
  const beside =
    (act: (posts: Posts, tarpit: Tarpit) => Promise<void>) =>
    async (posts: Posts): Promise<void> => {
      const tarpit = await Tarpit.start('door');
      try {
        await act(posts, tarpit);
      } finally {
        await posts.close();
        await tarpit.close();
      }
    };
  const STUCK = { transport: undefined, inlineSeconds: 0.2, graceSeconds: 0, concurrency: CONCURRENCY };

  test(
    'hold so many mails and no more; the rest waits for the workers, who can take it',
    onPosts(
      beside(async (posts, tarpit) => {
        const callers = await posts.open(undefined, { ...STUCK, smtpUrl: tarpit.url });
        const ids = await sendMany(callers, 3 * AT_ONCE);
        const first = await standings(callers, ids);
        expect(first.sending).toBeGreaterThan(0);
        expect(first.sending).toBeLessThanOrEqual(AT_ONCE);
        expect(first.sending + first.scheduled).toBe(3 * AT_ONCE);
        expect(tarpit.taken).toBeLessThanOrEqual(5);

        // What outlasts its caller is still counted: nothing more is begun.
        const later = await sendMany(callers, 2 * AT_ONCE);
        expect(await standings(callers, later)).toEqual({ sending: 0, scheduled: 2 * AT_ONCE });

        const worker = await posts.start(new Carrier());
        await expect.poll(() => worker.carrier.left.length).toBe(5 * AT_ONCE - first.sending);
        expect(tarpit.ended).toBe(0);
      }),
    ),
  );

  test(
    'hold so many bytes and no more',
    onPosts(
      beside(async (posts, tarpit) => {
        const callers = await posts.open(undefined, { ...STUCK, smtpUrl: tarpit.url });
        const ids = await sendMany(callers, 12, 'x'.repeat(5 * 1024 * 1024));
        const { sending, scheduled } = await standings(callers, ids);
        expect([sending, scheduled]).toEqual([6, 6]);
      }),
    ),
  );

  test(
    'leave others their share of what callers may hold',
    onPosts(
      beside(async (posts, tarpit) => {
        const options = { ...STUCK, secret: 'a secret of some length', allowPrivateHosts: true };
        const post = await posts.open(new Carrier(), {
          ...options,
          transport: new Carrier(),
          inlineSeconds: 60,
        });
        const { outbox, accounts } = post.box.home;
        const { id: accountId } = await accounts.create({
          name: 'Stuck',
          emailAddress: 'stuck@example.org',
          transport: { kind: 'smtp', url: tarpit.url },
        });
        // Their callers still wait: nothing says yet that this server is silent.
        const stuck = Array.from({ length: 2 * AT_ONCE }, () => outbox.send(aMail({ accountId })));
        const begun = async () => {
          const { items } = await post.box.messages.list({ state: 'sending', limit: 200 });
          return items.length;
        };
        await expect.poll(begun).toBe(AT_ONCE);
        const results = await Promise.all(
          Array.from({ length: AT_ONCE / 2 }, (_, n) => outbox.send(aMail({ to: `r${n}@example.org` }))),
        );
        expect(results.filter((result) => 'delivered' in result && result.delivered)).toHaveLength(
          AT_ONCE / 2,
        );
        await posts.close();
        await Promise.allSettled(stuck);
      }),
    ),
  );
});
