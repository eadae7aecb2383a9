import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BrokerDeliveries } from '#pillarbox/broker/deliveries';
import { Link } from '#pillarbox/broker/link';
import { QUEUES } from '#pillarbox/core/dispatch-message';
import { formatId } from '#pillarbox/core/ids';
import { Heartbeat } from '#pillarbox/engine/heartbeat';
import { Intake } from '#pillarbox/engine/intake';
import { silent } from '#pillarbox/log/log';
import { Relay } from '#pillarbox/relay/relay';
import { put, rows, useFixture, type Fixture } from '../contract/fixture.js';
import { CutLine } from '../cut-line.js';
import { databases } from '../databases.js';
import { Carrier } from '../engine/carrier.js';
import { postsOn } from '../engine/posts.js';
import { FrozenLine } from '../frozen-line.js';
import { useBroker } from './broker.js';

const postgres = databases.find(({ name }) => name === 'PostgreSQL')!;

/** What breaks between a relay or a sender and its two servers, each by itself. */
describe('faults around a broker', () => {
  const broker = useBroker();
  beforeEach(() => broker.stranger.purge());
  const consumers = async () => (await broker.stranger.channel.checkQueue(QUEUES.send)).consumerCount;

  describe('the database is away', () => {
    const withPosts = postsOn(postgres);
    let line: CutLine | undefined;
    afterEach(() => line?.close());

    test(
      'consumers are cancelled and come back, and nothing is delivered again meanwhile',
      withPosts(async (posts) => {
        // A queue that drops what is delivered for the fourth time: whoever nacks in a loop loses it.
        const name = broker.url.split('/').at(-1)!;
        const { stranger, control } = broker;
        await stranger.channel.deleteQueue(QUEUES.send);
        await stranger.declareOne(QUEUES.send, { arguments: { 'x-queue-type': 'quorum' } });
        const policy = ['limit', '^email', '{"delivery-limit":3}', '--apply-to', 'queues'];
        await control.command('set_policy', '-p', name, ...policy);
        // Marked for long: no other copy comes while this is looked at.
        const relay = await posts.open(undefined, { amqpUrl: broker.url, leaseSeconds: 3_600 });
        await relay.box.startRelay();
        const own = (line = await CutLine.to(posts.place.databaseUrl));
        const verdicts: Record<string, number> = {};
        const sender = await posts.start(new Carrier(), {
          ...{ databaseUrl: own.url, amqpUrl: broker.url, directAfterSeconds: 0 },
          observer: {
            delivered: (verdict, count) => (verdicts[verdict] = (verdicts[verdict] ?? 0) + count),
          },
        });
        await expect.poll(consumers).toBe(1);
        own.die();
        // Taken while it was not known yet that nothing can be claimed; from then on they stay where they are.
        const ids: string[] = [];
        const lying = () => stranger.count(QUEUES.send);
        await expect
          .poll(async () => {
            ids.push(await relay.put());
            return lying();
          })
          .toBeGreaterThan(0);
        const [before, left] = [own.refused, await lying()];
        await expect.poll(() => own.refused - before).toBeGreaterThan(8);
        expect(await lying()).toBeGreaterThanOrEqual(left);
        expect(sender.carrier.offered).toEqual([]);
        own.revive();
        for (const id of ids) await sender.becomes('sent', id);
        expect(ids.map((id) => sender.carrier.copiesOf(id))).toEqual(ids.map(() => 1));
        // Each by its first delivery: none was handed back, and dropped for having been.
        expect(verdicts).toEqual({ claimed: ids.length });
        await sender.box.stop();
        await control.command('clear_policy', '-p', name, 'limit');
      }),
    );
  });

  test(
    'a consumer that the broker has forgotten without a word is noticed, and takes its place again',
    postsOn(postgres)(async (posts) => {
      await broker.stranger.channel.deleteQueue(QUEUES.send);
      await broker.stranger.declareOne(QUEUES.send);
      // Marked for long: what lies in the queue is taken from there.
      const relay = await posts.open(undefined, { amqpUrl: broker.url, leaseSeconds: 3_600 });
      await relay.box.startRelay();
      const sender = await posts.start(new Carrier(), { amqpUrl: broker.url, directAfterSeconds: 0 });
      await sender.becomes('sent', await relay.put());
      // Cancelled in the queue alone, as if its channel had asked: it counts a consumer of which the queue knows nothing, as
      // after a quorum queue was deleted and made anew in a moment.
      const name = broker.url.split('/').at(-1)!;
      await broker.control.evaluate(
        `{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"${name}">>, queue, <<"${QUEUES.send}">>)), ` +
          `[ok = gen_server2:call(amqqueue:get_pid(Q), {basic_cancel, element(1, C), element(2, C), undefined, <<"test">>}) ` +
          `|| C <- rabbit_amqqueue:consumers(Q)].`,
      );
      expect(await consumers()).toBe(0);
      expect(await sender.becomes('sent', await relay.put())).toMatchObject({ attempts: 1 });
      await expect.poll(consumers).toBe(1);
    }),
  );

  describe.each(databases)('by its parts, on $name', ({ ready }) => {
    const fixture = useFixture(ready);
    const open: { stop(): Promise<unknown> }[] = [];
    afterEach(async () => {
      for (const each of open.splice(0).reverse()) await each.stop();
    });

    const aRelay = async (url: string, confirmMs: number) => {
      const { store } = fixture;
      const link = new Link({ url, name: 'relay', log: silent });
      const returned: string[] = [];
      const identity = { name: 'r', kind: 'relay', host: 'h', version: '0' } as const;
      const relay = new Relay({
        ...{ store, link, concurrency: 20, markMs: 3_600_000, intervalMs: 60_000, log: silent, confirmMs },
        heartbeat: (telling) => new Heartbeat(store, identity, silent, telling),
        observer: { cameBack: (reason) => void returned.push(reason) },
      });
      await relay.start();
      open.push(relay);
      return { link, returned };
    };

    test('a confirm that never comes: the link is given up, the row goes back, and is published again', async () => {
      const line = await FrozenLine.to(broker.url);
      open.push({ stop: () => line.close() });
      const { link, returned } = await aRelay(line.url, 300);
      await expect.poll(() => link.standing).toBe('up');
      line.freeze();
      const id = await put(fixture);
      await expect.poll(() => returned).toContain('unconfirmed');
      await expect.poll(() => queuedAt(fixture, id)).toBeNull();
      expect(link.contact.trouble?.why).toBe('a publish failed: unconfirmed');
      line.thaw();
      const emailId = formatId('message', id);
      await expect
        .poll(async () => (await broker.stranger.take(QUEUES.send))?.body)
        .toMatchObject({ emailId });
      await expect.poll(() => link.contact.trouble).toBeUndefined();
    });

    test('what is in hand for long is acknowledged early, and stays in hand', async () => {
      const { store, channelId } = fixture;
      const id = await put(fixture);
      await store.relay.mark([{ channelId, limit: 1 }], 3_600_000);
      const link = new Link({ url: broker.url, name: 'sender', log: silent });
      const taken: number[] = [];
      const intake = new Intake({
        ...{ store, owner: 'w', log: silent, holdMs: 200, longestInHandMs: 100 },
        deliveries: new BrokerDeliveries(link, 10, silent),
        roomOf: () => 10,
        claimSize: (_, room) => room,
        accept: ({ messages }) => Promise.resolve(void taken.push(...messages.map((each) => each.id))),
        judged: () => undefined,
      });
      intake.start();
      open.push({ stop: () => intake.close() });
      broker.stranger.put({ emailId: formatId('message', id), messageKey: 'x', attempt: 1 });
      await expect.poll(() => taken).toEqual([id]);
      const name = broker.url.split('/').at(-1)!;
      const inHand = () => broker.control.command('list_queues', '-p', name, 'messages', 'name');
      await expect.poll(inHand).toMatch(/^0\temail\.dispatcher\.send$/m);
      // It is not delivered again when the connection ends, and its end is no surprise.
      intake.finished(id, 1);
      await intake.close();
      open.splice(0);
      expect(await broker.stranger.take(QUEUES.send)).toBeUndefined();
    });
  });
});

async function queuedAt(fixture: Fixture, id: number): Promise<number | null | undefined> {
  const { store } = fixture;
  const [row] = await rows<{ queued_at: number | null }>(
    fixture,
    `select queued_at from ${store.at('due')} where message_id = ${id}`,
  );
  return row?.queued_at;
}
