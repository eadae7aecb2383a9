import { describe, expect, test } from 'vitest';
import type { GateAnswer, Store } from '#pillarbox/store/store';
import { put } from '../contract/fixture.js';
import { databases } from '../databases.js';
import { Carrier } from './carrier.js';
import { Parts } from './parts.js';
import { FAST } from './post.js';
import { Signal } from './signal.js';

const MESSAGES = 20;
/** How long a refusal holds at least that does not say so. */
const UNKNOWN_WAIT_MS = 1_000;
/** Two seconds, by the fast clock. */
const SHUT_MS = 20 * 60_000;
const NOT_NOW: GateAnswer = { passed: false, refusal: 'paused' };

/** How often each statement of a worker was used, and when each message was refused, by the database's clock. */
class Counts {
  readonly signal = new Signal();
  readonly refused = new Map<number, number[]>();
  claims = 0;
  gates = 0;
  settles = 0;

  between(store: Store): Partial<Store> {
    return {
      claim: async (request) => {
        const claim = await store.claim(request);
        if (claim) this.claims += 1;
        return claim;
      },
      gate: async (entries) => {
        this.gates += 1;
        const now = await store.now();
        for (const { message } of entries)
          this.refused.set(message.id, [...(this.refused.get(message.id) ?? []), now]);
        this.signal.tell();
        return entries.map(() => NOT_NOW);
      },
      settle: (entries) => {
        this.settles += 1;
        return store.settle(entries);
      },
    };
  }
}

describe.each(databases)('what the gate refuses on $name', (database) => {
  test('does not go round as fast as the database allows when nobody can say until when', async () => {
    const own = await database.ready();
    const counts = new Counts();
    const parts = await Parts.open(own.url, {
      carrier: new Carrier(),
      between: (store) => counts.between(store),
    });
    try {
      for (let n = 0; n < MESSAGES; n += 1) await put(parts.fixture);
      await parts.start();
      await counts.signal.until('a third refusal of each', () => {
        const times = Array.from(counts.refused.values());
        return times.length === MESSAGES && times.every(({ length }) => length >= 3);
      });
      const { refused, claims, gates, settles } = counts;
      const waits = [...refused.values()].flatMap((times) => times.slice(1).map((at, n) => at - times[n]!));
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(UNKNOWN_WAIT_MS);
      // A message may come alone, so each refusal costs at most one statement of a kind.
      const refusals = waits.length + refused.size;
      for (const used of [claims, gates, settles]) expect(used).toBeLessThanOrEqual(refusals);
    } finally {
      await parts.close();
      await own.drop();
    }
  });

  test('comes back when it may pass, and not before', async () => {
    const own = await database.ready();
    const asked: number[] = [];
    const carrier = new Carrier();
    const parts = await Parts.open(own.url, {
      carrier,
      ...FAST,
      between: (store) => ({
        gate: async (entries) => {
          asked.push(await store.now());
          if (asked.length > 1) return store.gate(entries);
          const until = asked[0]! + SHUT_MS;
          return entries.map(() => ({ passed: false, refusal: 'paused', until }));
        },
      }),
    });
    try {
      const id = await put(parts.fixture);
      await parts.start();
      await parts.settled(id, 2);
      expect(carrier.left).toHaveLength(1);
      expect(asked).toHaveLength(2);
      expect(asked[1]).toBeGreaterThanOrEqual(asked[0]! + SHUT_MS);
    } finally {
      await parts.close();
      await own.drop();
    }
  });
});
