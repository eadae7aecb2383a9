import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { AckOrder } from './ack-order.js';

const arrived = (order: AckOrder, count: number) => {
  for (let tag = 1; tag <= count; tag += 1) order.arrived(tag);
};

describe('acknowledgements', () => {
  test('one for all up to the first that is open', () => {
    const order = new AckOrder(10);
    arrived(order, 5);
    for (const tag of [2, 1, 3, 5]) order.done(tag);
    expect(order.take()).toEqual({ upTo: 3, singly: [] });
    expect(order.open).toBe(2);
    order.done(4);
    expect(order.take()).toEqual({ upTo: 5, singly: [] });
    expect(order.take()).toEqual({ upTo: undefined, singly: [] });
  });

  test('a slow one at the head keeps back so many, and no more', () => {
    const order = new AckOrder(3);
    arrived(order, 6);
    expect(order.done(2)).toBe(false);
    expect(order.done(4)).toBe(false);
    expect(order.take()).toEqual({ upTo: undefined, singly: [] });
    expect(order.done(5)).toBe(true);
    expect(order.take()).toEqual({ upTo: undefined, singly: [2, 4, 5] });
    expect(order.done(1)).toBe(true);
    expect(order.take()).toEqual({ upTo: 1, singly: [] });
    order.done(3);
    order.done(6);
    // 4 and 5 are acknowledged already: 6 says so for what lies before it.
    expect(order.take()).toEqual({ upTo: 6, singly: [] });
  });

  test('what was acknowledged singly is not what "up to" names', () => {
    const order = new AckOrder(1);
    arrived(order, 2);
    order.done(2);
    expect(order.take()).toEqual({ upTo: undefined, singly: [2] });
    order.done(1);
    expect(order.take()).toEqual({ upTo: 1, singly: [] });
    expect(order.open).toBe(0);
  });

  test('every tag is acknowledged once, whatever the order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.infiniteStream(fc.nat()),
        (count, patience, dice) => {
          const order = new AckOrder(patience);
          const open = new Set<number>();
          const unacked = new Set<number>();
          arrived(order, count);
          for (let tag = 1; tag <= count; tag += 1) {
            open.add(tag);
            unacked.add(tag);
          }
          while (open.size > 0) {
            const tag = [...open][(dice.next().value as number) % open.size]!;
            open.delete(tag);
            order.done(tag);
            order.done(tag);
            if ((dice.next().value as number) % 2 && open.size > 0) continue;
            const { upTo, singly } = order.take();
            if (upTo !== undefined && !unacked.has(upTo)) return false;
            for (const each of [...unacked]) if (upTo !== undefined && each <= upTo) unacked.delete(each);
            for (const each of singly) if (!unacked.delete(each)) return false;
            // Nothing that is still worked on is acknowledged.
            if ([...open].some((each) => !unacked.has(each))) return false;
          }
          return unacked.size === 0 && order.open === 0;
        },
      ),
    );
  });
});
