import { describe, expect, test } from 'vitest';
import type { NewAccountInput } from '#pillarbox/accounts/input';
import type { PillarboxOptions } from 'pillarbox';
import { databases } from '../databases.js';
import { FAST, type Post } from '../engine/post.js';
import { postsOn, type Posts } from '../engine/posts.js';
import { FakeGmail } from './fakes/fake-gmail.js';
import type { FakeProvider, Trouble } from './fakes/fake-provider.js';
import { FakeResend } from './fakes/fake-resend.js';
import { FakeUnipile } from './fakes/fake-unipile.js';
import { acceptedBut, answering, cutAccepted, cutUnaccepted } from './fakes/troubles.js';

interface Fake extends FakeProvider<unknown> {
  readonly account: object;
}

const FAKES: Record<string, () => Fake> = {
  gmail: () => new FakeGmail(),
  http: () => new FakeResend(),
  unipile: () => new FakeUnipile(),
};
const KINDS = Object.keys(FAKES).map((kind) => ({ kind }));
const OPEN = { secret: 'a secret of the test', allowPrivateHosts: true };
const POLICY = { maxAttempts: 3, delaysSeconds: [60] };

/** A worker, and an account at a provider of this kind. */
class Branch<Provider extends Fake> {
  private constructor(
    readonly post: Post,
    readonly provider: Provider,
    readonly accountId: string,
  ) {}

  static async open<Provider extends Fake>(
    posts: Posts,
    kind: string,
    provider: Provider,
    over: Partial<PillarboxOptions> = {},
  ): Promise<Branch<Provider>> {
    const post = await posts.open(undefined, { ...OPEN, ...over });
    await provider.listen();
    const transport = { kind, ...provider.account } as NewAccountInput['transport'];
    const { id } = await post.box.home.accounts.create({ name: 'Branch', transport });
    await post.box.start();
    return new Branch(post, provider, id);
  }

  /** Puts one mail into the queue that meets these troubles. */
  put(over: Parameters<Post['put']>[0] = {}, ...troubles: Trouble[]): Promise<string> {
    this.provider.troubles.push(...troubles);
    return this.post.put({ accountId: this.accountId, retryPolicy: POLICY, ...over });
  }

  account() {
    return this.post.box.home.accounts.get(this.accountId);
  }

  attempts(id: string) {
    return this.post.box.messages.attempts(id);
  }
}

describe.concurrent.each(databases)('accounts at providers, on $name', (database) => {
  const onPosts = postsOn(database);
  const onBranch = <Provider extends Fake>(
    kind: string,
    provider: Provider,
    act: (branch: Branch<Provider>) => Promise<void>,
    over?: Partial<PillarboxOptions>,
  ) =>
    onPosts(async (posts) => {
      try {
        await act(await Branch.open(posts, kind, provider, over));
      } finally {
        await provider.close();
      }
    })();

  describe.each(KINDS)('of $kind', ({ kind }) => {
    test('send what is in the queue, once', () =>
      onBranch(kind, FAKES[kind]!(), async (branch) => {
        const id = await branch.put();
        expect(await branch.post.settled(id)).toMatchObject({ state: 'sent', attempts: 1 });
        const [attempt] = await branch.attempts(id);
        expect(attempt).toMatchObject({
          outcome: 'success',
          handedOverAt: expect.any(Number),
          providerMessageId: expect.stringMatching(/^(?:g|email-|track-)1$/),
        });
        expect(branch.provider.taken).toHaveLength(1);
        expect(branch.post.carrier.offered).toEqual([]);
      }));

    test('that are refused are paused with the reason, and the message has lost nothing', () =>
      onBranch(kind, FAKES[kind]!(), async (branch) => {
        const id = await branch.put(
          {},
          answering({ status: 403, body: { message: 'Come back with a key.' } }),
        );
        expect(await branch.post.settled(id)).toMatchObject({ state: 'scheduled', attempts: 0 });
        expect(await branch.account()).toMatchObject({
          status: 'paused',
          pauseReason: expect.stringContaining('403 Come back with a key.'),
        });
        await branch.post.box.home.accounts.update(branch.accountId, { status: 'active' });
        expect(await branch.post.becomes('sent', id)).toMatchObject({ attempts: 1 });
        expect(branch.provider.taken).toHaveLength(1);
      }));

    test('that are too fast rest as long as the provider asks, and the message has lost nothing', () =>
      onBranch(
        kind,
        FAKES[kind]!(),
        async (branch) => {
          const trouble = answering({ status: 429, headers: { 'retry-after': '600' } });
          const id = await branch.put({}, trouble);
          expect(await branch.post.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 1 });
          const [limited, sent] = await branch.attempts(id);
          expect([limited, sent]).toMatchObject([{ outcome: 'rate_limited' }, { outcome: 'success' }]);
          expect(sent!.startedAt! - limited!.startedAt!).toBeGreaterThanOrEqual(600_000);
          expect(await branch.account()).toMatchObject({ status: 'active', cooldownUntil: null });
          expect(branch.provider.taken).toHaveLength(1);
        },
        FAST,
      ));

    test('end a mail that the provider will not have', () =>
      onBranch(kind, FAKES[kind]!(), async (branch) => {
        const id = await branch.put({}, answering({ status: 422, body: { message: 'No.' } }));
        expect(await branch.post.settled(id)).toMatchObject({
          state: 'dead',
          deadReason: 'permanent_error',
          lastError: { class: 'permanent', code: '422', message: 'No.' },
        });
      }));

    test('let nothing out that was cancelled before the gate', () =>
      onBranch(kind, FAKES[kind]!(), async (branch) => {
        const id = await branch.put({ sendAt: '2031-03-03T09:00:00Z' });
        await branch.post.box.messages.cancel(id);
        const next = await branch.put();
        expect(await branch.post.settled(next)).toMatchObject({ state: 'sent' });
        expect(branch.provider.sends).toHaveLength(1);
      }));
  });

  test.each([
    ['the answer was cut off', cutAccepted],
    ['the server failed after it took it', acceptedBut(() => ({ status: 500 }))],
  ])('Gmail is asked about a mail in doubt, and has it: %s', (_what, trouble) =>
    onBranch('gmail', new FakeGmail(), async (branch) => {
      const id = await branch.put({ onDoubt: 'hold' }, trouble);
      expect(await branch.post.settled(id)).toMatchObject({
        state: 'sent',
        reason: 'looked_up',
        attempts: 1,
      });
      expect((await branch.attempts(id)).map(({ outcome }) => outcome)).toEqual(['in_doubt']);
      expect(branch.provider.taken).toHaveLength(1);
    }),
  );

  test('Gmail is asked about a mail in doubt, and has it not: it is sent, once', () =>
    onBranch(
      'gmail',
      new FakeGmail(),
      async (branch) => {
        const id = await branch.put({ onDoubt: 'hold' }, cutUnaccepted);
        // It is searched for over some seconds.
        await branch.post.settled(id);
        expect(await branch.post.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 2 });
        expect(branch.provider.taken).toHaveLength(1);
      },
      FAST,
    ));

  test('a mail of which Gmail knows only another name is left to a person', () =>
    onBranch('gmail', new FakeGmail(), async (branch) => {
      branch.provider.rewritesMessageIds = true;
      const id = await branch.put({ onDoubt: 'hold' }, cutAccepted);
      expect(await branch.post.settled(id)).toMatchObject({ state: 'held', reason: 'in_doubt' });
      expect(branch.provider.taken).toHaveLength(1);
    }));

  test('a token that has run out costs Gmail no try', () =>
    onBranch('gmail', new FakeGmail(), async (branch) => {
      await branch.post.settled(await branch.put());
      branch.provider.revokeTokens();
      const id = await branch.put();
      expect(await branch.post.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 1 });
      expect(await branch.account()).toMatchObject({ status: 'active', cooldownUntil: null });
      expect(branch.provider).toMatchObject({ refreshes: 2 });
    }));

  test('a thread is known by the name that Gmail gave it', () =>
    onBranch('gmail', new FakeGmail(), async (branch) => {
      const id = await branch.put();
      expect(await branch.post.settled(id)).toMatchObject({ threadId: 'tg1' });
    }));

  test('a provider with keys gets the same mail again under the same key, and takes it once', () =>
    onBranch(
      'http',
      new FakeResend(),
      async (branch) => {
        const lost = [cutAccepted, acceptedBut(() => ({ status: 502 }))];
        const id = await branch.put({ onDoubt: 'hold', idempotencyKey: 'booking-7' }, ...lost);
        expect(await branch.post.settled(id, 3)).toMatchObject({ state: 'sent', attempts: 3 });
        const [first, ...others] = branch.provider.sends;
        const key = first!.headers['idempotency-key'];
        expect(key).toMatch(/^[0-9a-f]{10}:\d+:outbox:booking-7$/);
        for (const other of others) {
          expect(other.headers['idempotency-key']).toBe(key);
          expect(other.body).toEqual(first!.body);
        }
        expect(branch.provider.taken).toHaveLength(1);
        const [last] = (await branch.attempts(id)).slice(-1);
        expect(last).toMatchObject({ outcome: 'success', providerMessageId: 'email-1' });
      },
      FAST,
    ));

  test('what a provider with keys may have taken on the last try is held, and not called dead', () =>
    onBranch('http', new FakeResend(), async (branch) => {
      const once = { maxAttempts: 1, delaysSeconds: [1] };
      const id = await branch.put({ retryPolicy: once }, cutAccepted);
      expect(await branch.post.settled(id)).toMatchObject({
        state: 'held',
        reason: 'in_doubt',
        lastError: { class: 'in_doubt' },
      });
      expect((await branch.attempts(id)).map(({ outcome }) => outcome)).toEqual(['in_doubt']);
    }));

  test('what Unipile may have taken is left to the policy', () =>
    onBranch('unipile', new FakeUnipile(), async (branch) => {
      const id = await branch.put({ onDoubt: 'hold' }, cutAccepted);
      expect(await branch.post.settled(id)).toMatchObject({ state: 'held', reason: 'in_doubt', attempts: 1 });
      expect(branch.provider.taken).toHaveLength(1);
    }));
});
