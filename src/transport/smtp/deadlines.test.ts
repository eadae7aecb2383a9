import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Deadlines } from './deadlines.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const watched = () => ({ expire: vi.fn() });

test('a deadline that passes expires, one tick later than it passed', () => {
  const deadlines = new Deadlines(250);
  const one = watched();
  deadlines.arm(one, 1_000);
  vi.advanceTimersByTime(1_000);
  expect(one.expire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(250);
  expect(one.expire).toHaveBeenCalledTimes(1);
});

test('what arrives in that last tick is still in time', () => {
  const deadlines = new Deadlines(250);
  const one = watched();
  deadlines.arm(one, 1_000);
  vi.advanceTimersByTime(1_000);
  deadlines.arm(one, 1_000);
  vi.advanceTimersByTime(1_000);
  expect(one.expire).not.toHaveBeenCalled();
});

test('a deadline that is forgotten never expires, and the ticker stops with the last', () => {
  const deadlines = new Deadlines(250);
  const [one, two] = [watched(), watched()];
  deadlines.arm(one, 100);
  deadlines.arm(two, 100);
  deadlines.forget(one);
  expect(vi.getTimerCount()).toBe(1);
  two.expire.mockImplementation(() => deadlines.forget(two));
  vi.advanceTimersByTime(1_000);
  expect(one.expire).not.toHaveBeenCalled();
  expect(two.expire).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
