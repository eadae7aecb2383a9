import { beforeEach, describe, expect, test } from 'vitest';
import { QUEUES } from '#pillarbox/core/dispatch-message';
import { Cli } from '../cli/cli.js';
import { databases } from '../databases.js';
import { Carrier, failed, TOO_LARGE } from '../engine/carrier.js';
import { postsOn } from '../engine/posts.js';
import { Office } from '../http/office.js';
import { useBroker } from './broker.js';

/** Whoever asks for another round, and however: it goes through the broker like the first one. */
describe('dead letters are asked for again beside a broker', () => {
  const broker = useBroker();
  beforeEach(() => broker.stranger.purge());

  describe.each(databases)('on $name', (database) => {
    const withPosts = postsOn(database);

    test(
      'by a program, on the page and by the command line: each is published, sent once, and not announced again',
      withPosts(async (posts) => {
        const through = { amqpUrl: broker.url };
        const relay = await posts.open(undefined, through);
        await relay.box.startRelay();
        const carrier = new Carrier((_, __, nth) => (nth === 1 ? failed(TOO_LARGE) : undefined));
        const sender = await posts.start(carrier, { ...through, directAfterSeconds: 0 });
        const ids = await sender.putMany(5);
        const announced = new Set<string>();
        for (const id of ids) expect(await sender.settled(id)).toMatchObject({ state: 'dead', attempts: 1 });
        while (announced.size < ids.length)
          announced.add((await broker.stranger.takeNext(QUEUES.dead)).messageId);
        expect(announced).toEqual(new Set(ids.map((id) => `dead:${id}`)));

        const office = await Office.open(posts.place);
        const cli = new Cli({ DATABASE_URL: posts.place.databaseUrl });
        const [byProgram, onPage, byCli, ...byCause] = ids as [string, string, string];
        try {
          const retried = await office.call(office.admin, 'POST', `/api/messages/${byProgram}/retry`);
          expect(retried).toMatchObject({ status: 200, data: { id: byProgram } });
          const operator = await office.person('operator');
          const many = { action: 'retry', ids: [onPage] };
          expect((await office.call(operator, 'POST', '/api/messages/bulk', many)).data).toMatchObject({
            done: 1,
          });
          expect(await cli.run(['queue', 'retry', byCli])).toMatchObject({ code: 0 });
          const groups = await office.call(operator, 'GET', '/api/messages/dead-groups');
          const [group] = groups.data['items'] as { fingerprint: string; count: number }[];
          expect(group).toMatchObject({ count: byCause.length });
          const address = `/api/messages/dead-groups/${group!.fingerprint}/retry`;
          expect(await office.call(operator, 'POST', address)).toMatchObject({ status: 200 });
          for (const id of ids)
            expect(await sender.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 1 });
        } finally {
          await cli.close();
          await office.close();
        }
        expect(ids.map((id) => carrier.offered.filter((each) => each.id === id).length)).toEqual(
          ids.map(() => 2),
        );
        await expect.poll(() => broker.stranger.count(QUEUES.send)).toBe(0);
        expect(await broker.stranger.take(QUEUES.dead)).toBeUndefined();
      }),
    );
  });
});
