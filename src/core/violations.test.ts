import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultsOf, rulesFor, worlds, type Placed } from '../../test/sending-world.js';
import { ACTIONS } from './message.js';
import { Ledger } from './plan/ledger.js';
import { NOTHING_TAKEN, type Taken } from './plan/taken.js';
import { Totals } from './plan/totals.js';
import { rulesOf, type Rules } from './rules.js';
import { grainFor, movesOf, violationsOf, type Plan, type PlannedGrain } from './violations.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const QUARTER = HOUR / 4;
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 16);
const TEN = MONDAY + 10 * HOUR;

const grain = (at: number, count: number, over: Partial<PlannedGrain> = {}): PlannedGrain => ({
  ...{ accountId: 'acc_1', action: 'email', at, count },
  ...over,
});
const plan = (rules: Rules, planned: PlannedGrain[], over: Partial<Plan> & { taken?: Taken } = {}): Plan => {
  const { taken = NOTHING_TAKEN, ...rest } = over;
  return {
    ...{ now: TEN, grainMs: QUARTER, planned, tooClose: [], totals: new Map() },
    accounts: new Map([
      ['acc_1', { rules, taken }],
      ['acc_2', { rules, taken }],
    ]),
    ...rest,
  };
};
const limits = (period: 'hour' | 'week' | 'month', max: number) =>
  rulesFor(TEN, {}, { limits: [{ action: 'email', period, max }] });

describe('what is planned against the rules', () => {
  test('a plan that keeps them has no violations', () => {
    expect(violationsOf(plan(rulesFor(TEN), [grain(TEN, 20), grain(TEN + DAY, 20)]))).toEqual([]);
  });

  test('whatever comes last over a limit has to move, and is named once', () => {
    const planned = [grain(TEN + 2 * HOUR, 9), grain(TEN, 15)];
    expect(violationsOf(plan(rulesFor(TEN), planned))).toEqual([
      {
        ...{ id: 'acc_1:email:day:2026-11-16', accountId: 'acc_1', action: 'email', limit: 'day' },
        ...{ when: '2026-11-16', planned: 24, max: 20, over: 4 },
        cause: 'More is planned for that day than the account may send.',
        rows: [{ at: TEN + 2 * HOUR, count: 4 }],
      },
    ]);
  });

  test.each<[string, Rules, PlannedGrain[], Partial<Plan> & { taken?: Taken }, object]>([
    [
      'window',
      rulesFor(TEN),
      [grain(MONDAY + 20 * HOUR, 2), grain(MONDAY + 21 * HOUR, 1)],
      {},
      { limit: 'window', when: '2026-11-16', planned: 3, max: 0, over: 3 },
    ],
    [
      'hour',
      limits('hour', 4),
      [grain(TEN, 3), grain(TEN + QUARTER, 3)],
      {},
      { limit: 'hour', when: '2026-11-16T10:00:00.000Z', over: 2 },
    ],
    [
      'week',
      limits('week', 25),
      [grain(TEN, 15), grain(TEN + DAY, 15)],
      {},
      { limit: 'week', when: '2026-11-16', planned: 30, max: 25, over: 5 },
    ],
    [
      'month, with what has left before',
      limits('month', 25),
      [grain(TEN, 15)],
      { taken: { ...NOTHING_TAKEN, days: [{ day: '2026-11-03', counts: { email: 20 } }] } },
      { limit: 'month', when: '2026-11', planned: 35, max: 25, over: 10 },
    ],
    [
      'ramp-up, which the days before raise',
      rulesFor(TEN, { rampUpEnabled: true }),
      [grain(TEN, 5), grain(TEN + DAY, 12)],
      {},
      { limit: 'ramp_up', when: '2026-11-17', planned: 12, max: 10, over: 2 },
    ],
    [
      'the workspace’s total, on its own day',
      rulesFor(
        TEN,
        { dailyQuota: 10, timezone: 'Pacific/Auckland' },
        { window: { sendingDays: [1, 2, 3, 4, 5], startHour: 9, endHour: 18, timezone: 'UTC' } },
      ),
      [grain(TEN + 2 * HOUR, 8), grain(TEN + 3 * HOUR, 8, { accountId: 'acc_2' })],
      { totals: new Map([['2026-11-17', 1]]) },
      { accountId: 'acc_2', limit: 'total', when: '2026-11-17', max: 10, over: 7 },
    ],
    [
      'spacing',
      rulesFor(TEN, { spacing: { minSeconds: 30, maxSeconds: 90 } }),
      [grain(TEN, 3)],
      { tooClose: [{ accountId: 'acc_1', action: 'email', at: TEN + 4_000 }] },
      { limit: 'spacing', when: '2026-11-16', over: 1, rows: [{ at: TEN + 4_000, count: 1 }] },
    ],
  ])('%s', (_, rules, planned, over, violation) => {
    const found = violationsOf(plan(rules, planned, over));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject(violation);
  });

  test('what is too close no longer counts against the day', () => {
    const tooClose = [{ accountId: 'acc_1', action: 'email' as const, at: TEN + 1 }];
    const found = violationsOf(plan(rulesFor(TEN), [grain(TEN, 21)], { tooClose }));
    expect(found.map(({ limit, over }) => [limit, over])).toEqual([['spacing', 1]]);
  });

  test('what is planned for accounts that are gone is nobody’s violation', () => {
    expect(violationsOf(plan(rulesFor(TEN), [grain(TEN, 99, { accountId: 'acc_9' })]))).toEqual([]);
  });

  test('windows that open between the quarters of an hour are counted by the minute', () => {
    expect(grainFor([rulesFor(TEN), limits('hour', 4)])).toBe(QUARTER);
    const hours = { 1: [['09:10', '12:00']] } as const;
    expect(grainFor([rulesFor(TEN), rulesFor(TEN, { hours })])).toBe(60_000);
  });

  test('a plan of the ledger has none; any plan has none once what was named is gone', () => {
    const wild = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.nat(14 * DAY)), { maxLength: 80 });
    fc.assert(
      fc.property(worlds, wild, fc.boolean(), (world, wanted, byLedger) => {
        const rules = rulesOf(world.workspace, world.account, world.now);
        const ledger = new Ledger(rules, 1, world, new Totals(rules));
        const planned = wanted.flatMap(([action, later]): Placed[] => {
          const instant = byLedger ? ledger.place(action) : world.now + later;
          return instant === undefined ? [] : [{ action, instant }];
        });
        const grainMs = grainFor([rules]);
        const grains = new Map<string, PlannedGrain>();
        for (const { action, instant } of planned) {
          const at = Math.floor(instant / grainMs) * grainMs;
          const known = grains.get(`${action} ${at}`) ?? grain(at, 0, { action });
          grains.set(`${action} ${at}`, { ...known, count: known.count + 1 });
        }
        const accounts = new Map([['acc_1', { rules, taken: world.taken }]]);
        const facts = { now: world.now, grainMs, accounts, totals: new Map<string, number>(), tooClose: [] };
        const found = violationsOf({ ...facts, planned: [...grains.values()] });
        if (byLedger) expect(found).toEqual([]);

        const kept = planned.toSorted((one, other) => one.instant - other.instant);
        for (const { action, rows } of found) {
          for (const { at, count } of rows) {
            for (let row = 0; row < count; row++) {
              const last = kept.findLastIndex(
                (each) => each.action === action && Math.floor(each.instant / grainMs) * grainMs === at,
              );
              expect(last).toBeGreaterThanOrEqual(0);
              kept.splice(last, 1);
            }
          }
        }
        const spacing = { minSeconds: 0, maxSeconds: 0 };
        const unspaced = { ...world, workspace: { ...world.workspace, spacing } };
        expect(faultsOf({ ...unspaced, taken: { ...world.taken, freeAt: 0 } }, kept)).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });
});

describe('where it would go', () => {
  test('to the first room from its own time on, with everything else as taken', () => {
    const rules = rulesFor(TEN);
    const [violation] = violationsOf(plan(rules, [grain(TEN, 23), grain(TEN + DAY, 18)]));
    const days = [
      { day: '2026-11-16', counts: { email: 20 } },
      { day: '2026-11-17', counts: { email: 18 } },
    ];
    const planning = { now: TEN, seed: 1, taken: { ...NOTHING_TAKEN, days } };
    expect(movesOf(violation!, new Ledger(rules, 1, planning, new Totals(rules)))).toEqual([
      { from: '2026-11-16', to: '2026-11-17', count: 2 },
      { from: '2026-11-16', to: '2026-11-18', count: 1 },
    ]);
  });

  test('nowhere, if nothing may leave any more', () => {
    const rules = rulesFor(TEN, {}, { dailyLimitEmails: 0 });
    const [violation] = violationsOf(plan(rules, [grain(TEN, 2)]));
    const ledger = new Ledger(rules, 1, { now: TEN, seed: 1, taken: NOTHING_TAKEN }, new Totals(rules));
    expect(movesOf(violation!, ledger)).toEqual([{ from: '2026-11-16', to: null, count: 2 }]);
  });
});
