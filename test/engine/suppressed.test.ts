import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { Carrier, NOBODY, sent } from './carrier.js';
import { aMail } from './post.js';
import { postsOn } from './posts.js';
import { barrier } from './signal.js';

describe.concurrent.each(databases)('who is suppressed, on $name,', (database) => {
  const onPosts = postsOn(database);

  /** Whom the last mail that left went to. */
  const receivedBy = ({ left }: Carrier) => {
    const { to, cc = [], bcc = [] } = left.at(-1)!.mail;
    return [to, ...cc, ...bcc].map(({ email }) => email);
  };

  test(
    'gets nothing in ten spellings, neither as recipient nor as copy [D23]',
    onPosts(async (posts) => {
      const spellings = [
        ...['bob@example.org', 'Bob@example.org', 'BOB@example.org', 'bOB@Example.Org', 'BoB@EXAMPLE.ORG'],
        ...['jörg@bücher.example', 'JÖRG@BÜCHER.example', 'jo\u0308rg@xn--bcher-kva.example'],
        ...['Jörg@XN--BCHER-KVA.example', 'jÖRG@bücher。example'],
      ];
      const post = await posts.open();
      await post.box.suppress('boB@example.org');
      await post.box.suppress('JörG@bücher.example');
      const ids: string[] = [];
      for (const spelling of spellings) {
        ids.push(await post.put({ to: spelling }));
        ids.push(await post.put({ cc: [spelling, 'carl@example.org'], bcc: spelling }));
      }
      await post.box.start();
      await post.allSettled(ids);
      for (const [n, id] of ids.entries()) {
        const message = await post.get(id);
        expect(message).toMatchObject(
          n % 2 === 0 ? { state: 'skipped', reason: 'suppressed' } : { state: 'sent' },
        );
      }
      const people = post.carrier.left.flatMap(({ mail: { to, cc = [], bcc = [] } }) => [to, ...cc, ...bcc]);
      expect(people).toHaveLength(20);
      expect(new Set(people.map(({ email }) => email))).toEqual(
        new Set(['ada@example.org', 'carl@example.org']),
      );
    }),
  );

  test(
    'is left out as a copy, and named in the attempt like one whom the server refused',
    onPosts(async (posts) => {
      const carrier = new Carrier(async (message, gate) =>
        (await gate())
          ? { ...sent(message), refused: [{ address: 'Carl@example.org', error: NOBODY }] }
          : undefined,
      );
      const post = await posts.start(carrier);
      await post.box.suppressions.add({ email: 'Bob@example.org', reason: 'complaint' });
      const id = await post.put({ cc: ['bob@example.org', 'Carl@example.org'], bcc: ['BOB@example.org'] });
      expect(await post.settled(id)).toMatchObject({ state: 'sent', attempts: 1 });
      expect(receivedBy(carrier)).toEqual(['ada@example.org', 'Carl@example.org']);
      expect(carrier.left[0]!.mail).not.toHaveProperty('bcc');
      const [attempt] = await post.box.messages.attempts(id);
      expect(attempt).toMatchObject({ outcome: 'success', errorCode: 'partly_refused' });
      expect(attempt!.errorMessage).toContain('bob@example.org: suppressed left out');
      expect(attempt!.errorMessage).toContain('complaint');
      expect(attempt!.errorMessage).toContain('Carl@example.org: 550 5.1.1');
      // What the server said of a copy is remembered by its canonical form, with the message that taught it.
      expect(await post.box.suppressions.get('carl@example.org')).toMatchObject({
        ...{ address: 'carl@example.org', reason: 'hard_bounce', lanes: null },
        messageId: (await post.get(id)).number,
      });
      const next = await post.put({ to: 'CARL@example.org' });
      expect(await post.settled(next)).toMatchObject({ state: 'skipped' });
    }),
  );

  test(
    'meanwhile, as a copy, makes the gate refuse once; then it leaves without him',
    onPosts(async (posts) => {
      const go = barrier();
      const carrier = new Carrier(async (_message, _gate, nth) => {
        if (nth === 1) await go.wait;
        return undefined;
      });
      const post = await posts.start(carrier);
      const id = await post.put({ cc: ['bob@example.org', 'carl@example.org'] });
      await carrier.until('the offer', () => carrier.triesOf(id) === 1);
      await post.box.suppress('Bob@Example.org');
      go.open();
      expect(await post.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 1 });
      expect(carrier.triesOf(id)).toBe(2);
      expect(carrier.copiesOf(id)).toBe(1);
      expect(receivedBy(carrier)).toEqual(['ada@example.org', 'carl@example.org']);
      const attempts = await post.box.messages.attempts(id);
      expect(attempts.map(({ errorMessage }) => errorMessage)).toEqual([
        expect.stringContaining('bob@example.org'),
      ]);
    }),
  );

  test(
    'is left out of a mail that its caller sends himself, too',
    onPosts(async (posts) => {
      const post = await posts.open();
      await post.box.suppress('bob@example.org');
      const result = await post.box.outbox.send(aMail({ cc: 'Bob@example.org' }));
      expect(result).toMatchObject({ delivered: true });
      expect(receivedBy(post.carrier)).toEqual(['ada@example.org']);
    }),
  );

  test(
    'in one lane, or by unsubscribing, gets what that does not mean',
    onPosts(async (posts) => {
      const post = await posts.start();
      await post.box.suppressions.add({ email: 'bob@example.org', lanes: ['campaign'] });
      await post.box.suppressions.add({ email: 'carl@example.org', reason: 'unsubscribed' });
      const cc = ['bob@example.org', 'carl@example.org'];
      await post.settled(await post.put({ cc }));
      expect(receivedBy(post.carrier)).toEqual(['ada@example.org', 'bob@example.org']);
      await post.settled(await post.put({ cc, transactional: true }));
      expect(receivedBy(post.carrier)).toEqual(['ada@example.org', ...cc]);
    }),
  );
});
