// @ts-check
import { Link } from '../../dist/broker/link.js';
import { Publisher } from '../../dist/broker/publisher.js';
import { QUEUES, writeDispatch } from '../../dist/core/dispatch-message.js';
import { openStore } from '../../dist/store/open.js';
import { log } from '../contenders/pillarbox.mjs';

const AT_ONCE = 500;

/**
 * What a relay does to each message, without a window that somebody would have to empty: marked, published, confirmed.
 * And what its statements cost, beside whatever else is in the tables.
 *
 * @param {{ url: string, amqpUrl: string, channelId: number, mails: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, amqpUrl, channelId, mails }, parent) {
  const store = await openStore({ databaseUrl: url, leaseMs: 120_000, log });
  const link = new Link({ url: amqpUrl, name: 'bench', log });
  const publisher = new Publisher(link);
  await new Promise((resolve) => {
    link.use({ up: () => resolve(undefined) });
    link.open();
  });
  let [lookMs, looks, markMs, confirmed] = [0, 0, 0, 0];
  const started = performance.now();
  const done = new Promise((resolve, reject) => {
    const heard = (/** @type {string | undefined} */ failure) => {
      if (failure) reject(new Error(`a publish failed: ${failure}`));
      confirmed += 1;
      if (confirmed === mails) resolve(undefined);
    };
    void (async () => {
      for (let marked = 0; marked < mails;) {
        while (publisher.unconfirmed > 1_500) await new Promise((next) => setTimeout(next, 1));
        const looked = performance.now();
        await store.relay.look();
        lookMs += performance.now() - looked;
        looks += 1;
        const marking = performance.now();
        const rows = await store.relay.mark(
          [{ channelId, limit: Math.min(AT_ONCE, mails - marked) }],
          120_000,
        );
        markMs += performance.now() - marking;
        if (rows.length === 0) throw new Error(`nothing to mark after ${marked}`);
        marked += rows.length;
        for (const row of rows)
          publisher.publish(
            {
              queue: QUEUES.send,
              body: Buffer.from(writeDispatch(row)),
              messageId: String(row.id),
              persistent: false,
            },
            heard,
          );
      }
    })().catch(reject);
  });
  await done;
  const seconds = (performance.now() - started) / 1_000;
  await link.close();
  await store.close();
  parent.tell({
    kind: 'result',
    figures: { passed: mails / seconds, look: lookMs / looks, mark: (markMs * 1_000) / mails },
  });
}
