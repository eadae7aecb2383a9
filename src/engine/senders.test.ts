import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Outgoing, Transport } from '../transport/transport.js';
import { silent } from '../log/log.js';
import { openStore } from '../store/open.js';
import {
  ensureAccount,
  ensureChannel,
  ensureWorkspace,
  renameSender,
  type Account,
} from '../store/scripts/accounts.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { Senders } from './senders.js';

const OLD_MS = 2_001;
const OUTDATED_MS = 10_001;
const UNUSED_MS = 5 * 60_000;
const aTurn = () => new Promise(setImmediate);

describe('senders', () => {
  let directory: string;
  let store: Store;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    directory = await mkdtemp(join(tmpdir(), 'pillarbox-test-'));
    const databaseUrl = `sqlite:${join(directory, 'mail.db')}`;
    store = await openStore({ databaseUrl, leaseMs: 1_000, log: silent });
  });

  afterEach(async () => {
    vi.useRealTimers();
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** An account with two channels. */
  const anAccount = (name: string) =>
    store.transaction(
      (function* (): Script<{ account: Account; email: number; inmail: number }> {
        const workspaceId = yield* ensureWorkspace(store, 'default', 1);
        const wanted = { name, emailAddress: `${name}@example.org`, displayName: null, transport: '{}' };
        const account = yield* ensureAccount(store, workspaceId, wanted, 1);
        const email = yield* ensureChannel(store, account.id, 'email', 'outbox');
        const inmail = yield* ensureChannel(store, account.id, 'inmail', 'outbox');
        return { account, email, inmail };
      })(),
    );

  const change = async (account: Account, beforeMs = OUTDATED_MS) => {
    await store.transaction(renameSender(store, account, { email: 'new@example.org' }, 2));
    vi.advanceTimersByTime(beforeMs);
  };

  /** Transports that say whom they were made for and whether they are closed. */
  function factory() {
    const made: (Transport & { closed: number })[] = [];
    const make = (account: Account) => {
      const transport = {
        kind: account.emailAddress,
        capacity: 1,
        closed: 0,
        send: () => Promise.reject(new Error('not used')),
        close: () => {
          transport.closed += 1;
          return Promise.resolve();
        },
      };
      made.push(transport);
      return transport;
    };
    return { made, make };
  }

  test('the channels of an account share its transport, which is made once', async () => {
    const { made, make } = factory();
    const senders = new Senders(store, make, silent);
    const ada = await anAccount('ada');
    const bob = await anAccount('bob');
    const one = await senders.of(ada.email);
    expect(await senders.of(ada.inmail)).toBe(one);
    vi.advanceTimersByTime(OUTDATED_MS);
    expect(await senders.of(ada.email)).toBe(one);
    expect(await senders.of(bob.email)).not.toBe(one);
    expect(made.map(({ kind }) => kind)).toEqual(['ada@example.org', 'bob@example.org']);
  });

  test('changed settings make a new transport, and the old one is closed after its last send', async () => {
    const { made, make } = factory();
    const senders = new Senders(store, make, silent);
    const { account, email } = await anAccount('ada');
    const old = await senders.of(email);
    senders.use(old);
    senders.use(old);
    await change(account);
    expect((await senders.of(email)).transport).toBe(made[1]);
    senders.release(old);
    expect(made[0]!.closed).toBe(0);
    senders.release(old);
    expect(made.map(({ closed }) => closed)).toEqual([1, 0]);
  });

  test('a busy account is answered from memory, and what has changed is known with the next question', async () => {
    const { made, make } = factory();
    const senders = new Senders(store, make, silent);
    const { account, email } = await anAccount('ada');
    await senders.of(email);
    await change(account, OLD_MS);
    const old = await senders.of(email);
    expect(old.transport).toBe(made[0]);
    senders.use(old);
    await aTurn();
    await aTurn();
    expect((await senders.of(email)).transport).toBe(made[1]);
    expect(made[0]!.closed).toBe(0);
  });

  test('an account that was blocked is read again before it sends: its password may be new', async () => {
    const { made, make } = factory();
    const senders = new Senders(store, make, silent);
    const { account, email } = await anAccount('ada');
    (await senders.of(email)).blockedTick = performance.now();
    await change(account, 1);
    expect((await senders.of(email)).transport).toBe(made[1]);
  });

  test('an old transport that nobody uses is closed at once, all others in the end', async () => {
    const { made, make } = factory();
    const senders = new Senders(store, make, silent);
    const { account, email } = await anAccount('ada');
    await senders.of(email);
    await change(account);
    await senders.of(email);
    expect(made.map(({ closed }) => closed)).toEqual([1, 0]);
    await senders.close();
    expect(made.map(({ closed }) => closed)).toEqual([1, 1]);
  });

  test('a transport that accounts share outlives the changes of each, and is closed once', async () => {
    const { make } = factory();
    const ada = await anAccount('ada');
    const shared = make(ada.account);
    const senders = new Senders(store, () => shared, silent);
    const bob = await anAccount('bob');
    const first = await senders.of(ada.email);
    await senders.of(bob.email);
    senders.use(first);
    await change(ada.account);
    const second = await senders.of(ada.email);
    expect(second).not.toBe(first);
    expect(second.transport).toBe(shared);
    senders.release(first);
    expect(shared.closed).toBe(0);
    await senders.close();
    expect(shared.closed).toBe(1);
  });

  test('an account whose settings cannot work has a sender that says so, about the account', async () => {
    const senders = new Senders(
      store,
      () => {
        throw new Error('the port is not a number');
      },
      silent,
    );
    const { transport } = await senders.of((await anAccount('ada')).email);
    const report = await transport.send({} as Outgoing, () => Promise.resolve(true));
    expect(report).toMatchObject({
      status: 'retryable',
      error: { class: 'account', code: 'unusable_account', message: 'the port is not a number' },
    });
  });

  test('a database that does not answer changes nothing for an account that is known', async () => {
    const senders = new Senders(store, factory().make, silent);
    const { email, inmail } = await anAccount('ada');
    const known = await senders.of(email);
    await store.close();
    for (const ms of [OLD_MS, OUTDATED_MS]) {
      vi.advanceTimersByTime(ms);
      expect(await senders.of(email)).toBe(known);
      await aTurn();
    }
    await expect(senders.of(inmail)).rejects.toThrow();
  });

  test('accounts that nobody has used for some minutes are let go of, and their transports closed', async () => {
    const { made, make } = factory();
    const senders = new Senders(store, make, silent);
    const accounts = [];
    for (let n = 0; n < 50; n += 1) accounts.push(await anAccount(`a${n}`));
    for (const { email, inmail } of accounts) {
      await senders.of(email);
      await senders.of(inmail);
    }
    expect([senders.channels, made.length]).toEqual([100, 50]);
    const [sending, lively, ...others] = accounts;
    senders.use(await senders.of(sending!.email));
    vi.advanceTimersByTime(UNUSED_MS - 1);
    await senders.of(lively!.inmail);
    vi.advanceTimersByTime(1_001);
    const known = await senders.of(lively!.inmail);
    // One sends for longer than that, one was asked for by another of its channels.
    expect(senders.channels).toBe(3);
    expect(made.map(({ closed }) => closed)).toEqual([0, 0, ...others.map(() => 1)]);
    expect(await senders.of(lively!.email)).toBe(known);
    // Whoever comes back gets a transport that is open.
    expect((await senders.of(others[0]!.email)).transport).toBe(made[50]);
    expect(made[50]!.closed).toBe(0);
  });

  test('a crowd of accounts is let go of sooner', async () => {
    const { made, make } = factory();
    const senders = new Senders(store, make, silent);
    const { account } = await anAccount('ada');
    const asIf = (id: number) => ({ ...account, id });
    let asked = 0;
    const read = vi
      .spyOn(store, 'read')
      .mockImplementation(() => Promise.resolve(asIf((asked += 1)) as never));
    for (let channel = 1; channel <= 5_000; channel += 1) {
      vi.advanceTimersByTime(20);
      await senders.of(channel);
      expect(senders.channels).toBeLessThanOrEqual(2_100);
    }
    expect(made.filter(({ closed }) => closed === 0).length).toBe(senders.channels);
    read.mockRestore();
  });

  test('a transport that lasts is not closed when the last account that uses it is let go of, but in the end', async () => {
    const { make } = factory();
    const ada = await anAccount('ada');
    const bob = await anAccount('bob');
    const own = make(ada.account);
    const senders = new Senders(
      store,
      (account) => (account.id === ada.account.id ? own : make(account)),
      silent,
      own,
    );
    senders.use(await senders.of(ada.email));
    vi.advanceTimersByTime(UNUSED_MS + 1_000);
    await senders.of(bob.email);
    expect([senders.channels, own.closed]).toEqual([1, 0]);
    expect((await senders.of(ada.email)).transport).toBe(own);
    vi.advanceTimersByTime(UNUSED_MS + 1_000);
    await senders.of(bob.email);
    await senders.close();
    expect(own.closed).toBe(1);
  });

  test('a channel that does not exist is an error', async () => {
    await expect(new Senders(store, factory().make, silent).of(999)).rejects.toThrow('channel 999');
  });
});
