import { describe, expect, test } from 'vitest';
import { calendarFor } from '../calendar.js';
import type { State } from '../lifecycle.js';
import { SENDING_DEFAULTS } from '../sending.js';
import { decide, type Acceptance, type Follower, type Prior } from './follow.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Monday, nine in the morning. */
const MONDAY = Date.UTC(2026, 10, 16, 9);
const MIDNIGHT = Date.UTC(2026, 10, 16);
const calendar = calendarFor(SENDING_DEFAULTS, [], MONDAY);

const follower = (over: Partial<Follower> = {}): Follower => ({
  step: 2,
  action: 'email',
  plannedAt: MONDAY + 3 * DAY,
  delayDays: 3,
  delayUnit: 'days',
  window: null,
  closesAt: null,
  ...over,
});
const prior = (state: State, over: Partial<Prior> = {}): Prior => ({
  ...{ step: 1, action: 'email', state, dueAt: MONDAY },
  finishedAt: state === 'scheduled' || state === 'sending' ? null : MONDAY,
  ...over,
});
const nobody: Acceptance = { acceptedAt: null, waitMs: 15 * DAY };
const decided = (of: Follower, priors: readonly Prior[], now: number, acceptance = nobody) =>
  decide(of, priors, calendar, acceptance, now);

describe('what becomes of a follow-up', () => {
  const near = MONDAY + 3 * DAY - HOUR;

  test('it leaves as planned when the step before left in time, and later if that was later', () => {
    expect(decided(follower(), [prior('sent')], near)).toEqual({
      ...{ to: 'due', at: MONDAY + 3 * DAY, closesAt: null },
    });
    expect(decided(follower(), [prior('sent', { finishedAt: MONDAY + DAY })], near)).toMatchObject({
      at: MIDNIGHT + 4 * DAY,
    });
  });

  test('it waits while the step before waits, is in flight or held', () => {
    expect(decided(follower(), [prior('scheduled', { dueAt: near + HOUR })], near)).toEqual({
      ...{ to: 'later', at: MIDNIGHT + 6 * DAY },
    });
    expect(decided(follower(), [prior('sending')], near)).toEqual({ to: 'later', at: near + 120_000 });
    expect(decided(follower(), [prior('held')], near)).toEqual({ to: 'later', at: near + HOUR });
  });

  test.each(['dead', 'skipped', 'cancelled', 'expired'] as const)(
    'it ends when the step before is %s',
    (state) => {
      expect(decided(follower(), [prior(state)], near)).toEqual({
        ...{ to: 'cancelled', reason: `predecessor_${state}` },
      });
    },
  );

  test('it ends when nobody knows the step before', () => {
    expect(decided(follower(), [], near)).toMatchObject({ to: 'cancelled', reason: 'predecessor_missing' });
  });

  test('days on which mail may leave, and hours, count as they say', () => {
    const friday = prior('sent', { finishedAt: MONDAY + 4 * DAY });
    const late = follower({ plannedAt: MONDAY, delayDays: 2, delayUnit: 'sendingDays' });
    expect(decided(late, [friday], near)).toMatchObject({ at: MIDNIGHT + 8 * DAY });
    const hours = follower({ plannedAt: MONDAY, delayDays: 5, delayUnit: 'hours' });
    expect(decided(hours, [friday], near)).toMatchObject({ at: MONDAY + 4 * DAY + 5 * HOUR });
  });

  describe('with two channels', () => {
    const request = prior('sent', { step: 2, action: 'connection_request', finishedAt: MONDAY + DAY });
    const mail = follower({ step: 3 });

    test('what ended in one lets the other go on, from when it was due', () => {
      const ended = { ...request, state: 'dead' as const, dueAt: MONDAY + DAY };
      expect(decided(mail, [prior('sent'), ended], near)).toMatchObject({
        to: 'due',
        at: MIDNIGHT + 4 * DAY,
      });
      const message = follower({ step: 3, action: 'message' });
      expect(decided(message, [prior('sent'), ended], near)).toMatchObject({ reason: 'predecessor_dead' });
      expect(decided(message, [prior('dead')], near)).toMatchObject({ to: 'due' });
      expect(decided(mail, [prior('dead'), request], near)).toMatchObject({ reason: 'predecessor_dead' });
    });

    test('a message waits for the acceptance of the request, and not for ever', () => {
      const message = follower({ step: 3, action: 'message' });
      const until = MONDAY + 16 * DAY;
      expect(decided(message, [request], near)).toEqual({ to: 'awaiting_acceptance', at: until });
      expect(decided(message, [request], until)).toEqual({ to: 'cancelled', reason: 'not_accepted' });
      const accepted = { ...nobody, acceptedAt: near };
      expect(decided(message, [request], near, accepted)).toMatchObject({
        to: 'due',
        at: MIDNIGHT + 4 * DAY,
      });
      expect(decided(mail, [request], near)).toMatchObject({ to: 'due' });
    });
  });

  test('where the recipient’s window holds, it waits for the next one', () => {
    const window = calendarFor({ ...SENDING_DEFAULTS, timezone: 'Asia/Tokyo' }, [], MONDAY);
    const own = follower({ window, closesAt: MONDAY + 3 * DAY + HOUR });
    expect(decided(own, [prior('sent')], near)).toMatchObject({ closesAt: MONDAY + 3 * DAY + HOUR });
    const moved = decided(own, [prior('sent', { finishedAt: MONDAY + DAY })], near);
    const opens = Date.UTC(2026, 10, 20, 0);
    expect(moved).toEqual({ to: 'due', at: opens, closesAt: opens + 9 * HOUR });
  });
});
