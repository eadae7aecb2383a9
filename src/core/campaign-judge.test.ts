import { describe, expect, test } from 'vitest';
import { judgeBounds, type OwnBounds } from './campaign-judge.js';
import type { Judged } from './simulation-judge.js';

const HOUR = 3_600_000;
/** A Monday. */
const NOON = Date.parse('2026-11-16T12:00:00Z');
const DAY = 24 * HOUR;

const left = (at: number, person: number | undefined, order = 1): Judged => ({
  ...{ messageId: at, accountId: 1, action: 'email', at, ownZone: null, expiresAt: null },
  step: person === undefined ? undefined : { person, order },
});

const found = (
  terms: Partial<OwnBounds['terms']>,
  own: readonly Judged[],
  over: Partial<Omit<OwnBounds, 'terms'>> = {},
): readonly string[] => {
  const all = { startAt: null, endAt: null, dailyLimit: null, maxNewPerDay: null, ...terms };
  return [...judgeBounds({ terms: all, timezone: 'UTC', before: [], ...over }, own)].map(
    ({ kind, when }) => `${kind} ${when}`,
  );
};

describe('what a campaign has set itself', () => {
  test('nothing, and nothing is found', () => {
    expect(found({}, [left(NOON, 1), left(NOON, 2), left(NOON, undefined)])).toEqual([]);
  });

  test('when it begins and when it ends', () => {
    const own = [left(NOON, 1), left(NOON + HOUR, 2), left(NOON + 2 * HOUR, 3)];
    expect(found({ startAt: NOON + 1, endAt: NOON + 2 * HOUR }, own)).toEqual([
      'campaign_start 2026-11-16T12:00:00.000Z',
      'ended 2026-11-16T14:00:00.000Z',
    ]);
    expect(found({ startAt: NOON, endAt: NOON + 2 * HOUR + 1 }, own)).toEqual([]);
  });

  test('how much a day, by the days of the workspace and with what left before', () => {
    const own = [left(NOON, 1), left(NOON + HOUR, 2), left(NOON + DAY, 3)];
    expect(found({ dailyLimit: 2 }, own)).toEqual([]);
    expect(found({ dailyLimit: 1 }, own)).toEqual(['campaign_day 2026-11-16']);
    // In Auckland it is one o'clock of the next day.
    expect(found({ dailyLimit: 1 }, own, { timezone: 'Pacific/Auckland' })).toEqual([
      'campaign_day 2026-11-17',
    ]);
    const before = [{ at: NOON - HOUR, person: 9 }];
    expect(found({ dailyLimit: 2 }, own, { before })).toEqual(['campaign_day 2026-11-16']);
  });

  test('how many new people a day: who was written to before is not new, whoever made the message is', () => {
    const own = [left(NOON, 1), left(NOON + HOUR, 2, 2), left(NOON + 2 * HOUR, undefined)];
    expect(found({ maxNewPerDay: 2 }, own)).toEqual(['campaign_new 2026-11-16']);
    expect(found({ maxNewPerDay: 2 }, own, { before: [{ at: NOON - DAY, person: 2 }] })).toEqual([]);
    const again = [left(NOON, 1), left(NOON + HOUR, 1, 2)];
    expect(found({ maxNewPerDay: 1, dailyLimit: 2 }, again)).toEqual([]);
  });
});
