import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  faultsOf,
  NIGHTS,
  rulesFor,
  wallClock,
  worlds,
  type Placed,
  type World,
} from '../../../test/sending-world.js';
import { ACTIONS, type Action } from '../message.js';
import { rulesOf } from '../rules.js';
import { dayOfLabel, labelOf } from '../zone.js';
import { Ledger, type Planning } from './ledger.js';
import { NOTHING_TAKEN, type Taken } from './taken.js';
import { Totals } from './totals.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 16);
const TEN = MONDAY + 10 * HOUR;

const ledgerOf = (
  rules: ReturnType<typeof rulesFor>,
  over: Partial<Planning> = {},
  totals = new Totals(rules),
) => new Ledger(rules, 1, { now: TEN, seed: 7, taken: NOTHING_TAKEN, ...over }, totals);

function ledgerIn(
  { now, seed, workspace, account, taken }: World,
  totalsTaken?: ReadonlyMap<string, number>,
) {
  const rules = rulesOf(workspace, account, now);
  return new Ledger(rules, 1, { now, seed, taken }, new Totals(rules, totalsTaken));
}

function placeAll(ledger: Ledger, actions: readonly Action[]): Placed[] {
  return actions.flatMap((action) => {
    const instant = ledger.place(action);
    return instant === undefined ? [] : [{ action, instant }];
  });
}

const times = (count: number, ledger: Ledger, action: Action = 'email') =>
  Array.from({ length: count }, () => ledger.place(action));
const iso = (instant: number | undefined) => instant !== undefined && new Date(instant).toISOString();

const manyActions = fc.array(fc.constantFrom(...ACTIONS), { minLength: 1, maxLength: 120 });

describe('wherever an account, its rules and the clocks of its zone lead', () => {
  test('nothing is placed outside the window, over a limit, too close or before now', () => {
    fc.assert(
      fc.property(worlds, manyActions, (world, actions) => {
        expect(faultsOf(world, placeAll(ledgerIn(world), actions))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('the same question has the same answer', () => {
    fc.assert(
      fc.property(worlds, manyActions, (world, actions) => {
        expect(placeAll(ledgerIn(world), actions)).toEqual(placeAll(ledgerIn(world), actions));
      }),
      { numRuns: 50 },
    );
  });

  test('a ledger made anew from what was placed goes on where the old one was', () => {
    fc.assert(
      fc.property(worlds, manyActions, manyActions, (world, before, after) => {
        const ledger = ledgerIn(world);
        const placed = placeAll(ledger, before);
        const { totals, ...taken } = takenBy(world, placed);
        const anew = ledgerIn({ ...world, taken: { ...world.taken, ...taken } }, totals);
        expect(placeAll(anew, after)).toEqual(placeAll(ledger, after));
      }),
      { numRuns: 100 },
    );
  });

  test('not before the day or the instant that is asked for', () => {
    const asks = fc.array(
      fc.tuple(fc.constantFrom(...ACTIONS), fc.integer({ min: -2, max: 20 }), fc.boolean()),
      {
        maxLength: 80,
      },
    );
    fc.assert(
      fc.property(worlds, asks, (world, wanted) => {
        const ledger = ledgerIn(world);
        const zone = world.account.window!.timezone;
        const placed: Placed[] = [];
        for (const [action, days, byDay] of wanted) {
          const earliest = world.now + days * DAY + 12_345_678;
          const date = wallClock(earliest, zone).date;
          const instant = ledger.place(action, byDay ? { day: dayOfLabel(date) } : { instant: earliest });
          if (instant === undefined) continue;
          if (byDay) expect(wallClock(instant, zone).date >= date).toBe(true);
          else expect(instant).toBeGreaterThanOrEqual(earliest);
          placed.push({ action, instant });
        }
        // What is placed after what had to come later may find an earlier day empty: ramp-up by days counts both.
        expect(faultsOf(world, placed)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('accounts do not disturb each other as long as the workspace has room', () => {
    fc.assert(
      fc.property(worlds, manyActions, (world, actions) => {
        const rules = rulesOf({ ...world.workspace, dailyQuota: 1_000_000 }, world.account, world.now);
        const [together, apart] = [new Totals(rules), new Totals(rules)];
        const make = (id: number, totals: Totals) => new Ledger(rules, id, world, totals);
        const [one, other] = [make(1, together), make(2, together)];
        const byTurns = actions.map((action) => [one.place(action), other.place(action)]);
        const [alone, then] = [make(1, apart), make(2, apart)];
        const first = actions.map((action) => alone.place(action));
        const second = actions.map((action) => then.place(action));
        expect(byTurns).toEqual(first.map((instant, at) => [instant, second[at]]));
      }),
      { numRuns: 50 },
    );
  });
});

/** As it would be read from rows. */
function takenBy({ now, workspace, account }: World, placed: readonly Placed[]) {
  const { zone } = rulesOf(workspace, account, now).calendar;
  const days = new Map<
    string,
    { day: string; counts: Partial<Record<Action, number>>; first: number; last: number }
  >();
  const hours = new Map<string, { hour: number; action: Action; count: number }>();
  const totals = new Map<string, number>();
  for (const { action, instant } of placed) {
    const label = labelOf(zone.dayOf(instant));
    const day = days.get(label) ?? { day: label, counts: {}, first: instant, last: instant };
    const counts = { ...day.counts, [action]: (day.counts[action] ?? 0) + 1 };
    const [first, last] = [Math.min(day.first, instant), Math.max(day.last, instant)];
    days.set(label, { day: label, counts, first, last });
    const hour = zone.hourOf(instant);
    const known = hours.get(`${action} ${hour}`) ?? { hour, action, count: 0 };
    hours.set(`${action} ${hour}`, { ...known, count: known.count + 1 });
    const total = wallClock(instant, workspace.timezone).date;
    totals.set(total, (totals.get(total) ?? 0) + 1);
  }
  return { days: [...days.values()], hours: [...hours.values()], totals };
}

describe('where a mail is placed', () => {
  test('one after the other, as far apart as was drawn', () => {
    const rules = rulesFor(TEN, { spacing: { minSeconds: 30, maxSeconds: 90 } });
    const instants = times(20, ledgerOf(rules)) as number[];
    expect(instants[0]! - TEN).toBeLessThanOrEqual(60_000);
    const gaps = instants.slice(1).map((instant, at) => instant - instants[at]!);
    for (const gap of gaps) expect(gap).toSatisfy((ms: number) => ms >= 30_000 && ms <= 90_000);
    expect(new Set(gaps).size).toBeGreaterThan(15);
  });

  test('what is late leaves on the stroke of the opening', () => {
    const rules = rulesFor(TEN, { spacing: { minSeconds: 30, maxSeconds: 90 } });
    expect(iso(ledgerOf(rules, { now: MONDAY, punctual: true }).place('email'))).toBe(
      '2026-11-16T09:00:00.000Z',
    );
  });

  test('what the day can no longer hold goes to the next, over the weekend if it must', () => {
    const rules = rulesFor(TEN, {}, { dailyLimitEmails: 2 });
    const days = times(12, ledgerOf(rules)).map((instant) => iso(instant).toString().slice(0, 10));
    expect(days.slice(8)).toEqual(['2026-11-20', '2026-11-20', '2026-11-23', '2026-11-23']);
  });

  test('a start that lies in the past is no burst: everything comes from now on, spaced', () => {
    const rules = rulesFor(TEN, { spacing: { minSeconds: 60, maxSeconds: 60 } });
    const ledger = ledgerOf(rules);
    const instants = Array.from(
      { length: 5 },
      () => ledger.place('email', { instant: TEN - 30 * DAY }) as number,
    );
    expect(instants).toEqual([0, 1, 2, 3, 4].map((turn) => TEN + turn * MINUTE));
  });

  test('the window is asked about the instant that is meant, not about now', () => {
    const rules = rulesFor(TEN);
    // Now is open; the instant that is asked for is not.
    expect(iso(ledgerOf(rules).place('email', { instant: MONDAY + 20 * HOUR }))).toBe(
      '2026-11-17T09:00:00.000Z',
    );
    // Now is shut; the instant that is asked for is open.
    const night = ledgerOf(rules, { now: MONDAY + 20 * HOUR });
    expect(iso(night.place('email', { instant: MONDAY + DAY + 15 * HOUR }))).toBe('2026-11-17T15:00:00.000Z');
  });

  test('who may not come before the evening does not take the day from the others', () => {
    const ledger = ledgerOf(rulesFor(TEN));
    expect(iso(ledger.place('email', { instant: MONDAY + 18 * HOUR }))).toBe('2026-11-17T09:00:00.000Z');
    expect(ledger.place('email')).toBe(TEN);
  });

  test('where a date is left and comes again, a day that is asked for is that day', () => {
    // St. John's went back at 00:01: a minute of the 7th, an hour of the 6th, and the 7th again.
    const now = Date.parse('2010-11-07T02:00:00Z');
    const allDay = { sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 0, endHour: 24 };
    const rules = rulesFor(now, {
      ...allDay,
      timezone: 'America/St_Johns',
      spacing: { minSeconds: 120, maxSeconds: 120 },
    });
    const ledger = ledgerOf(rules, { now });
    const instants = Array.from({ length: 3 }, () =>
      ledger.place('email', { day: dayOfLabel('2010-11-07') }),
    );
    expect(instants.map(iso)).toEqual([
      '2010-11-07T02:30:00.000Z',
      '2010-11-07T03:30:00.000Z',
      '2010-11-07T03:32:00.000Z',
    ]);
  });

  test('all accounts at their cap: the night passes, and each goes on the next morning', () => {
    const rules = rulesFor(TEN, {}, { dailyLimitEmails: 3 });
    const totals = new Totals(rules);
    const taken: Taken = { ...NOTHING_TAKEN, days: [{ day: '2026-11-16', counts: { email: 3 } }] };
    const next = [1, 2, 3, 4].map((id) =>
      new Ledger(rules, id, { now: TEN, seed: 7, taken }, totals).place('email'),
    );
    expect(next.map(iso)).toEqual(new Array(4).fill('2026-11-17T09:00:00.000Z'));
  });

  test('a mailbox whose zone was never set has the hours of its workspace', () => {
    const rules = rulesFor(TEN, { timezone: 'America/New_York' }, {});
    expect(iso(ledgerOf(rules, { now: MONDAY }).place('email'))).toBe('2026-11-16T14:00:00.000Z');
  });

  test('nothing leaves before the account is free again', () => {
    const taken = { ...NOTHING_TAKEN, freeAt: TEN + 5 * MINUTE };
    expect(ledgerOf(rulesFor(TEN), { taken }).place('email')).toBe(TEN + 5 * MINUTE);
  });

  test('what is placed comes after the last that is there', () => {
    const rules = rulesFor(TEN, { spacing: { minSeconds: 60, maxSeconds: 60 } });
    const days = [{ day: '2026-11-16', counts: { email: 4 }, last: TEN + 3 * HOUR }];
    expect(ledgerOf(rules, { taken: { ...NOTHING_TAKEN, days } }).place('email')).toBe(
      TEN + 3 * HOUR + MINUTE,
    );
  });

  test('spacing is shared by all actions and goes over midnight', () => {
    const allDay = { sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 0, endHour: 24 };
    const rules = rulesFor(
      TEN,
      { ...allDay, spacing: { minSeconds: 7_200, maxSeconds: 7_200 } },
      { type: 'linkedin', dailyLimitMessages: 1, dailyLimitInmails: 2 },
    );
    const ledger = ledgerOf(rules, { now: MONDAY + 21 * HOUR });
    const next = (action: Action) => iso(ledger.place(action));
    expect(next('message')).toBe('2026-11-16T21:00:00.000Z');
    expect(next('inmail')).toBe('2026-11-16T23:00:00.000Z');
    expect(next('message')).toBe('2026-11-17T01:00:00.000Z');
    // Between 23 and 1 o'clock there is no room for another.
    expect(next('inmail')).toBe('2026-11-17T03:00:00.000Z');
  });
});

describe('limits by period', () => {
  const limited = (period: 'hour' | 'week' | 'month', max: number) =>
    rulesFor(TEN, {}, { dailyLimitEmails: 5, limits: [{ action: 'email', period, max }] });
  const dates = (instants: (number | undefined)[]) =>
    instants.map((instant) => iso(instant).toString().slice(0, 10));

  test('an hour that is used up is followed by the next', () => {
    const instants = times(5, ledgerOf(limited('hour', 2)));
    expect(instants.map((instant) => new Date(instant!).getUTCHours())).toEqual([10, 10, 11, 11, 12]);
  });

  test('hours that are taken already count', () => {
    const taken = { ...NOTHING_TAKEN, hours: [{ hour: TEN, action: 'email' as const, count: 2 }] };
    expect(ledgerOf(limited('hour', 2), { taken }).place('email')).toBe(TEN + HOUR);
  });

  test('a week is Monday to Sunday, and what it has used before today counts', () => {
    const days = [{ day: '2026-11-16', counts: { email: 4 } }];
    const ledger = ledgerOf(limited('week', 6), { now: TEN + 2 * DAY, taken: { ...NOTHING_TAKEN, days } });
    expect(dates(times(3, ledger))).toEqual(['2026-11-18', '2026-11-18', '2026-11-23']);
  });

  test('a month that is used up is followed by the next', () => {
    const days = [{ day: '2026-11-02', counts: { email: 4 } }];
    const ledger = ledgerOf(limited('month', 6), { taken: { ...NOTHING_TAKEN, days } });
    expect(dates(times(3, ledger))).toEqual(['2026-11-16', '2026-11-16', '2026-12-01']);
  });

  test('a day that the whole workspace has used up ends with that day, wherever the account is', () => {
    const allDay = { sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 0, endHour: 24 };
    const rules = rulesFor(
      TEN,
      { timezone: 'America/New_York', dailyQuota: 2 },
      { window: { ...allDay, timezone: 'UTC' } },
    );
    const instants = times(3, ledgerOf(rules));
    expect(iso(instants[2])).toBe('2026-11-17T05:00:00.000Z');
  });
});

describe('ramp-up', () => {
  const rules = rulesFor(
    TEN,
    { rampUpEnabled: true, rampUp: { start: 2, step: 1 } },
    { dailyLimitEmails: 4 },
  );
  const perDay = (ledger: Ledger, count: number) => {
    const days = times(count, ledger).map((instant) => iso(instant).toString().slice(0, 10));
    return [...new Set(days)].map((day) => days.filter((each) => each === day).length);
  };

  test('each day with mail gives the next one more, up to the limit', () => {
    expect(perDay(ledgerOf(rules), 17)).toEqual([2, 3, 4, 4, 4]);
  });

  test('days on which mail has left count', () => {
    expect(perDay(ledgerOf(rules, { taken: { ...NOTHING_TAKEN, daysSent: 1 } }), 11)).toEqual([3, 4, 4]);
  });

  test('a day that was full has room again once an earlier one gets mail', () => {
    const ledger = ledgerOf(rules);
    const wednesday = { day: dayOfLabel('2026-11-18') };
    const on = (count: number) =>
      Array.from({ length: count }, () => iso(ledger.place('email', wednesday)).toString().slice(8, 10));
    expect(on(3)).toEqual(['18', '18', '19']);
    ledger.place('email');
    expect(on(2)).toEqual(['18', '19']);
  });
});

describe('what does not fit', () => {
  test('is an answer: an action that may never be done, a workspace with a quota of 0', () => {
    const never = ledgerOf(rulesFor(TEN, {}, { dailyLimitEmails: 0 }));
    expect(never.place('email')).toBeUndefined();
    expect(never.place('inmail')).toBeUndefined();
    expect(ledgerOf(rulesFor(TEN, { dailyQuota: 0 })).place('email')).toBeUndefined();
  });

  test('so is a window that never opens, and a time beyond all calendars', () => {
    expect(ledgerOf(rulesFor(TEN, { sendingDays: [] })).place('email')).toBeUndefined();
    const ledger = ledgerOf(rulesFor(TEN));
    expect(ledger.place('email', { day: dayOfLabel('2090-01-01') })).toBeUndefined();
    expect(ledger.place('email', { instant: Date.UTC(2090, 0) })).toBeUndefined();
    expect(ledger.place('email')).toBe(TEN);
  });

  test('a ledger fills up and ends, with every working day used', () => {
    const rules = rulesFor(TEN, {}, { dailyLimitEmails: 1 });
    const ledger = ledgerOf(rules);
    let count = 0;
    while (ledger.place('email') !== undefined) count++;
    expect(count).toBe(rules.calendar.days.length - (rules.calendar.place(TEN) >> 1));
    expect(ledger.place('email')).toBeUndefined();
  });
});

describe('nights on which clocks change', () => {
  test.each(NIGHTS)(
    '%s, from %s: a whole-day window is used from day to day without a fault',
    (timezone, at) => {
      const now = Date.parse(at);
      const world: World = {
        ...{ now, seed: 1, taken: NOTHING_TAKEN },
        workspace: {
          ...{ sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 0, endHour: 24, timezone, dailyQuota: 1_000 },
          ...{ rampUpEnabled: false, rampUp: { start: 1, step: 1 }, holidays: [] },
          spacing: { minSeconds: 1_200, maxSeconds: 1_200 },
        },
        account: {
          type: 'email',
          dailyLimitEmails: 500,
          limits: [{ action: 'email', period: 'hour', max: 3 }],
        },
      };
      const placed = placeAll(ledgerIn(world), new Array<Action>(300).fill('email'));
      expect(faultsOf(world, placed)).toEqual([]);
      // Every 20 minutes one, through all of it: no slot is lost.
      expect(placed.at(-1)!.instant - placed[0]!.instant).toBe(299 * 20 * MINUTE);
    },
  );
});
