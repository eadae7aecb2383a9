import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, test } from 'vitest';
import { Calendar } from '#pillarbox/core/calendar';
import { openHours } from '#pillarbox/core/day-hours';
import { SENDING_DEFAULTS, type SendingWindow } from '#pillarbox/core/sending';
import { dayOfLabel, labelOf, zoneNamed } from '#pillarbox/core/zone';

/**
 * Zones and calendars against Temporal: in every zone that there is, around every change of clocks, at edges of windows and
 * anywhere else. In these years Apia skips a date, St. John's changes at 00:01, Lord Howe by half an hour, Casablanca
 * around Ramadan, and Beirut, Cairo, Havana and Santiago have days without a midnight.
 */
const YEARS = [
  ['2010-06-01', '2012-02-01'],
  ['2026-01-01', '2027-06-01'],
] as const;
const ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])];
const CONTINENTS = [...new Set(ZONES.map(continentOf))];
const HOUR_MS = 3_600_000;
const DAY_MINUTES = 1_440;

function continentOf(zone: string): string {
  return zone.split('/')[0]!;
}

const clock = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0')).join(':');

const intervals = fc
  .uniqueArray(fc.integer({ min: 0, max: DAY_MINUTES }), { minLength: 2, maxLength: 6 })
  .map((minutes) => {
    const sorted = minutes.sort((a, b) => a - b);
    return Array.from({ length: sorted.length >> 1 }, (_, n): [string, string] => [
      clock(sorted[2 * n]!),
      clock(sorted[2 * n + 1]!),
    ]);
  });
const fine = fc.record(
  { 1: intervals, 2: intervals, 3: intervals, 4: intervals, 5: intervals, 6: intervals, 7: intervals },
  { requiredKeys: ['7'] },
);
const whole = fc.record({
  sendingDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
  startHour: fc.integer({ min: 0, max: 23 }),
  endHour: fc.integer({ min: 1, max: 24 }),
});
const windows = fc
  .tuple(whole, fc.option(fine, { nil: undefined }))
  .filter(([{ startHour, endHour }]) => startHour < endHour)
  .map(([days, hours]): SendingWindow => ({ ...SENDING_DEFAULTS, ...days, ...(hours && { hours }) }));

/** Of what its zone says about an instant, by the words of the window alone. */
function isInside(
  window: SendingWindow,
  holidays: readonly string[],
  local: Temporal.ZonedDateTime,
): boolean {
  if (holidays.includes(local.toPlainDate().toString())) return false;
  const weekday = local.dayOfWeek as 1;
  if (!window.hours) {
    const { sendingDays, startHour, endHour } = window;
    return sendingDays.includes(weekday) && local.hour >= startHour && local.hour < endHour;
  }
  const now = clock(local.hour * 60 + local.minute);
  return (window.hours[weekday] ?? []).some(([opens, closes]) => opens <= now && now < closes);
}

/** As `expect` would, which takes longer than all that is asked here. */
function agree(what: string, ours: unknown, theirs: unknown): void {
  if (!Object.is(ours, theirs)) throw new Error(`${what}: ${String(ours)}, and not ${String(theirs)}`);
}

describe.each(CONTINENTS)('%s', (continent) => {
  test.each(YEARS)('its clocks and windows are as Temporal has them from %s to %s [F34]', (first, end) => {
    for (const name of ZONES.filter((zone) => continentOf(zone) === continent)) compare(name, first, end);
  });
});

/** Clocks that were gone through already, whatever zone they were found in. */
const known = new Set<string>();

/**
 * First the clocks themselves, change by change. What is built on them depends on nothing else, so zones whose clocks are
 * the same in these years, as most are with others, are gone through once.
 */
function compare(name: string, first: string, end: string): void {
  const zone = zoneNamed(name);
  const local = (t: number) => Temporal.Instant.fromEpochMilliseconds(t).toZonedDateTimeISO(name);
  const dateOf = (t: number) => local(t).toPlainDate().toString();
  const hourAt = (t: number) => {
    const { hour, offset } = local(t);
    return `${hour} ${offset}`;
  };
  const [from, to] = [zone.startOf(dayOfLabel(first)), zone.startOf(dayOfLabel(end))];
  const changes: number[] = [];
  for (
    let next = local(from).getTimeZoneTransition('next');
    next && next.epochMilliseconds < to;
    next = next.getTimeZoneTransition('next')
  ) {
    changes.push(next.epochMilliseconds);
  }

  const theirs = [from, ...changes].map((t) => [t, local(t).offsetNanoseconds / 1e6] as const);
  const ours = [...zone.spans(from, to)].map(({ begin, offset }) => [begin, offset] as const);
  const clocks = JSON.stringify(onlyChanges(theirs));
  agree(`clocks of ${name}`, JSON.stringify(onlyChanges(ours)), clocks);
  if (known.has(clocks)) return;
  known.add(clocks);

  const checkClock = (t: number): void => {
    const there = local(t);
    const date = there.toPlainDate().toString();
    agree('offset', zone.offsetAt(t), there.offsetNanoseconds / 1e6);
    const day = zone.dayOf(t);
    agree('day', labelOf(day), date);
    agree('start of the day', zone.startOf(day), there.startOfDay().epochMilliseconds);
    const dayEnd = zone.dayEnd(t);
    agree('the day is over at its end', dateOf(dayEnd) === date, false);
    for (const within of [dayEnd - 1, ...changes.filter((change) => change > t && change < dayEnd)]) {
      agree('day until its end', date, dateOf(within));
    }
    const shown = hourAt(t);
    const [hour, hourEnd] = [zone.hourOf(t), zone.hourEnd(t)];
    agree('the hour holds', hour <= t && t < hourEnd, true);
    agree('hour at its start', shown, hourAt(hour));
    agree('hour at its end', shown, hourAt(hourEnd - 1));
    agree('hour before it', shown === hourAt(hour - 1), false);
    agree('hour after it', shown === hourAt(hourEnd), false);
  };

  const around = fc.integer({ min: -3 * HOUR_MS, max: 3 * HOUR_MS });
  const anywhere = fc.integer({ min: 0, max: to - from - 1 }).map((ms) => from + ms);
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const holidays = fc.array(anywhere.map(dateOf), { maxLength: 10 });
  const scene = fc.record({
    ...{ window: windows, holidays, around, instants: fc.array(anywhere, { minLength: 3, maxLength: 3 }) },
    ...{ edges: fc.array(place, { minLength: 3, maxLength: 3 }), between: place },
  });
  const property = fc.property(scene, ({ window, holidays, around, instants, edges, between }) => {
    const calendar = new Calendar(zone, openHours(window), holidays, zone.dayOf(from), zone.dayOf(to));
    const truth = (t: number) => isInside(window, holidays, local(t));
    const checkWindow = (t: number): void => {
      const open = truth(t);
      agree('open', calendar.isOpen(t), open);
      const next = calendar.next(t);
      if (open) agree('next of what is open', next, t);
      const interval = calendar.interval(t);
      if (!interval) return agree('next without an interval', next, NaN);
      const { opensAt, closesAt, day } = interval;
      agree('next', next, Math.max(t, opensAt));
      for (const within of [opensAt, closesAt - 1]) {
        agree('day of the interval', labelOf(day), dateOf(within));
        agree('inside the interval', truth(within), true);
      }
      if (open) return;
      agree('open just before', truth(next - 1), false);
      agree('open before', truth(t + Math.floor(between * (next - t))), false);
    };
    const near = changes.flatMap((change) => [change - 1, change, change + around]);
    const atEdges = edges.flatMap((share) => {
      const edge = calendar.edges[Math.floor(share * calendar.edges.length)] ?? from + 1;
      return [edge - 1, edge];
    });
    for (const t of [...instants, ...near, ...atEdges].filter((each) => each >= from && each < to)) {
      try {
        checkClock(t);
        checkWindow(t);
      } catch (error) {
        throw new Error(`${name} at ${new Date(t).toISOString()}`, { cause: error });
      }
    }
  });
  // A few scenes for each of a hundred clocks.
  fc.assert(property, { numRuns: 2 });
}

/** Without those at which the offset stays what it was. */
const onlyChanges = (offsets: readonly (readonly [at: number, offset: number])[]) =>
  offsets.filter(([, offset], n) => n === 0 || offset !== offsets[n - 1]![1]);
