import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultsOf, rulesFor, wallClock, worlds, type Placed } from '../../../test/sending-world.js';
import { ACTIONS } from '../message.js';
import { rulesOf } from '../rules.js';
import { dayOfLabel, labelOf } from '../zone.js';
import { windowSlots } from './account-slots.js';
import { turnsOf } from './dealing.js';
import { FirstFit, type Bounds, type Person, type SendingAccount, type Step } from './first-fit.js';
import { Ledger } from './ledger.js';
import { DayRoom } from './room.js';
import { NOTHING_TAKEN } from './taken.js';
import { Totals } from './totals.js';

const HOUR = 3_600_000;
/** A Monday, before the window opens. */
const MONDAY = Date.UTC(2026, 10, 16);

function planner(
  accounts: number,
  steps: readonly Step[],
  rules: ReturnType<typeof rulesFor>,
  now = MONDAY,
  bounds: Bounds = { deal: 'roundRobin' },
) {
  const totals = new Totals(rules);
  const planning = { now, seed: 3, taken: NOTHING_TAKEN };
  const all = Array.from({ length: accounts }, (_, id) =>
    anAccount(id, new Ledger(rules, id, planning, totals)),
  );
  return new FirstFit(all, steps, bounds);
}

/** One that can do everything that is asked of it. */
const anAccount = (id: number, ledger: Ledger, capacity = 20): SendingAccount => ({
  ...{ id, type: 'email', slots: windowSlots(ledger), capacity },
});
/** The same account under both kinds: whatever it may do, it is asked for. */
const kinds = (ledger: Ledger): SendingAccount[] =>
  (['email', 'linkedin'] as const).map((type, id) => ({ ...anAccount(id, ledger), type }));
const person = (position: number): Person => ({ position, reachable: ACTIONS });
const instantsOf = (plan: FirstFit, position: number): number[] =>
  plan.place(person(position)).placed.map(({ at }) => at);
const date = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const twoSteps: Step[] = [
  { action: 'email', delayDays: 0 },
  { action: 'email', delayDays: 2 },
];

describe('people in their order', () => {
  test('each is placed wholly, steps after their delay in local dates, whatever the hour', () => {
    const late = planner(1, twoSteps, rulesFor(MONDAY), MONDAY + 17.9 * HOUR);
    expect(instantsOf(late, 0).map((at) => new Date(at).toISOString())).toEqual([
      '2026-11-16T17:54:00.000Z',
      '2026-11-18T09:00:00.000Z',
    ]);
  });

  test('a follow-up has the first right to its day, new people get the rest', () => {
    const plan = planner(1, twoSteps, rulesFor(MONDAY, {}, { dailyLimitEmails: 2 }));
    const days = Array.from({ length: 5 }, (_, position) => instantsOf(plan, position).map(date));
    expect(days).toEqual([
      ['2026-11-16', '2026-11-18'],
      ['2026-11-16', '2026-11-18'],
      ['2026-11-17', '2026-11-19'],
      ['2026-11-17', '2026-11-19'],
      ['2026-11-20', '2026-11-23'],
    ]);
  });

  test('accounts take turns', () => {
    const plan = planner(
      3,
      [{ action: 'email', delayDays: 0 }],
      rulesFor(MONDAY, {}, { dailyLimitEmails: 1 }),
    );
    const days = Array.from({ length: 6 }, (_, position) => date(instantsOf(plan, position)[0]!));
    expect(days).toEqual([
      ...new Array<string>(3).fill('2026-11-16'),
      ...new Array<string>(3).fill('2026-11-17'),
    ]);
  });

  test('what does not fit is told, and nothing is placed where there is no account', () => {
    const rules = rulesFor(MONDAY);
    const far: Step[] = [...twoSteps, { action: 'email', delayDays: 9_999 }];
    expect(planner(1, far, rules).place(person(0))).toMatchObject({ late: 0, homeless: 1 });
    const none = rulesFor(MONDAY, {}, { dailyLimitEmails: 0 });
    expect(planner(1, twoSteps, none).place(person(0))).toEqual({ placed: [], late: 0, homeless: 2 });
    expect(planner(0, twoSteps, rules).place(person(0))).toEqual({ placed: [], late: 0, homeless: 0 });
  });

  test('delays are local dates, days on which the window opens, or hours', () => {
    const steps: Step[] = [
      { action: 'email', delayDays: 0 },
      { action: 'email', delayDays: 4, delayUnit: 'sendingDays' },
      { action: 'email', delayDays: 2, delayUnit: 'hours' },
      { action: 'email', delayDays: 4, delayUnit: 'days' },
    ];
    const [first, second, third, last] = instantsOf(
      planner(1, steps, rulesFor(MONDAY, { sendingDays: [1, 2, 3, 4, 5] })),
      0,
    );
    expect([first, second, last].map((at) => date(at!))).toEqual(['2026-11-16', '2026-11-20', '2026-11-24']);
    expect(third! - second!).toBeGreaterThanOrEqual(2 * HOUR);
    expect(date(third!)).toBe('2026-11-20');
  });

  test('a step that somebody can’t get is passed over, and the next counts from when it was due', () => {
    const steps: Step[] = [
      twoSteps[0]!,
      { action: 'message', delayDays: 3 },
      { action: 'email', delayDays: 2 },
    ];
    const plan = planner(1, steps, rulesFor(MONDAY, { sendingDays: [1, 2, 3, 4, 5, 6, 7] }));
    const { placed } = plan.place({ position: 0, reachable: ['email'] });
    expect(placed.map(({ step, first, at }) => [step, first, date(at)])).toEqual([
      [0, true, '2026-11-16'],
      [2, false, '2026-11-21'],
    ]);
  });

  test('nothing is planned before the start, nor from the end on', () => {
    const startAt = Date.UTC(2026, 10, 18, 12);
    const bounds: Bounds = { deal: 'roundRobin', startAt, endAt: Date.UTC(2026, 10, 20) };
    const plan = planner(1, twoSteps, rulesFor(MONDAY), MONDAY, bounds);
    const { placed, late } = plan.place(person(0));
    expect(placed).toHaveLength(1);
    expect(placed[0]!.at).toBeGreaterThanOrEqual(startAt);
    expect(late).toBe(1);
  });

  test('a campaign’s own limits hold beside those of its accounts', () => {
    const rules = rulesFor(MONDAY, { sendingDays: [1, 2, 3, 4, 5, 6, 7] });
    const bounds: Bounds = {
      deal: 'roundRobin',
      startAt: MONDAY,
      rooms: [new DayRoom(rules.house, 3)],
      newRooms: [new DayRoom(rules.house, 2)],
    };
    const plan = planner(2, twoSteps, rules, MONDAY, bounds);
    const days = new Map<string, { all: number; fresh: number }>();
    for (let position = 0; position < 20; position += 1) {
      for (const { at, first } of plan.place(person(position)).placed) {
        const day = days.get(date(at)) ?? { all: 0, fresh: 0 };
        days.set(date(at), { all: day.all + 1, fresh: day.fresh + (first ? 1 : 0) });
      }
    }
    for (const { all, fresh } of days.values()) expect([all <= 3, fresh <= 2]).toEqual([true, true]);
    expect([...days.values()].reduce((sum, { all }) => sum + all, 0)).toBe(40);
  });

  test('new people come first where that is asked for', () => {
    const rules = rulesFor(MONDAY, { sendingDays: [1, 2, 3, 4, 5, 6, 7] }, { dailyLimitEmails: 2 });
    const plan = planner(1, twoSteps, rules);
    plan.reserveNew([0, 1, 2, 3, 4, 5]);
    const firsts = Array.from({ length: 6 }, (_, position) => date(instantsOf(plan, position)[0]!));
    expect(firsts).toEqual([
      ...['2026-11-16', '2026-11-16', '2026-11-17', '2026-11-17', '2026-11-18', '2026-11-18'],
    ]);
  });

  test('each account gets as many as its day holds where that is asked for', () => {
    expect(turnsOf([10, 30], 'capacity').filter((account) => account === 1)).toHaveLength(30);
    expect(turnsOf([1, 3], 'capacity')).toEqual([1, 0, 1, 1]);
    expect(turnsOf([0, 0], 'capacity')).toEqual([0, 1]);
    expect(turnsOf([100_000, 300_000], 'capacity')).toHaveLength(1_000);
  });

  test('what was halted comes again not before its day, nor before its delay after the real send', () => {
    const plan = planner(1, twoSteps, rulesFor(MONDAY, { sendingDays: [1, 2, 3, 4, 5, 6, 7] }));
    const row = (step: number, notBefore: number) => ({
      ...{ step, accountId: 0, notBefore, action: 'email' as const },
    });
    const dates = (slots: readonly ({ at: number } | undefined)[]) => slots.map((slot) => date(slot!.at));
    // Late: from now on, and the follow-up two days later.
    expect(dates(plan.replace([row(0, MONDAY - 9 * HOUR), row(1, MONDAY)], undefined))).toEqual([
      ...['2026-11-16', '2026-11-18'],
    ]);
    expect(dates(plan.replace([row(1, MONDAY)], MONDAY + 72 * HOUR))).toEqual(['2026-11-21']);
    expect(dates(plan.replace([row(0, MONDAY + 240 * HOUR)], undefined))).toEqual(['2026-11-26']);
  });

  test('no rule is broken and no step comes early, and a second run is the same', () => {
    const step = fc.record({
      action: fc.constantFrom(...ACTIONS),
      delayDays: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(worlds, fc.array(step, { minLength: 1, maxLength: 4 }), (world, steps) => {
        const rules = rulesOf(world.workspace, world.account, world.now);
        const run = () => {
          const plan = new FirstFit(kinds(new Ledger(rules, 1, world, new Totals(rules))), steps);
          return Array.from({ length: 30 }, (_, position) => {
            const { placed, homeless } = plan.place(person(position));
            return homeless > 0 ? undefined : placed.map(({ at }) => at);
          });
        };
        const people = run();
        expect(run()).toEqual(people);
        const placed: Placed[] = [];
        for (const instants of people) {
          for (const [at, instant] of (instants ?? []).entries()) {
            placed.push({ action: steps[at]!.action, instant });
            if (at === 0) continue;
            const local = (each: number) => wallClock(each, world.account.window!.timezone).date;
            const earliest = labelOf(dayOfLabel(local(instants![at - 1]!)) + steps[at]!.delayDays);
            expect(local(instant) >= earliest).toBe(true);
          }
        }
        const whole = people.every((instants) => instants !== undefined);
        // Whoever did not fit has left gaps in what ramp-up counts.
        if (whole || !world.account.rampUp) expect(faultsOf(world, placed)).toEqual([]);
      }),
      { numRuns: 75 },
    );
  });
});
