import type { LookupAnswer } from 'pillarbox';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { afterTheGate, BUSY, Carrier, CUT, failed, inDoubt, sent } from './carrier.js';
import { FAST } from './post.js';
import { postsOn } from './posts.js';

const doubtful = () => new Carrier(afterTheGate(() => inDoubt()));

describe.concurrent.each(databases)('a mail in doubt on $name', (database) => {
  const onPosts = postsOn(database);

  describe('by its policy', () => {
    test(
      'hold: waits for a person, and is listed with the reason',
      onPosts(async (posts) => {
        const post = await posts.start(doubtful());
        const id = await post.put({ onDoubt: 'hold' });
        expect(await post.settled(id)).toMatchObject({
          state: 'held',
          reason: 'in_doubt',
          attempts: 1,
          lastError: { class: 'in_doubt', code: 'ECONNRESET' },
        });
        const [attempt] = await post.box.messages.attempts(id);
        expect(attempt).toMatchObject({ outcome: 'in_doubt', handedOverAt: expect.any(Number) as number });
        expect(await post.box.messages.explain(id)).toMatchObject({ reason: 'in_doubt' });
        expect((await post.box.messages.list({ state: 'held' })).items.map((held) => held.id)).toEqual([id]);
        expect(post.box.totals).toMatchObject({ held: 1, sent: 0 });
      }),
    );

    test(
      'hold: a person who says "not sent" has the same mail sent again',
      onPosts(async (posts) => {
        const post = await posts.start(doubtful());
        const id = await post.put({ onDoubt: 'hold' });
        await post.settled(id);
        post.carrier.conduct = () => undefined;
        await post.box.messages.resolve(id, 'unsent');
        expect(await post.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 1 });
        const [first, second] = post.carrier.left;
        expect(second).toEqual(first);
        const outcomes = (await post.box.messages.attempts(id)).map(({ outcome }) => outcome);
        expect(outcomes).toEqual(['in_doubt', 'success']);
      }),
    );

    test(
      'resend: goes again after the wait of the policy, once; a second doubt is for a person',
      onPosts(async (posts) => {
        const post = await posts.start(doubtful(), FAST);
        const id = await post.put({ onDoubt: 'resend' });
        expect(await post.settled(id, 2)).toMatchObject({ state: 'held', reason: 'in_doubt', attempts: 2 });
        const [first, second] = await post.box.messages.attempts(id);
        expect(second!.startedAt).toBeGreaterThanOrEqual(first!.finishedAt + 60_000);
        expect(post.carrier.copiesOf(id)).toBe(2);
        expect(post.carrier.left[1]).toEqual(post.carrier.left[0]);
      }),
    );

    test(
      'resend: the wait is exact',
      onPosts(async (posts) => {
        const post = await posts.start(doubtful());
        const id = await post.put({ onDoubt: 'resend' });
        const { state, nextAttemptAt } = await post.settled(id);
        const [attempt] = await post.box.messages.attempts(id);
        expect({ state, nextAttemptAt }).toEqual({
          state: 'retry_scheduled',
          nextAttemptAt: attempt!.finishedAt + 60_000,
        });
      }),
    );

    test(
      'resend: without a try left it is for a person',
      onPosts(async (posts) => {
        const post = await posts.start(doubtful());
        const id = await post.put({ onDoubt: 'resend', retryPolicy: { maxAttempts: 1, delaysSeconds: [1] } });
        expect(await post.settled(id)).toMatchObject({ state: 'held' });
      }),
    );

    test(
      'assume_sent: is taken for sent, and the history keeps the doubt',
      onPosts(async (posts) => {
        const post = await posts.start(doubtful());
        const id = await post.put({ onDoubt: 'assume_sent' });
        expect(await post.settled(id)).toMatchObject({ state: 'sent', reason: 'assumed_sent', attempts: 1 });
        expect(await post.box.messages.attempts(id)).toMatchObject([{ outcome: 'in_doubt' }]);
      }),
    );
  });

  describe('at a provider that can be asked', () => {
    const asking = (lookup: () => Promise<LookupAnswer>) =>
      new Carrier(
        (message, gate, nth) => afterTheGate(nth === 1 ? () => inDoubt() : sent)(message, gate, nth),
        {
          lookup,
        },
      );

    test(
      'is sent if it is there',
      onPosts(async (posts) => {
        const post = await posts.start(asking(() => Promise.resolve('sent')));
        const id = await post.put({ onDoubt: 'hold' });
        expect(await post.settled(id)).toMatchObject({ state: 'sent', reason: 'looked_up', attempts: 1 });
        expect(await post.box.messages.attempts(id)).toMatchObject([{ outcome: 'in_doubt' }]);
        expect(post.carrier.asked).toEqual(post.carrier.offered);
      }),
    );

    test(
      'is sent again if it is not there, whatever the policy',
      onPosts(async (posts) => {
        const post = await posts.start(
          asking(() => Promise.resolve('unsent')),
          FAST,
        );
        const id = await post.put({ onDoubt: 'hold' });
        expect(await post.settled(id, 2)).toMatchObject({ state: 'sent', reason: null, attempts: 2 });
        const outcomes = (await post.box.messages.attempts(id)).map(({ outcome }) => outcome);
        expect(outcomes).toEqual(['in_doubt', 'success']);
      }),
    );

    test.each<[string, () => Promise<LookupAnswer>]>([
      ['cannot tell', () => Promise.resolve('unknown')],
      ['fails to answer', () => Promise.reject(new Error('503'))],
      [
        'breaks at once',
        () => {
          throw new Error('bug');
        },
      ],
    ])('is left to its policy if the provider %s', (_, lookup) =>
      onPosts(async (posts) => {
        const post = await posts.start(asking(lookup));
        const id = await post.put({ onDoubt: 'hold' });
        expect(await post.settled(id)).toMatchObject({ state: 'held', attempts: 1 });
        expect(post.carrier.asked).toHaveLength(1);
      })(),
    );

    test(
      'is not asked about when the answer was definite',
      onPosts(async (posts) => {
        const carrier = asking(() => Promise.resolve('sent'));
        carrier.conduct = ({ mail }) => (mail.subject === 'fails' ? failed(BUSY) : undefined);
        const post = await posts.start(carrier);
        const ids = [await post.put({ subject: 'fails' }), await post.put({ subject: 'leaves' })];
        await post.allSettled(ids);
        expect(carrier.asked).toEqual([]);
      }),
    );
  });

  describe('is also', () => {
    test(
      'what a transport says it has sent without having asked the gate',
      onPosts(async (posts) => {
        const post = await posts.start(new Carrier((message) => sent(message)));
        const id = await post.put({ onDoubt: 'hold' });
        expect(await post.settled(id)).toMatchObject({
          state: 'held',
          sentAt: null,
          lastError: { code: 'ungated', class: 'in_doubt' },
        });
        expect(await post.box.messages.attempts(id)).toMatchObject([
          { outcome: 'in_doubt', handedOverAt: null },
        ]);
        expect(post.box.totals).toMatchObject({ sent: 0, held: 1 });
      }),
    );

    test(
      'what a transport says it has sent although the gate was shut',
      onPosts(async (posts) => {
        const carrier = new Carrier(async (message, gate) => {
          await post.box.messages.cancel(message.id);
          await gate();
          return sent(message);
        });
        const post = await posts.open(carrier);
        await post.box.start();
        const id = await post.put({ onDoubt: 'hold' });
        expect(await post.settled(id)).toMatchObject({ state: 'held', lastError: { code: 'ungated' } });
        expect(carrier.left).toEqual([]);
      }),
    );

    test(
      'what is ungated and can be asked about is asked about',
      onPosts(async (posts) => {
        const lookup = () => Promise.resolve<LookupAnswer>('sent');
        const post = await posts.start(new Carrier((message) => sent(message), { lookup }));
        const id = await post.put({ onDoubt: 'hold' });
        expect(await post.settled(id)).toMatchObject({ state: 'sent', reason: 'looked_up' });
      }),
    );

    test(
      'what a report calls so, whatever the class of its error',
      onPosts(async (posts) => {
        const post = await posts.start(
          new Carrier(afterTheGate(() => inDoubt({ ...CUT, class: 'retryable' }))),
        );
        const id = await post.put({ onDoubt: 'hold' });
        expect(await post.settled(id)).toMatchObject({ state: 'held' });
        expect(await post.box.messages.attempts(id)).toMatchObject([{ outcome: 'in_doubt' }]);
      }),
    );
  });
});
