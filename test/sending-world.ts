import fc from 'fast-check';
import { ACTIONS, type Action } from '../src/core/message.js';
import { NOTHING_TAKEN, type Taken } from '../src/core/plan/taken.js';
import { rulesOf, type Rules } from '../src/core/rules.js';
import { SENDING_DEFAULTS, type AccountSending, type SendingSettings } from '../src/core/sending.js';

export type TestAccount = AccountSending & { readonly type: 'email' | 'linkedin' };

/** A workspace and an account of it, with what is taken already at an instant. */
export interface World {
  readonly now: number;
  readonly seed: number;
  readonly workspace: SendingSettings;
  readonly account: TestAccount;
  readonly taken: Taken;
}

/** Monday to Friday, 9 to 18 o'clock, with nothing that limits but what is said. */
export const aWorkspace = (over: Partial<SendingSettings> = {}): SendingSettings => ({
  ...SENDING_DEFAULTS,
  dailyQuota: 1_000_000,
  spacing: { minSeconds: 0, maxSeconds: 0 },
  ...over,
});

export const rulesFor = (
  now: number,
  workspace: Partial<SendingSettings> = {},
  account: Partial<TestAccount> = {},
): Rules => rulesOf(aWorkspace(workspace), { type: 'email', ...account }, now);

/** Just before nights on which clocks change, a date is left out, or one comes twice. */
export const NIGHTS: readonly (readonly [zone: string, now: string])[] = [
  ['America/New_York', '2026-03-07T20:00:00Z'],
  ['America/New_York', '2026-10-31T20:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T06:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T06:00:00Z'],
  ['Pacific/Apia', '2011-12-29T12:00:00Z'],
  ['America/St_Johns', '2010-11-06T22:00:00Z'],
  ['Asia/Kathmandu', '2026-12-30T22:00:00Z'],
  ['UTC', '2026-11-27T15:00:00Z'],
];

const whole = (min: number, max: number) => fc.integer({ min, max });
const DAY_MS = 86_400_000;

const hours = fc.oneof(
  fc.constant(['00:00', '24:00'] as const),
  fc
    .tuple(whole(0, 20), whole(1, 3))
    .map(([from, long]) => [clock(from, 10), clock(from + long, 25)] as const),
);
const clock = (hour: number, minute: number) =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

const days = fc.uniqueArray(whole(1, 7), { minLength: 1, maxLength: 7 });
const window = fc.oneof(
  fc.record({ sendingDays: days, startHour: whole(0, 20), hoursLong: whole(1, 24) }).map((each) => ({
    ...each,
    endHour: Math.min(24, each.startHour + each.hoursLong),
  })),
  fc.constant({ sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 0, endHour: 24 }),
  fc.record({ monday: hours, every: hours }).map(({ monday, every }) => ({
    ...{ sendingDays: [1], startHour: 0, endHour: 24 },
    hours: { 1: [monday], 2: [every], 3: [every], 4: [every], 5: [every], 6: [every], 7: [every] },
  })),
);
const spacing = fc
  .tuple(fc.constantFrom(0, 1, 30, 360, 5_000, 86_400), whole(0, 900))
  .map(([minSeconds, more]) => ({ minSeconds, maxSeconds: Math.min(86_400, minSeconds + more) }));
const limit = fc.record({
  action: fc.constantFrom(...ACTIONS),
  period: fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const),
  max: whole(0, 40),
});

export const worlds: fc.Arbitrary<World> = fc
  .record({
    night: fc.constantFrom(...NIGHTS),
    later: whole(0, 3 * DAY_MS),
    house: fc.constantFrom('UTC', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu'),
    window,
    spacing,
    dailyQuota: fc.constantFrom(0, 3, 17, 1_000),
    type: fc.constantFrom('email' as const, 'linkedin' as const),
    daily: whole(0, 12),
    limits: fc.array(limit, { maxLength: 4 }),
    rampUp: fc.option(fc.record({ enabled: fc.constant(true), start: whole(1, 3), step: whole(0, 3) }), {
      nil: undefined,
    }),
    daysSent: whole(0, 3),
    freeAfter: whole(-DAY_MS, DAY_MS),
    seed: fc.nat(),
  })
  .map(({ night: [timezone, at], later, house, ...given }) => {
    const now = Date.parse(at) + later;
    return {
      now,
      seed: given.seed,
      workspace: aWorkspace({
        timezone: house,
        dailyQuota: given.dailyQuota,
        spacing: given.spacing,
        holidays: [new Date(now + 4 * DAY_MS).toISOString().slice(0, 10)],
      }),
      account: {
        type: given.type,
        ...{ dailyLimitEmails: given.daily, dailyLimitMessages: given.daily, dailyLimitInmails: 2 },
        limits: given.limits,
        window: { timezone, ...given.window },
        ...(given.rampUp && { rampUp: given.rampUp }),
      },
      taken: { ...NOTHING_TAKEN, daysSent: given.daysSent, freeAt: now + given.freeAfter },
    };
  });

/** What clocks of a zone show, asked from Intl and nobody else. */
export function wallClock(instant: number, timeZone: string) {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second, timeZoneName } = parts as Record<string, string>;
  const date = `${String(year)}-${String(month)}-${String(day)}`;
  const noon = Date.parse(`${date}T12:00:00Z`);
  const weekday = new Date(noon).getUTCDay() || 7;
  const monday = new Date(noon - (weekday - 1) * DAY_MS).toISOString().slice(0, 10);
  return {
    date,
    weekday,
    seconds: 3_600 * Number(hour) + 60 * Number(minute) + Number(second),
    hour: `${date} ${String(hour)} ${String(timeZoneName)}`,
    week: monday,
    month: date.slice(0, 7),
  };
}

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const;
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, ...parts, minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
      timeZoneName: 'longOffset',
    });
  formats.set(timeZone, known);
  return known;
}

export interface Placed {
  readonly action: Action;
  readonly instant: number;
}

/** Everything that is wrong with where mail was put, found without the code that put it there. */
export function faultsOf({ now, workspace, account, taken }: World, placed: readonly Placed[]): string[] {
  const faults: string[] = [];
  const rules = rulesOf(workspace, account, now);
  const zone = (account.window ?? workspace).timezone;
  const counts = new Map<string, number>();
  const daysWithMail = new Set<string>();
  const minMs = 1_000 * Math.max(workspace.spacing.minSeconds, account.spacing?.minSeconds ?? 0);
  let before = -Infinity;
  for (const { action, instant } of placed.toSorted((one, other) => one.instant - other.instant)) {
    const at = wallClock(instant, zone);
    const where = `${action} at ${new Date(instant).toISOString()}`;
    if (instant < now) faults.push(`${where}: before now`);
    if (instant < taken.freeAt) faults.push(`${where}: before the account is free`);
    if (!isInside(account.window ?? workspace, at)) faults.push(`${where}: outside the window`);
    if (workspace.holidays.includes(at.date)) faults.push(`${where}: on a holiday`);
    if (instant - before < minMs) faults.push(`${where}: too close`);
    before = instant;
    daysWithMail.add(at.date);
    const { day, week, month, hour } = rules.limits[action];
    const ramp = account.rampUp?.enabled ? account.rampUp : undefined;
    const earlier = [...daysWithMail].filter((date) => date < at.date).length;
    const ramped = ramp ? ramp.start + ramp.step * (taken.daysSent + earlier) : Infinity;
    const house = wallClock(instant, workspace.timezone).date;
    for (const [name, most] of [
      [`${action} hour ${at.hour}`, hour],
      [`${action} day ${at.date}`, Math.min(day, ramped)],
      [`${action} week ${at.week}`, week],
      [`${action} month ${at.month}`, month],
      [`total ${house}`, workspace.dailyQuota],
    ] as const) {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      if (count > most) faults.push(`${where}: ${String(count)} of ${String(most)}, ${name}`);
    }
  }
  return faults;
}

function isInside(window: NonNullable<TestAccount['window']>, at: ReturnType<typeof wallClock>): boolean {
  if (!window.hours) {
    const open = at.seconds >= 3_600 * window.startHour && at.seconds < 3_600 * window.endHour;
    return open && window.sendingDays.includes(at.weekday);
  }
  const seconds = (text: string) => 3_600 * Number(text.slice(0, 2)) + 60 * Number(text.slice(3));
  const pieces = window.hours[at.weekday as 1] ?? [];
  return pieces.some(([opens, closes]) => at.seconds >= seconds(opens) && at.seconds < seconds(closes));
}
