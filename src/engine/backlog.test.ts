import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Backlog, LARGEST_CLAIM } from './backlog.js';

const ADA = 1;
const BOB = 2;

function takeAll(backlog: Backlog<string>): string[] {
  const taken: string[] = [];
  for (let item = backlog.take(); item !== undefined; item = backlog.take()) taken.push(item);
  return taken;
}

function end(backlog: Backlog<unknown>, account: number): void {
  backlog.sent(account);
  backlog.finished();
}

describe('a backlog', () => {
  test('gives what may start, oldest first, up to what the worker does at once', () => {
    const backlog = new Backlog<string>(2);
    for (const item of ['a', 'b', 'c']) backlog.add(ADA, 10, item);
    expect(takeAll(backlog)).toEqual(['a', 'b']);
    expect([backlog.waiting, backlog.inFlight]).toEqual([1, 2]);
    end(backlog, ADA);
    expect(takeAll(backlog)).toEqual(['c']);
  });

  test('gives an account no more than its transport can do, and goes on with the others', () => {
    const backlog = new Backlog<string>(10);
    for (const item of ['a1', 'a2', 'a3']) backlog.add(ADA, 1, item);
    for (const item of ['b1', 'b2', 'b3']) backlog.add(BOB, 2, item);
    expect(takeAll(backlog)).toEqual(['a1', 'b1', 'b2']);
    end(backlog, ADA);
    expect(takeAll(backlog)).toEqual(['a2']);
  });

  test('lets an account send the next while the last is being settled, within what the worker does at once', () => {
    const backlog = new Backlog<string>(2);
    for (const item of ['a1', 'a2', 'a3']) backlog.add(ADA, 1, item);
    expect(takeAll(backlog)).toEqual(['a1']);
    backlog.sent(ADA);
    expect(takeAll(backlog)).toEqual(['a2']);
    backlog.sent(ADA);
    expect(takeAll(backlog)).toEqual([]);
    backlog.finished();
    expect(takeAll(backlog)).toEqual(['a3']);
  });

  test('lets accounts take turns, however much one of them has', () => {
    const backlog = new Backlog<string>(1);
    for (let n = 1; n <= 100; n += 1) backlog.add(ADA, 10, `a${n}`);
    backlog.add(BOB, 10, 'b1');
    const order: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const item = backlog.take()!;
      order.push(item);
      end(backlog, item.startsWith('a') ? ADA : BOB);
    }
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('has room for twice what an account can do at once, less what waits', () => {
    const backlog = new Backlog<string>(20);
    expect(backlog.room(ADA)).toBe(40);
    backlog.add(ADA, 3, 'a');
    expect(backlog.room(ADA)).toBe(5);
    backlog.add(BOB, 50, 'b');
    expect(backlog.room(BOB)).toBe(39);
  });

  test('has no room before half of it is free, so that a claim is worth its while', () => {
    const backlog = new Backlog<string>(20);
    for (let n = 0; n < 4; n += 1) backlog.add(ADA, 3, 'a');
    expect(backlog.room(ADA)).toBe(0);
    backlog.take();
    expect(backlog.room(ADA)).toBe(3);
  });

  test('has room for two seconds of what an account really does, up to the largest claim', () => {
    const backlog = new Backlog<string>(20);
    const send = (count: number) => {
      for (let n = 0; n < count; n += 1) {
        backlog.add(ADA, 3, 'a');
        backlog.take();
        end(backlog, ADA);
      }
    };
    send(100);
    expect(backlog.room(ADA)).toBeGreaterThanOrEqual(100);
    expect(backlog.room(ADA)).toBeLessThanOrEqual(200);
    send(2_000);
    expect(backlog.room(ADA)).toBe(LARGEST_CLAIM);
    expect(backlog.room(BOB)).toBe(40);
  });

  test('has a limit for all accounts together', () => {
    const backlog = new Backlog<string>(20);
    expect(backlog.roomForAll).toBe(250);
    for (let account = 1; account <= 100; account += 1) backlog.add(account, 1, 'x');
    expect(backlog.roomForAll).toBe(150);
    for (let account = 1; account <= 26; account += 1) backlog.add(account, 1, 'x');
    expect([backlog.room(1), backlog.room(200)]).toEqual([0, 40]);
    expect(new Backlog<string>(200).roomForAll).toBe(400);
    expect(new Backlog<string>(1_000).roomForAll).toBe(LARGEST_CLAIM);
  });

  test('gives back everything that has not started, once', () => {
    const backlog = new Backlog<string>(1);
    for (const item of ['a1', 'a2']) backlog.add(ADA, 1, item);
    backlog.add(BOB, 1, 'b1');
    backlog.take();
    expect(backlog.drain().sort()).toEqual(['a2', 'b1']);
    expect(backlog.drain()).toEqual([]);
    expect([backlog.waiting, backlog.inFlight]).toEqual([0, 1]);
    end(backlog, ADA);
    expect(backlog.take()).toBeUndefined();
    backlog.add(ADA, 1, 'a3');
    expect(backlog.take()).toBe('a3');
  });

  test('loses nothing, doubles nothing and keeps every limit, in whatever order things happen', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), account: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ kind: fc.constant('take' as const) }),
      fc.record({ kind: fc.constant('finish' as const), place: fc.nat() }),
    );
    const property = fc.property(
      fc.array(step, { maxLength: 200 }),
      fc.integer({ min: 1, max: 6 }),
      (steps, concurrency) => {
        const backlog = new Backlog<{ account: number; n: number }>(concurrency);
        const flying: { account: number; n: number }[] = [];
        const started: number[] = [];
        let added = 0;
        for (const each of steps) {
          if (each.kind === 'add') {
            backlog.add(each.account, each.account, { account: each.account, n: added });
            added += 1;
          } else if (each.kind === 'take') {
            const item = backlog.take();
            if (item) {
              flying.push(item);
              started.push(item.n);
            }
          } else if (flying.length > 0) {
            const [item] = flying.splice(each.place % flying.length, 1);
            end(backlog, item!.account);
          }
          expect(backlog.inFlight).toBe(flying.length);
          expect(flying.length).toBeLessThanOrEqual(concurrency);
          for (const account of [1, 2, 3, 4]) {
            expect(flying.filter((item) => item.account === account).length).toBeLessThanOrEqual(account);
          }
        }
        const rest = backlog.drain().map(({ n }) => n);
        expect([...started, ...rest].sort((a, b) => a - b)).toEqual(
          Array.from({ length: added }, (_, n) => n),
        );
      },
    );
    fc.assert(property, { numRuns: 200 });
  });
});
