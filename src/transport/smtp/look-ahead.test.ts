import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LookAhead, takeTicket } from './look-ahead.js';

const after = (turns: readonly number[]): LookAhead => {
  const lookAhead = new LookAhead();
  for (const turn of turns) lookAhead.measured(turn);
  return lookAhead;
};
const times = (count: number, turn: number) => Array.from({ length: count }, () => turn);

describe('asking ahead', () => {
  test('begins when a server has shown that its turns are short', () => {
    expect(after([]).isWorthIt).toBe(false);
    expect(after(times(9, 2)).isWorthIt).toBe(false);
    expect(after(times(10, 2)).isWorthIt).toBe(true);
    expect(after(times(10, 10)).isWorthIt).toBe(false);
  });

  test('ends when the server becomes slow, and a single slow turn does not end it', () => {
    expect(after([...times(50, 2), 60]).isWorthIt).toBe(true);
    expect(after([...times(50, 2), ...times(10, 60)]).isWorthIt).toBe(false);
  });
});

describe('a ticket', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('asks the gate at once, and only once', async () => {
    const gate = vi.fn(() => Promise.resolve(true));
    const ticket = takeTicket(gate);
    expect(gate).toHaveBeenCalledTimes(1);
    expect(await ticket.gate()).toBe(true);
    expect(gate).toHaveBeenCalledTimes(1);
  });

  test('holds for a second after the answer', async () => {
    const ticket = takeTicket(() => Promise.resolve(true));
    expect(await ticket.passed).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(await ticket.gate()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(await ticket.gate()).toBe(false);
    // The mark is there all the same, and that must be known.
    expect(await ticket.passed).toBe(true);
  });

  test('of a gate that refused or failed opens nothing', async () => {
    expect(await takeTicket(() => Promise.resolve(false)).gate()).toBe(false);
    const failed = takeTicket(() => Promise.reject(new Error('no database')));
    await expect(failed.gate()).rejects.toThrow('no database');
    expect(await failed.passed).toBe(false);
  });
});
