import { beforeEach, describe, expect, test } from 'vitest';
import { PillarboxError } from '../core/errors.js';
import { OutageLog, silent } from '../log/log.js';
import { PatientWriter } from './patient-writer.js';
import { Pauses } from './pauses.js';

const outage = () => new PillarboxError('store_unavailable', 'away');

describe('a patient writer', () => {
  let groups: number[][];
  let pauses: Pauses;
  /** Throws what stands in the way of a group. */
  let obstacle: (items: readonly number[]) => void;
  let writer: PatientWriter<number, string>;

  beforeEach(() => {
    groups = [];
    pauses = new Pauses();
    obstacle = () => undefined;
    const store = (items: readonly number[]) => {
      groups.push([...items]);
      return new Promise<string[]>((resolve) => {
        obstacle(items);
        resolve(items.map(String));
      });
    };
    writer = new PatientWriter(store, pauses, new OutageLog(silent, 'away', 'back'));
  });

  const writeAll = (count: number) =>
    Promise.allSettled(Array.from({ length: count }, (_, n) => writer.write(n)));

  test('waits for a database that is away, however often it says so', async () => {
    let failures = 3;
    obstacle = () => {
      failures -= 1;
      if (failures >= 0) throw outage();
    };
    expect(await writer.write(7)).toBe('7');
    expect(groups).toEqual([[7], [7], [7], [7]]);
  });

  test('finds by halves what is refused, tells whoever wrote it, and writes all others', async () => {
    obstacle = (items) => {
      if (items.includes(77)) throw new Error('no such value');
    };
    const fates = await writeAll(128);
    const refused = fates.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []));
    expect(refused).toEqual([77]);
    expect(groups.length).toBeLessThan(20);
    expect(fates[76]).toEqual({ status: 'fulfilled', value: '76' });
  });

  test('writes alone what asks for it', async () => {
    obstacle = (items) => {
      if (items.includes(1)) throw new Error('no such value');
    };
    await expect(writer.writeAlone(1)).rejects.toThrow('no such value');
    expect(await writer.writeAlone(2)).toBe('2');
  });

  test('lets go of everybody when the pauses are over', async () => {
    obstacle = () => {
      throw outage();
    };
    const fates = writeAll(3);
    await new Promise(setImmediate);
    pauses.end();
    expect(await fates).toEqual(Array(3).fill({ status: 'fulfilled', value: undefined }));
    expect(await writer.write(4)).toBeUndefined();
    expect(groups).toHaveLength(1);
  });
});
