import { describe, expect, test } from 'vitest';
import { agree, type Agreement } from './lease-clock.js';

const NOON = Date.parse('2026-11-16T12:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Ten minutes after a start of the machine. */
const clocks = { boot: 'a', steadyMs: 600_000, wallMs: NOON };
const agreed: Agreement = { boot: 'a', offsetMs: NOON - 600_000, steadyMs: 600_000 };
const later = (ms: number, stepMs = 0) => ({
  boot: 'a',
  steadyMs: clocks.steadyMs + ms,
  wallMs: NOON + ms + stepMs,
});

test('the first process makes the steady clock the time of day, and leaves the leases of others alone', () => {
  expect(agree(undefined, clocks)).toEqual({ agreement: agreed, anew: true, formerLeases: false });
});

test.each([0, HOUR_MS, -HOUR_MS, 365 * DAY_MS])(
  'the time of day is set by %i ms: what was agreed on holds',
  (stepMs) => {
    const held = { agreement: agreed, anew: false, formerLeases: false };
    expect(agree(agreed, later(DAY_MS, stepMs))).toEqual(held);
  },
);

test('another start, or another machine: agreed on anew, and there may be leases of before', () => {
  const restarted = { boot: 'b', steadyMs: 5_000, wallMs: NOON + DAY_MS };
  expect(agree(agreed, restarted)).toEqual({
    agreement: { boot: 'b', offsetMs: NOON + DAY_MS - 5_000, steadyMs: 5_000 },
    anew: true,
    formerLeases: true,
  });
});

describe('where starts of a machine have no id', () => {
  const nameless = { ...agreed, boot: '' };

  test('a steady clock that has gone back tells', () => {
    const restarted = { boot: '', steadyMs: 5_000, wallMs: NOON + DAY_MS };
    expect(agree(nameless, restarted)).toMatchObject({ anew: true, formerLeases: true });
  });

  test('one that is as far again tells nothing: all go by the same, and leases of before are looked after', () => {
    const restarted = { boot: '', steadyMs: 700_000, wallMs: NOON + DAY_MS };
    expect(agree(nameless, restarted)).toEqual({ agreement: nameless, anew: false, formerLeases: true });
  });

  test('one that agrees with the time of day is the same', () => {
    const same = { ...later(DAY_MS, 900), boot: '' };
    expect(agree(nameless, same)).toEqual({ agreement: nameless, anew: false, formerLeases: false });
  });
});
