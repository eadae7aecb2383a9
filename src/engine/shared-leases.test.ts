import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { readLeases, SharedLeases } from './shared-leases.js';

const sorted = (leases: Iterable<number>): number[] => [...leases].sort((a, b) => a - b);

describe('the leases that a worker holds', () => {
  it('are read as they are, whatever came and went before', () => {
    const leases = new SharedLeases();
    const held = new Set<number>();
    for (let lease = 1; lease <= 5_000; lease += 1) {
      leases.add(lease);
      held.add(lease);
      const over = (lease * 7) % 5_003;
      leases.delete(over);
      held.delete(over);
      expect(leases.size).toBe(held.size);
    }
    expect(sorted(readLeases(leases.memory))).toEqual(sorted(held));
  });

  it('are held once, however often they are added', () => {
    const leases = new SharedLeases();
    leases.add(2 ** 53 - 1);
    leases.add(2 ** 53 - 1);
    expect(readLeases(leases.memory)).toEqual([2 ** 53 - 1]);
    leases.delete(2 ** 53 - 1);
    leases.delete(2 ** 53 - 1);
    expect(readLeases(leases.memory)).toEqual([]);
    leases.add(1);
    leases.add(2);
    expect(sorted(readLeases(leases.memory))).toEqual([1, 2]);
  });

  it('need no more memory than were held at once', () => {
    const leases = new SharedLeases();
    const before = leases.memory.byteLength;
    for (let lease = 1; lease <= 100_000; lease += 1) {
      leases.add(lease);
      leases.delete(lease - 500);
    }
    expect(leases.memory.byteLength).toBe(before);
  });

  it('are seen by a thread that was started when there was room for fewer', async () => {
    const leases = new SharedLeases();
    const counting = `
      const { parentPort, workerData } = require('node:worker_threads');
      parentPort.on('message', () => parentPort.postMessage(new BigInt64Array(workerData).filter((lease) => lease > 0n).length));
    `;
    const thread = new Worker(counting, { eval: true, workerData: leases.memory });
    const count = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        thread.once('message', resolve).once('error', reject);
        thread.postMessage('count');
      });
    expect(await count()).toBe(0);
    const before = leases.memory.byteLength;
    for (let lease = 1; lease <= 3_000; lease += 1) leases.add(lease);
    expect(leases.memory.byteLength).toBeGreaterThan(before);
    expect(await count()).toBe(3_000);
    await thread.terminate();
  });
});
