import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Ticket } from './ticket.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const ticketOf = (gate: () => Promise<boolean>) => new Ticket(gate, () => undefined);

test('a ticket asks the gate once, by whoever comes first', async () => {
  const gate = vi.fn(() => Promise.resolve(true));
  const ticket = ticketOf(gate);
  expect(ticket.asked).toBe(false);
  expect(await ticket.passed()).toBe(false);
  ticket.take();
  ticket.take();
  expect(ticket.asked).toBe(true);
  expect(await ticket.gate()).toBe(true);
  expect(gate).toHaveBeenCalledTimes(1);
});

test('it holds for a second after the answer', async () => {
  const took: number[] = [];
  const ticket = new Ticket(
    () => {
      vi.advanceTimersByTime(7);
      return Promise.resolve(true);
    },
    (ms) => took.push(ms),
  );
  ticket.take();
  expect(await ticket.passed()).toBe(true);
  expect(took).toEqual([7]);
  vi.advanceTimersByTime(1_000);
  expect(await ticket.gate()).toBe(true);
  expect(ticket.isOld).toBe(false);
  vi.advanceTimersByTime(1);
  expect(ticket.isOld).toBe(true);
  expect(await ticket.gate()).toBe(false);
  // The mark is there all the same, and that must be known.
  expect(await ticket.passed()).toBe(true);
});

test.each([
  ['refused', () => Promise.resolve(false)],
  ['failed', () => Promise.reject(new Error('no database'))],
  [
    'threw',
    () => {
      throw new Error('bug');
    },
  ],
])('one whose gate %s opens nothing', async (_how, gate) => {
  const ticket = ticketOf(gate);
  expect(await ticket.gate().catch(() => 'failed')).not.toBe(true);
  expect(await ticket.passed()).toBe(false);
});
