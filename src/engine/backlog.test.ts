import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Lane } from '../core/message.js';
import { Backlog, type Load } from './backlog.js';
import { SILENT_MS } from './slots.js';
import { LARGEST_CLAIM } from './queues.js';

interface Thing extends Load {
  readonly name: string;
}

/** An account with a transport of its own, alone in its workspace unless told. */
function anAccount(accountId: number, capacity = Infinity, workspaceId = accountId) {
  const sender = { accountId, workspaceId, transport: { capacity } };
  const load =
    (lane: Lane) =>
    (name: string): Thing => ({ name, sender, message: { lane, guarded: false } });
  return { ...sender, mail: load('outbox'), notice: load('notification') };
}
type Account = ReturnType<typeof anAccount>;

function takeAll(backlog: Backlog<Thing>): Thing[] {
  const taken: Thing[] = [];
  for (let item = backlog.take(); item !== undefined; item = backlog.take()) taken.push(item);
  return taken;
}

const namesOf = (things: readonly Thing[]) => things.map(({ name }) => name);

function end(backlog: Backlog<Thing>, item: Thing): void {
  backlog.answered(item);
  backlog.finished(item);
}

const count = (items: readonly Thing[], account: Account) =>
  items.filter(({ sender }) => sender.accountId === account.accountId).length;

const putMany = (
  backlog: Backlog<Thing>,
  account: Account,
  many: number,
  kind: 'mail' | 'notice' = 'mail',
) => {
  for (let n = 0; n < many; n += 1) backlog.add(account[kind](`${account.accountId}.${n}`));
};

describe('a backlog', () => {
  test('gives what may start, oldest first, up to what the worker does at once', () => {
    const backlog = new Backlog<Thing>(2);
    const ada = anAccount(1);
    for (const name of ['a', 'b', 'c']) backlog.add(ada.mail(name));
    const [first, second] = takeAll(backlog);
    expect([first!.name, second!.name]).toEqual(['a', 'b']);
    expect([backlog.waiting, backlog.inFlight]).toEqual([1, 2]);
    end(backlog, first!);
    expect(namesOf(takeAll(backlog))).toEqual(['c']);
  });

  test('gives an account no more than its transport can do, and goes on with the others', () => {
    const backlog = new Backlog<Thing>(10);
    const [ada, bob] = [anAccount(1, 1), anAccount(2, 2)];
    for (const name of ['a1', 'a2', 'a3']) backlog.add(ada.mail(name));
    for (const name of ['b1', 'b2', 'b3']) backlog.add(bob.mail(name));
    const taken = takeAll(backlog);
    expect(namesOf(taken)).toEqual(['a1', 'b1', 'b2']);
    end(backlog, taken[0]!);
    expect(namesOf(takeAll(backlog))).toEqual(['a2']);
  });

  test('gives accounts that share a transport no more than it can do, and they take turns', () => {
    const backlog = new Backlog<Thing>(10);
    const ada = anAccount(1, 3);
    const bob = anAccount(2);
    putMany(backlog, ada, 5);
    for (let n = 0; n < 5; n += 1) {
      backlog.add({
        ...bob.mail(`2.${n}`),
        sender: { ...ada.mail('').sender, accountId: 2, workspaceId: 2 },
      });
    }
    expect(namesOf(takeAll(backlog))).toEqual(['1.0', '2.0', '1.1']);
  });

  test('lets an account send the next while the last is being settled, within what the worker does at once', () => {
    const backlog = new Backlog<Thing>(2);
    const ada = anAccount(1, 1);
    for (const name of ['a1', 'a2', 'a3']) backlog.add(ada.mail(name));
    const [first] = takeAll(backlog);
    backlog.answered(first!);
    const [second] = takeAll(backlog);
    expect(second!.name).toBe('a2');
    backlog.answered(second!);
    expect(takeAll(backlog)).toEqual([]);
    backlog.finished(first!);
    expect(namesOf(takeAll(backlog))).toEqual(['a3']);
  });

  test('lets accounts take turns, however much one of them has', () => {
    const backlog = new Backlog<Thing>(1);
    const [ada, bob] = [anAccount(1), anAccount(2)];
    for (let n = 1; n <= 100; n += 1) backlog.add(ada.mail(`a${n}`));
    backlog.add(bob.mail('b1'));
    const order: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const item = backlog.take()!;
      order.push(item.name);
      end(backlog, item);
    }
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('has room for twice what an account can do at once, less what waits', () => {
    const backlog = new Backlog<Thing>(20);
    const [ada, bob] = [anAccount(1, 3), anAccount(2, 50)];
    expect(backlog.room(ada, true)).toBe(40);
    putMany(backlog, ada, 1);
    expect(backlog.room(ada, true)).toBe(5);
    putMany(backlog, bob, 1);
    expect(backlog.room(bob, true)).toBe(39);
  });

  test('has no room before half of it is free, so that a claim is worth its while', () => {
    const backlog = new Backlog<Thing>(20);
    const ada = anAccount(1, 3);
    putMany(backlog, ada, 4);
    expect(backlog.room(ada, true)).toBe(0);
    backlog.take();
    expect(backlog.room(ada, true)).toBe(3);
  });

  test('has room for two seconds of what an account really does, up to the largest claim', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      // Of a large worker, so that it is not the room for all that decides.
      const backlog = new Backlog<Thing>(250);
      const [ada, bob] = [anAccount(1, 3), anAccount(2)];
      const sendWithin = (ms: number, many: number) => {
        for (let n = 0; n < many; n += 1) {
          backlog.add(ada.mail('a'));
          end(backlog, backlog.take()!);
          vi.advanceTimersByTime(ms / many);
        }
      };
      sendWithin(1_000, 100);
      expect(backlog.room(ada, true)).toBeGreaterThanOrEqual(100);
      expect(backlog.room(ada, true)).toBeLessThanOrEqual(200);
      sendWithin(1_000, 2_000);
      expect(backlog.room(ada, true)).toBe(LARGEST_CLAIM);
      expect(new Backlog<Thing>(20).room(bob, true)).toBe(40);
    } finally {
      vi.useRealTimers();
    }
  });

  test('has a limit for all accounts together, beyond which each is lent its share', () => {
    const backlog = new Backlog<Thing>(20);
    const WANTED = 10_000;
    expect(backlog.claimSize(true, WANTED)).toBe(250);
    for (let id = 1; id <= 100; id += 1) putMany(backlog, anAccount(id, 1, 1), 1);
    expect(backlog.claimSize(true, WANTED)).toBe(150);
    for (let id = 1; id <= 26; id += 1) putMany(backlog, anAccount(id, 1, 1), 1);
    expect([backlog.room(anAccount(1, 1, 1), true), backlog.room(anAccount(200), true)]).toEqual([0, 40]);
    for (let id = 101; id <= 300; id += 1) putMany(backlog, anAccount(id, 1, 1), 1);
    // Of the workspace that has it all, one that has nothing gets its part; another workspace half of all.
    expect(backlog.room(anAccount(301, 1, 1), true)).toBe(1);
    expect(backlog.room(anAccount(302, 1, 2), true)).toBe(40);
    expect(backlog.claimSize(true, 41)).toBe(41);
    expect(new Backlog<Thing>(200).claimSize(true, WANTED)).toBe(400);
    expect(new Backlog<Thing>(1_000).claimSize(true, WANTED)).toBe(LARGEST_CLAIM);
  });

  test('gives back everything that has not started, once', () => {
    const backlog = new Backlog<Thing>(1);
    const [ada, bob] = [anAccount(1, 1), anAccount(2, 1, 1)];
    for (const name of ['a1', 'a2']) backlog.add(ada.mail(name));
    backlog.add(ada.notice('a0'));
    const first = backlog.take()!;
    backlog.add(bob.mail('b1'));
    expect(namesOf(backlog.drain()).sort()).toEqual(['a1', 'a2', 'b1']);
    expect(backlog.drain()).toEqual([]);
    expect([backlog.waiting, backlog.inFlight]).toEqual([0, 1]);
    end(backlog, first);
    expect(backlog.take()).toBeUndefined();
    backlog.add(ada.mail('a3'));
    expect(backlog.take()!.name).toBe('a3');
  });

  test('forgets accounts that have nothing to send and have sent nothing of late', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const backlog = new Backlog<Thing>(20);
      for (let id = 1; id <= 1_000; id += 1) {
        putMany(backlog, anAccount(id), 1);
        end(backlog, backlog.take()!);
      }
      putMany(backlog, anAccount(7_777), 1);
      expect(backlog.accounts).toBe(1_001);
      vi.advanceTimersByTime(3_000);
      backlog.freeSilent();
      expect(backlog.accounts).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  describe('in which bulk waits', () => {
    test('gives what is urgent the connection and the slot that bulk leaves', () => {
      const backlog = new Backlog<Thing>(20);
      const ada = anAccount(1, 5);
      putMany(backlog, ada, 400, 'notice');
      expect(takeAll(backlog)).toHaveLength(4);
      expect(backlog.room(ada, true)).toBe(40);
      backlog.add(ada.mail('reset'));
      expect(namesOf(takeAll(backlog))).toEqual(['reset']);
      const wide = new Backlog<Thing>(20);
      putMany(wide, anAccount(2), 400, 'notice');
      expect(takeAll(wide)).toHaveLength(19);
      wide.add(anAccount(2).mail('reset'));
      expect(namesOf(takeAll(wide))).toEqual(['reset']);
    });

    test('sends in bulk also with one connection, and with one slot', () => {
      for (const [concurrency, capacity] of [
        [20, 1],
        [1, 5],
      ] as const) {
        const backlog = new Backlog<Thing>(concurrency);
        putMany(backlog, anAccount(1, capacity), 3, 'notice');
        expect(takeAll(backlog)).toHaveLength(1);
      }
    });

    test('gives bulk its turn, however much is urgent', () => {
      const backlog = new Backlog<Thing>(20);
      const ada = anAccount(1, 4);
      putMany(backlog, ada, 100);
      putMany(backlog, ada, 100, 'notice');
      const order: string[] = [];
      for (let n = 0; n < 40; n += 1) {
        const item = backlog.take()!;
        order.push(item.message.lane);
        end(backlog, item);
      }
      expect(order.filter((lane) => lane === 'notification')).toHaveLength(10);
    });
  });

  describe('beside servers that hang', () => {
    const SLOTS = 20;

    test('what one workspace holds costs another nothing up to its half', () => {
      for (const accounts of [1, 4, 50]) {
        const backlog = new Backlog<Thing>(SLOTS);
        for (let id = 1; id <= accounts; id += 1) putMany(backlog, anAccount(id, 20, 1), 40);
        expect(takeAll(backlog).length).toBeGreaterThanOrEqual(SLOTS);
        const healthy = anAccount(99, 20, 2);
        putMany(backlog, healthy, 100);
        expect(takeAll(backlog)).toHaveLength(SLOTS / 2);
      }
    });

    test('what other accounts of its workspace hold leaves an account its part', () => {
      const backlog = new Backlog<Thing>(SLOTS);
      for (const id of [1, 2, 3]) putMany(backlog, anAccount(id, 20, 1), 40);
      expect(takeAll(backlog)).toHaveLength(SLOTS);
      putMany(backlog, anAccount(4, 20, 1), 100);
      expect(takeAll(backlog)).toHaveLength(SLOTS / 4);
    });

    test('the share of the newest is the same, however many came before it', () => {
      const backlog = new Backlog<Thing>(SLOTS);
      for (let id = 1; id <= 8; id += 1) {
        putMany(backlog, anAccount(id, 20), 40);
        expect(takeAll(backlog).length).toBeGreaterThanOrEqual(Math.floor(SLOTS / id));
      }
    });

    test('after some seconds the slots are back, and those who are silent take no more of them', () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      try {
        const backlog = new Backlog<Thing>(SLOTS);
        const hanging = [1, 2, 3, 4].map((id) => anAccount(id, 20, 1));
        const healthy = anAccount(5, 20, 1);
        for (const account of hanging) putMany(backlog, account, 40);
        expect(takeAll(backlog)).toHaveLength(SLOTS);
        vi.advanceTimersByTime(SILENT_MS - 1);
        expect(backlog.freeSilent()).toBe(false);
        vi.advanceTimersByTime(1);
        expect(backlog.freeSilent()).toBe(true);
        expect(takeAll(backlog)).toEqual([]);
        expect(hanging.map((account) => backlog.room(account, true))).toEqual([0, 0, 0, 0]);
        putMany(backlog, healthy, 100);
        const taken = takeAll(backlog);
        expect([taken.length, count(taken, healthy)]).toEqual([SLOTS, SLOTS]);
      } finally {
        vi.useRealTimers();
      }
    });

    test('a server that only takes its time has as many at once as before', () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      try {
        const backlog = new Backlog<Thing>(SLOTS);
        putMany(backlog, anAccount(1, 100), 500);
        let flying = takeAll(backlog);
        for (let round = 0; round < 5; round += 1) {
          vi.advanceTimersByTime(SILENT_MS + 1_000);
          backlog.freeSilent();
          flying.push(...takeAll(backlog));
          expect(flying.length).toBeGreaterThanOrEqual(SLOTS);
          for (const item of flying) end(backlog, item);
          flying = takeAll(backlog);
          expect(flying.length).toBeGreaterThanOrEqual(SLOTS);
        }
      } finally {
        vi.useRealTimers();
      }
    });
  });

  test('loses nothing, doubles nothing and keeps every limit, in whatever order things happen', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('add' as const),
        account: fc.integer({ min: 1, max: 4 }),
        urgent: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('take' as const) }),
      fc.record({ kind: fc.constant('finish' as const), place: fc.nat() }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.nat({ max: 2 * SILENT_MS }) }),
    );
    const property = fc.property(
      fc.array(step, { maxLength: 200 }),
      fc.integer({ min: 1, max: 6 }),
      (steps, concurrency) => {
        const backlog = new Backlog<Thing>(concurrency);
        const accounts = [1, 2, 3, 4].map((id) => anAccount(id, id, Math.ceil(id / 2)));
        const flying: Thing[] = [];
        const started: number[] = [];
        let added = 0;
        for (const each of steps) {
          if (each.kind === 'add') {
            const account = accounts[each.account - 1]!;
            backlog.add(each.urgent ? account.mail(`${added}`) : account.notice(`${added}`));
            added += 1;
          } else if (each.kind === 'take') {
            const item = backlog.take();
            if (item) {
              flying.push(item);
              started.push(Number(item.name));
            }
          } else if (each.kind === 'wait') {
            vi.advanceTimersByTime(each.ms);
            backlog.freeSilent();
          } else if (flying.length > 0) {
            const [item] = flying.splice(each.place % flying.length, 1);
            end(backlog, item!);
          }
          expect(backlog.inFlight).toBe(flying.length);
          expect(flying.length).toBeLessThanOrEqual(6 * concurrency);
          for (const account of accounts) {
            expect(count(flying, account)).toBeLessThanOrEqual(account.transport.capacity);
          }
        }
        const rest = namesOf(backlog.drain()).map(Number);
        expect([...started, ...rest].sort((a, b) => a - b)).toEqual(
          Array.from({ length: added }, (_, n) => n),
        );
      },
    );
    try {
      fc.assert(property, { numRuns: 200 });
    } finally {
      vi.useRealTimers();
    }
  });
});
