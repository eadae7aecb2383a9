import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rulesFor } from '../../../test/sending-world.js';
import { calendarFor } from '../calendar.js';
import { SENDING_DEFAULTS } from '../sending.js';
import { labelOf } from '../zone.js';
import { OwnSlots } from './own-slots.js';
import { NOTHING_TAKEN } from './taken.js';
import { Totals } from './totals.js';

const HOUR = 3_600_000;
/** A Monday, before the window opens, in a zone without surprises. */
const MONDAY = Date.UTC(2026, 10, 16);
const ZONES = ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'UTC'];

const windowIn = (timezone: string) => calendarFor({ ...SENDING_DEFAULTS, timezone }, [], MONDAY);

describe('times in the windows of recipients', () => {
  const rules = (limit: number, spacing = { minSeconds: 60, maxSeconds: 120 }) =>
    rulesFor(MONDAY, { spacing }, { dailyLimitEmails: limit });
  const slots = (limit: number, instants: number[] = [], taken = NOTHING_TAKEN) =>
    new OwnSlots(
      rules(limit),
      1,
      { now: MONDAY, seed: 3, taken },
      new Totals({ ...rules(limit), dailyQuota: 1_000 }),
      instants,
    );

  test('lie inside the window of each, whatever the account’s own is, and say when it shuts', () => {
    const own = slots(100);
    for (const zone of ZONES) {
      const slot = own.place('email', windowIn(zone))!;
      const calendar = windowIn(zone);
      expect(calendar.isOpen(slot.at)).toBe(true);
      expect(slot.closesAt).toBe(calendar.interval(slot.at)!.closesAt);
    }
  });

  test('never come closer than the spacing, nor over the account’s day, in whatever order people come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...ZONES), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (people, limit) => {
          const own = slots(limit);
          const placed = people.map((zone) => own.place('email', windowIn(zone))!.at).sort((a, b) => a - b);
          for (const [n, at] of placed.entries()) {
            if (n > 0) expect(at - placed[n - 1]!).toBeGreaterThanOrEqual(60_000);
          }
          const days = new Map<string, number>();
          for (const at of placed) {
            const day = labelOf(own.dayOf(at));
            days.set(day, (days.get(day) ?? 0) + 1);
          }
          expect(Math.max(...days.values())).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a gap is used that an earlier one has left', () => {
    const own = slots(100);
    const late = own.place('email', windowIn('America/New_York'))!;
    const early = own.place('email', windowIn('Asia/Tokyo'))!;
    expect(early.at).toBeLessThan(late.at);
  });

  test('made anew from its own instants it goes on where it was', () => {
    const own = slots(5);
    const before = Array.from({ length: 8 }, () => own.place('email', windowIn('UTC'))!.at);
    const taken = {
      ...NOTHING_TAKEN,
      days: [...new Set(before.map((at) => labelOf(own.dayOf(at))))].map((day) => ({
        day,
        counts: { email: before.filter((at) => labelOf(own.dayOf(at)) === day).length },
      })),
    };
    const again = slots(5, before, taken);
    expect(again.place('email', windowIn('UTC'))).toEqual(own.place('email', windowIn('UTC')));
  });

  test('nothing is placed before what is asked for, and nothing at all where nothing may leave', () => {
    expect(slots(5).place('email', windowIn('UTC'), { instant: MONDAY + 33 * HOUR })!.at).toBeGreaterThan(
      MONDAY + 33 * HOUR,
    );
    expect(slots(0).place('email', windowIn('UTC'))).toBeUndefined();
  });
});
