import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { QUEUES } from '#pillarbox/core/dispatch-message';
import { databases } from '../databases.js';
import { Carrier, failed, TOO_LARGE } from '../engine/carrier.js';
import { postsOn } from '../engine/posts.js';
import { required } from '../postgres.js';
import { useBroker } from './broker.js';

const run = promisify(execFile);
const postgres = databases.find(({ name }) => name === 'PostgreSQL')!;

/** Programs that are not ours, and that know of the queues what is documented and no more. */
describe('somebody else’s producers and consumers', () => {
  const broker = useBroker();
  beforeEach(() => broker.stranger.purge());
  const withPosts = postsOn(postgres);
  const tool = (name: string) => join(dirname(required('PILLARBOX_TEST_AMQP_PUBLISH')), name);
  const publish = (queue: string, body: string) =>
    run(tool('amqp-publish'), ['-u', broker.url, '-r', queue, '-p', '-b', body]);
  const get = async (queue: string) => (await run(tool('amqp-get'), ['-u', broker.url, '-q', queue])).stdout;

  test(
    'read what is to be sent, and may hand it back in their own words',
    withPosts(async (posts) => {
      const relay = await posts.open(undefined, { amqpUrl: broker.url });
      await relay.box.startRelay();
      const id = await relay.put({ idempotencyKey: 'booking-1' });
      await relay.becomes('queued', id);
      await expect.poll(() => broker.stranger.count(QUEUES.send)).toBe(1);
      expect(JSON.parse(await get(QUEUES.send))).toEqual({
        ...{ emailId: id, messageKey: 'booking-1', attempt: 1 },
      });
      const sender = await posts.start(new Carrier(), { amqpUrl: broker.url, directAfterSeconds: 0 });
      await publish(QUEUES.send, JSON.stringify({ emailId: id, messageKey: 'booking-1', attempt: 1 }));
      expect(await sender.settled(id)).toMatchObject({ state: 'sent' });
    }),
  );

  test(
    'hear of deaths, and see what of theirs could not be read',
    withPosts(async (posts) => {
      const relay = await posts.open(undefined, { amqpUrl: broker.url });
      await relay.box.startRelay();
      const sender = await posts.start(new Carrier(() => failed(TOO_LARGE)), { amqpUrl: broker.url });
      const id = await sender.put();
      await sender.settled(id);
      await expect.poll(() => broker.stranger.count(QUEUES.dead)).toBe(1);
      expect(JSON.parse(await get(QUEUES.dead))).toMatchObject({
        ...{ emailId: id, messageKey: id, deadReason: 'permanent_error' },
      });
      await publish(QUEUES.send, 'not for you');
      await expect.poll(() => broker.stranger.count(QUEUES.rejected)).toBe(1);
      expect(await get(QUEUES.rejected)).toBe('not for you');
    }),
  );
});
