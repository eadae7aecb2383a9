import { describe, expect, test } from 'vitest';
import { parseClockSetting, virtualNow } from './clock.js';

describe('the virtual clock', () => {
  test('starts at its instant and runs at its speed', () => {
    const setting = parseClockSetting('2026-11-16T08:59:00-05:00*600');
    expect(setting).toEqual({ startMs: Date.UTC(2026, 10, 16, 13, 59), speed: 600 });
    const clock = { ...setting, anchorMs: 1_000_000 };
    expect(virtualNow(clock, 1_000_000)).toBe(setting.startMs);
    expect(virtualNow(clock, 1_000_100)).toBe(setting.startMs + 60_000);
  });

  test('is a whole number at any speed', () => {
    const clock = { ...parseClockSetting('2026-01-01T00:00Z*0.333'), anchorMs: 0 };
    expect(Number.isInteger(virtualNow(clock, 1_234_567))).toBe(true);
  });

  test.each([
    '',
    'now*1',
    '2026-11-16T08:59:00*600',
    '2026-11-16T08:59:00Z',
    '2026-11-16T08:59:00Z*0',
    '2026-13-40T08:59:00Z*1',
    '2026-11-16T08:59:00Z*-5',
  ])('%j is refused with what it should be', (text) => {
    expect(() => parseClockSetting(text)).toThrow(/PILLARBOX_CLOCK: should be/);
  });
});
