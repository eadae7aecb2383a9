import { describe, expect, test } from 'vitest';
import { prefetchFor, roomInWindow, windowFor } from './relay-window.js';

/** Passes on as much as it may, again and again, until nothing more goes. */
function fill(window: number, channels: number[], which: readonly number[]): void {
  for (let moved = true; moved;) {
    moved = false;
    for (const index of which) {
      const outstanding = channels.reduce((sum, n) => sum + n, 0);
      const room = roomInWindow(window, outstanding, channels[index]!);
      channels[index]! += room;
      moved ||= room > 0;
    }
  }
}

describe('the window', () => {
  test('grows with senders, and is never nothing', () => {
    expect(windowFor(20, 0)).toBe(100);
    expect(windowFor(20, 1)).toBe(100);
    expect(windowFor(50, 4)).toBe(800);
    expect(windowFor(1_000, 2)).toBe(8_000);
    expect(windowFor(5_000, 2)).toBe(8_000);
  });

  test('a sender may have more in hand than its part of it', () => {
    expect(prefetchFor(20)).toBeGreaterThan(windowFor(20, 1));
    expect(prefetchFor(1_000)).toBeGreaterThan(windowFor(1_000, 1) + 500);
  });

  test('a channel that nobody takes from holds half of it', () => {
    const channels = [0, 0];
    fill(400, channels, [0]);
    expect(channels[0]).toBeLessThanOrEqual(200);
    expect(channels[0]).toBeGreaterThan(190);
    fill(400, channels, [1]);
    expect(channels[1]).toBeGreaterThan(90);
  });

  test('a channel of which much is there waits for a good part; one of which little is there does not', () => {
    expect(roomInWindow(800, 400, 400)).toBe(0);
    expect(roomInWindow(800, 200, 200)).toBe(200);
    // 199 more would go: not worth three statements while 201 wait to be taken.
    expect(roomInWindow(800, 201, 201)).toBe(0);
    expect(roomInWindow(800, 199 + 400, 199)).toBe(1);
    expect(roomInWindow(800, 790, 0)).toBe(5);
    expect(roomInWindow(100, 50, 50)).toBe(0);
    expect(roomInWindow(100, 20, 20)).toBe(30);
  });

  test('several of them leave something to the next', () => {
    const channels = [0, 0, 0, 0, 0];
    fill(400, channels, [0, 1, 2, 3]);
    const before = channels.reduce((sum, n) => sum + n, 0);
    expect(before).toBeLessThan(400);
    expect(roomInWindow(400, before, 0)).toBeGreaterThan(10);
  });
});
