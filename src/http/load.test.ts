import { describe, expect, test } from 'vitest';
import { Load, type Write } from './load.js';

const LIMITS = { writes: 3, bytes: 1_000, writesOfOne: 3, bytesOfOne: 1_000 };
const BUSY = expect.objectContaining({ code: 'busy', retryAfterSeconds: 2 }) as Error;

const grown = (load: Load, bytes: number, who: string | number = 'ada'): Write => {
  const write = load.begin(who);
  write.grow(bytes);
  return write;
};

describe('load', () => {
  test('has room for so many writes; one that is over makes room for one, however often that is said', () => {
    const load = new Load(LIMITS);
    const [first] = [load.begin(1), load.begin(2), load.begin(3)];
    expect(() => load.begin(4)).toThrow(BUSY);
    first.end();
    first.end();
    load.begin(4);
    expect(() => load.begin(5)).toThrow(BUSY);
  });

  test('counts what has come, and not what may come: many who send nothing take no room for bytes', () => {
    const load = new Load({ ...LIMITS, writes: 100, writesOfOne: 100 });
    for (let n = 0; n < 50; n += 1) load.begin('ada');
    grown(load, 1_000);
    const late = load.begin('ada');
    expect(() => late.grow(1)).toThrow(BUSY);
  });

  test('has room for so many bytes, and for a single one that is larger', () => {
    const load = new Load(LIMITS);
    const large = grown(load, 5_000);
    const other = load.begin('ada');
    expect(() => other.grow(1)).toThrow(BUSY);
    large.end();
    other.grow(600);
    const third = grown(load, 400);
    expect(() => third.grow(1)).toThrow(BUSY);
    // What it had is free at once: nobody keeps a body that is refused.
    other.grow(400);
    other.end();
    third.end();
    grown(load, 1_000);
  });

  test('leaves room for others, however much one wants', () => {
    const load = new Load({ writes: 10, bytes: 1_000, writesOfOne: 2, bytesOfOne: 600 });
    const writes = [load.begin('ada'), load.begin('ada')] as const;
    expect(() => load.begin('ada')).toThrow(BUSY);
    writes[0].grow(400);
    expect(() => writes[1].grow(201)).toThrow(BUSY);
    const bob = grown(load, 600, 'bob');
    expect(() => grown(load, 1, 'eve')).toThrow(BUSY);
    bob.end();
    grown(load, 600, 'eve');
    writes[0].end();
    load.begin('ada').grow(400);
  });

  test('what was refused or is over takes nobody’s place', () => {
    const load = new Load(LIMITS);
    const writes = [load.begin(1), load.begin(1), load.begin(1)];
    for (let n = 0; n < 10; n += 1) expect(() => load.begin(1)).toThrow(BUSY);
    for (const write of writes) write.end();
    for (const write of writes) write.grow(5_000);
    for (let n = 0; n < 3; n += 1) grown(load, 300);
  });
});
