import { describe, expect, test } from 'vitest';
import { SENDING_DEFAULTS, type AccountSending, type SendingSettings } from './sending.js';
import { judge, type Judged, type UsedBefore } from './simulation-judge.js';

const MINUTE = 60_000;
const at = (instant: string): number => Date.parse(instant);
/** A Monday, inside the usual window. */
const NOON = at('2026-11-16T12:00:00Z');
const NOTHING: UsedBefore = { days: [], hours: [], totals: new Map() };

const left = (instants: readonly number[], over: Partial<Judged> = {}): readonly Judged[] =>
  instants.map((instant, n) => ({
    ...{ messageId: n + 1, accountId: 1, action: 'email', at: instant, ownZone: null, expiresAt: null },
    ...over,
  }));

interface Given {
  readonly settings?: Partial<SendingSettings>;
  readonly sending?: AccountSending;
  readonly before?: Partial<UsedBefore>;
  readonly left: readonly Judged[];
}

const found = ({ settings = {}, sending = {}, before = {}, left: departures }: Given): readonly string[] =>
  judge({
    settings: { ...SENDING_DEFAULTS, ...settings },
    accounts: [{ id: 1, type: 'email', sending }],
    before: { ...NOTHING, ...before },
    left: departures,
  }).map(({ kind, when }) => `${kind} ${when}`);

const used = (day: string, count: number) => ({
  days: [{ accountId: 1, action: 'email', day, used: count, sent: true }] as const,
});

describe('the judge of a simulation', () => {
  test('finds nothing where nothing is wrong', () => {
    expect(found({ left: left([NOON, NOON + MINUTE, NOON + 2 * MINUTE]) })).toEqual([]);
  });

  test.each<[string, Given, string[]]>([
    ['before the window', { left: left([at('2026-11-16T08:59:59Z')]) }, ['window 2026-11-16T08:59:59.000Z']],
    [
      'an hour too early after the clocks went back',
      {
        settings: { timezone: 'Europe/Berlin', sendingDays: [7] },
        left: left([at('2026-10-25T07:30:00Z'), at('2026-10-25T08:00:00Z')]),
      },
      ['window 2026-10-25T07:30:00.000Z'],
    ],
    ['on a holiday', { sending: { holidays: ['2026-11-16'] }, left: left([NOON]) }, [`window ${iso(NOON)}`]],
    [
      'outside the window of its recipient',
      { left: left([NOON], { ownZone: 'Asia/Tokyo' }) },
      [`window ${iso(NOON)}`],
    ],
    ['too close', { left: left([NOON, NOON + 29_999]) }, [`spacing ${iso(NOON + 29_999)}`]],
    [
      'closer than the account wants',
      { sending: { spacing: { minSeconds: 90, maxSeconds: 90 } }, left: left([NOON, NOON + MINUTE]) },
      [`spacing ${iso(NOON + MINUTE)}`],
    ],
    [
      'more than the day, counting what had left before',
      { sending: { dailyLimitEmails: 2 }, before: used('2026-11-16', 1), left: left([NOON, NOON + MINUTE]) },
      ['day 2026-11-16'],
    ],
    [
      'more than the week, the month and the hour',
      {
        sending: {
          limits: [
            { action: 'email', period: 'hour', max: 1 },
            { action: 'email', period: 'week', max: 1 },
            { action: 'email', period: 'month', max: 1 },
          ],
        },
        left: left([NOON, NOON + MINUTE]),
      },
      [`hour ${iso(NOON)}`, 'week 2026-11-16', 'month 2026-11-01'],
    ],
    [
      'a hour that had been used up before',
      {
        sending: { limits: [{ action: 'email', period: 'hour', max: 1 }] },
        before: { hours: [{ accountId: 1, action: 'email', hour: NOON, used: 1 }] },
        left: left([NOON]),
      },
      [`hour ${iso(NOON)}`],
    ],
    [
      'a second day of a ramp-up as full as a third',
      {
        settings: { rampUpEnabled: true, rampUp: { start: 1, step: 1 } },
        before: used('2026-11-13', 1),
        left: left([NOON, NOON + MINUTE, NOON + 2 * MINUTE]),
      },
      ['ramp_up 2026-11-16'],
    ],
    [
      'more than the whole workspace may send',
      {
        settings: { dailyQuota: 3 },
        before: { totals: new Map([['2026-11-16', 2]]) },
        left: left([NOON, NOON + MINUTE]),
      },
      ['total 2026-11-16'],
    ],
    ['one twice', { left: left([NOON, NOON + MINUTE], { messageId: 7 }) }, [`twice ${iso(NOON + MINUTE)}`]],
    [
      'a follow-up before what it follows',
      {
        left: [
          ...left([NOON], { messageId: 1, step: { person: 5, order: 2 } }),
          ...left([NOON + MINUTE], { messageId: 2, step: { person: 5, order: 1 } }),
        ],
      },
      [`order ${iso(NOON + MINUTE)}`],
    ],
    ['after its end', { left: left([NOON], { expiresAt: NOON }) }, [`ended ${iso(NOON)}`]],
  ])('finds %s', (_, given, findings) => {
    expect(found(given)).toEqual(findings);
  });
});

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
