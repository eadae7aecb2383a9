import { describe, expect, test } from 'vitest';
import { HabitsByHost, PeerHabits } from './habits.js';

const HOUR_MS = 60 * 60_000;

function withClock(): { habits: PeerHabits; wait: (ms: number) => void } {
  let now = 0;
  return { habits: new PeerHabits(() => now), wait: (ms) => (now += ms) };
}

describe('a server whose replies do not fit', () => {
  test('is believed to do so after the second time', () => {
    const { habits } = withClock();
    habits.misfit();
    expect(habits.takesTwo).toBe(true);
    habits.misfit();
    expect(habits.takesTwo).toBe(false);
  });

  test('is tried again after an hour, and believed at once if it does so again', () => {
    const { habits, wait } = withClock();
    habits.misfit();
    habits.misfit();
    wait(HOUR_MS - 1);
    expect(habits.takesTwo).toBe(false);
    wait(1);
    expect(habits.takesTwo).toBe(true);
    habits.misfit();
    expect(habits.takesTwo).toBe(false);
  });

  test('once an hour has had accidents', () => {
    const { habits, wait } = withClock();
    for (let hours = 0; hours < 10; hours += 1) {
      habits.misfit();
      expect(habits.takesTwo).toBe(true);
      wait(HOUR_MS);
    }
  });

  test('or that says nothing: unless it has answered such mails before', () => {
    const { habits } = withClock();
    habits.unanswered();
    habits.fit();
    for (let cuts = 0; cuts < 10; cuts += 1) habits.unanswered();
    expect(habits.takesTwo).toBe(true);
    habits.misfit();
    expect(habits.takesTwo).toBe(false);
  });
});

test('what a server was caught at once is believed for an hour', () => {
  const { habits, wait } = withClock();
  habits.invitedRefused();
  habits.chunkUnknown();
  expect([habits.dataInGroup, habits.chunks]).toEqual([false, false]);
  wait(HOUR_MS);
  expect([habits.dataInGroup, habits.chunks]).toEqual([true, true]);
  habits.chunkUnknown();
  expect([habits.dataInGroup, habits.chunks]).toEqual([true, false]);
});

test('the habits of a host are shared, and of many hosts those are kept that were asked for last', () => {
  const all = new HabitsByHost();
  const of = (n: number) => all.of({ host: `mx${String(n)}.example.org`, port: 25 });
  const first = of(0);
  const second = of(1);
  expect(all.of({ host: 'mx0.example.org', port: 587 })).not.toBe(first);
  for (let n = 2; n < 999; n += 1) of(n);
  // Of a thousand, this is now the one that was asked for last.
  expect(of(0)).toBe(first);
  of(999);
  expect(of(0)).toBe(first);
  expect(of(1)).not.toBe(second);
});
