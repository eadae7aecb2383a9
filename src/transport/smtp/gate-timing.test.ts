import { describe, expect, test } from 'vitest';
import { GateTiming } from './gate-timing.js';

const after = (turns: readonly number[], gates: readonly number[] = times(10, 4)): GateTiming => {
  const timing = new GateTiming();
  for (const turn of turns) timing.turnTook(turn);
  for (const gate of gates) timing.gateTook(gate);
  return timing;
};
const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);

describe('mails wait behind a connection', () => {
  test('once its server is known, and is not slow', () => {
    expect(after([]).behindEach).toBe(0);
    expect(after(times(9, 2)).behindEach).toBe(0);
    expect(after(times(10, 2)).behindEach).toBe(2);
    expect(after(times(10, 80)).behindEach).toBe(2);
    expect(after(times(10, 1_000)).behindEach).toBe(0);
  });

  test('until it becomes slow, and a single slow turn is forgiven', () => {
    expect(after([...times(50, 80), 5_000]).behindEach).toBe(2);
    expect(after([...times(50, 80), ...times(10, 5_000)]).behindEach).toBe(0);
  });
});

describe('a gate is asked', () => {
  test('while its mail still waits for a connection, if a gate takes longer than a mail', () => {
    expect(after([]).isNextDoor).toBe(false);
    expect(after(times(10, 2)).isNextDoor).toBe(true);
    expect(after(times(10, 10)).isNextDoor).toBe(false);
  });

  test('just in time to a server that is far away', () => {
    // 40 ms after it was written it is invited; twice the length of a gate before that, and a little.
    expect(after(times(10, 80)).askAfterMs(1 / 2)).toBe(40 - 8 - 2);
    expect(after(times(10, 40)).askAfterMs(1 / 4)).toBe(0);
  });

  test('when its mail may leave, if the server is slow or either is not known yet', () => {
    expect(after(times(10, 1_000)).askAfterMs(1 / 2)).toBeUndefined();
    expect(after(times(9, 80)).askAfterMs(1 / 2)).toBeUndefined();
    expect(after(times(10, 80), times(9, 4)).askAfterMs(1 / 2)).toBeUndefined();
  });
});
