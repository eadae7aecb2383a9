import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isUnattended, startAttending } from './attended';

const heard = new Map<string, () => void>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', (sign: string, hear: () => void) => heard.set(sign, hear));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a page is unattended a minute after the last touch, and attended again with the next', () => {
  startAttending();
  for (const sign of ['pointerdown', 'keydown', 'wheel']) {
    heard.get(sign)!();
    vi.advanceTimersByTime(60_000);
    expect(isUnattended()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isUnattended()).toBe(true);
  }
});
