import { describe, expect, test } from 'vitest';
import { coolDown } from './cooldown.js';

const MINUTE = 60_000;
const rested = { cooldownUntil: 0, cooldowns: 0 };

describe('the cool-down of an account', () => {
  test('grows from 15 minutes to 4 hours while the provider keeps refusing', () => {
    let account = rested;
    const rests: number[] = [];
    for (let now = 0; rests.length < 6;) {
      account = coolDown(account, now, undefined);
      rests.push((account.cooldownUntil - now) / MINUTE);
      now = account.cooldownUntil;
    }
    expect(rests).toEqual([15, 30, 60, 120, 240, 240]);
  });

  test('does what the provider asks, up to a day', () => {
    expect(coolDown(rested, 0, 90).cooldownUntil).toBe(90_000);
    expect(coolDown(rested, 0, 10_000_000).cooldownUntil).toBe(24 * 60 * MINUTE);
  });

  test('counts a burst that is refused together as one', () => {
    const first = coolDown(rested, 0, undefined);
    expect(coolDown(first, 1, undefined)).toEqual(first);
    expect(coolDown(first, 1, 3_600)).toEqual({ cooldowns: 1, cooldownUntil: 3_600_001 });
  });
});
