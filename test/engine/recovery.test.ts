import type { LookupAnswer } from 'pillarbox';
import { describe, expect, test, vi } from 'vitest';
import { parseId } from '#pillarbox/core/ids';
import { ask } from '#pillarbox/store/script';
import type { Claim, Store } from '#pillarbox/store/store';
import { letLeasesRunOut } from '../contract/fixture.js';
import { databases } from '../databases.js';
import { Carrier } from './carrier.js';
import type { Post } from './post.js';
import { postsOn } from './posts.js';
import { barrier } from './signal.js';
import { refuse } from './triggers.js';

const numberOf = (id: string) => parseId('message', id)!;

/** Claims and hands over, as a worker does that is then lost. */
async function loseWorker(store: Store, { handed, alone = false }: { handed: boolean; alone?: boolean }) {
  const claim = await store.claim({
    owner: 'lost',
    shares: (await store.openChannels()).map(({ id }) => ({ channelId: id, limit: 100 })),
    alone,
  });
  if (handed) await store.gate(claim!.messages.map((message) => ({ message, lease: claim!.lease })));
  await letLeasesRunOut({ store });
  return claim as Claim;
}

/** Settled by whoever, as recovery does it: without a delivery, so no probe tells. */
const allBecome = (post: Post, state: 'sent' | 'held' | 'dead', ids: readonly string[]) =>
  Promise.all(ids.map((id) => post.becomes(state, id)));

describe.concurrent.each(databases)('a lease that ran out on $name', (database) => {
  const onPosts = postsOn(database);

  test(
    'is judged by one look at the clock, with few questions at once',
    onPosts(async (posts) => {
      let asking = 0;
      let most = 0;
      const answers = barrier();
      // Nobody is answered before five have asked, and whoever else may ask as well has had the time to.
      const lookup = async (): Promise<LookupAnswer> => {
        asking += 1;
        most = Math.max(most, asking);
        if (asking === 5) {
          for (let turn = 0; turn < 20; turn += 1) await aTurn();
          answers.open();
        }
        await answers.wait;
        asking -= 1;
        return 'sent';
      };
      const post = await posts.open(new Carrier(undefined, { lookup }));
      const ids = await post.putMany(60, { onDoubt: 'hold' });
      const { store } = post.box;
      const aTurn = store.now.bind(store);
      await loseWorker(store, { handed: true });
      const clocks = vi.spyOn(store, 'now');
      expect(await post.box.pass({ seen: false })).toMatchObject({ claimed: 0 });
      // The chores of a pass look at the clock as well, but not for each message.
      expect(clocks.mock.calls.length).toBeLessThan(45);
      await allBecome(post, 'sent', ids);
      expect(post.carrier.asked).toHaveLength(60);
      expect(most).toBe(5);
    }),
  );

  test(
    'is left to the policy where a provider does not answer in time, message by message',
    onPosts(async (posts) => {
      const lookup = ({ mail }: { mail: { subject: string } }) =>
        mail.subject === 'silent'
          ? new Promise<never>(() => undefined)
          : Promise.resolve<LookupAnswer>('sent');
      // A question is given up after a lease at the latest. There are two rounds of them.
      const post = await posts.open(new Carrier(undefined, { lookup }), { leaseSeconds: 5 });
      const silentOnes = await post.putMany(7, { subject: 'silent', onDoubt: 'hold' });
      const others = await post.putMany(7, { onDoubt: 'hold' });
      await loseWorker(post.box.store, { handed: true });
      await post.box.start();
      await allBecome(post, 'held', silentOnes);
      await allBecome(post, 'sent', others);
    }),
  );

  test(
    'loses nothing of what can be judged to a message that cannot be settled',
    onPosts(async (posts) => {
      const post = await posts.open();
      const ids = await post.putMany(9, { onDoubt: 'hold' });
      const admit = await refuse(posts.place, {
        table: 'outcomes',
        when: `new.message_id = ${numberOf(ids[3]!)}`,
      });
      const { store } = post.box;
      await loseWorker(store, { handed: true });
      await post.box.start();
      await allBecome(
        post,
        'held',
        ids.filter((_, n) => n !== 3),
      );
      expect(await post.get(ids[3]!)).toMatchObject({ state: 'sending' });
      // Nothing else waits for it: the worker goes on, and so do its chores.
      expect(await post.settled(await post.put())).toMatchObject({ state: 'sent' });
      await admit();
      await letLeasesRunOut({ store });
      await allBecome(post, 'held', ids);
    }),
  );

  test(
    'for the fifth time with this message alone says why it is dead, in the lists and by its cause',
    onPosts(async (posts) => {
      const post = await posts.open();
      const id = await post.put();
      const { store } = post.box;
      const lost = { lease_losses: 6, lone_losses: 4 };
      await store.transaction(ask(store.db.updateTable('messages').set(lost).where('id', '=', numberOf(id))));
      await store.transaction(ask(store.db.updateTable('due').set({ alone: 1 })));
      await loseWorker(store, { handed: false, alone: true });
      await post.box.pass({ seen: false });
      const lastError = {
        class: 'permanent',
        code: 'poison',
        message: '5 workers in a row were lost while they had only this message in hand',
      };
      const dead = await post.becomes('dead', id);
      expect(dead).toMatchObject({ deadReason: 'poison', lastError, attempts: 0 });
      expect(await post.box.messages.attempts(id)).toEqual([]);
      const { items } = await post.box.messages.list({ state: 'dead' });
      expect(items).toMatchObject([{ id, lastError }]);
      const { message: sample, ...cause } = lastError;
      expect(await post.box.messages.deadGroups()).toMatchObject([{ ...cause, sample, count: 1 }]);
      await post.box.messages.retry(id);
      expect(await post.get(id)).toMatchObject({ state: 'scheduled', lastError: null });
    }),
  );
});
