import { Calendar } from '#pillarbox/core/calendar';
import { openHours } from '#pillarbox/core/day-hours';
import type { Action, AttemptOutcome } from '#pillarbox/core/message';
import { monthOf, weekOf } from '#pillarbox/core/opening';
import type { RampUp, SendingWindow } from '#pillarbox/core/sending';
import { dayOfLabel, labelOf, Zone } from '#pillarbox/core/zone';
import { grouped } from '../crash/census.js';

/** What an account may do of each of its actions. */
export interface Limits {
  readonly hour?: number;
  readonly day: number;
  readonly week?: number;
  readonly month?: number;
}

/** An account as it was meant to be: what the judge goes by, whatever the store has made of it. */
export interface Sender {
  readonly id: number;
  readonly house: number;
  readonly zone: string;
  readonly window: Omit<SendingWindow, 'timezone'>;
  readonly holidays: readonly string[];
  readonly actions: readonly Action[];
  readonly limits: Limits;
  readonly rampUp: RampUp | undefined;
  readonly spacingMs: number;
}

/** A workspace: what all its accounts have together, by its own days. */
export interface House {
  readonly id: number;
  readonly zone: string;
  readonly dailyQuota: number;
}

/** A mail as the far side saw it, at virtual instants: between two of them, as far as clocks can be told apart. */
export interface Left {
  readonly to: string;
  readonly sender: number;
  readonly action: Action;
  /** Its gate can't have been passed before. */
  readonly asked: number;
  readonly earliest: number;
  readonly latest: number;
}

/** A try as the store has noted it. It is believed only where the wire vouches for it. */
export interface Try {
  readonly to: string;
  readonly sender: number;
  readonly outcome: AttemptOutcome;
  readonly handedAt: number | null;
  readonly finishedAt: number;
}

export interface Evidence {
  readonly senders: readonly Sender[];
  readonly houses: readonly House[];
  readonly left: readonly Left[];
  readonly tries: readonly Try[];
}

/** Each list is of sentences; none is what a guard promises. */
export interface Findings {
  /** Left while the window of its account was shut. */
  readonly outside: readonly string[];
  /** More than an hour, day, week, month, ramp-up or workspace allows. */
  readonly over: readonly string[];
  /** Left sooner after another of its account than its spacing. */
  readonly close: readonly string[];
  /** The store says that it left, and at that time nothing did. */
  readonly unvouched: readonly string[];
}

/** A mail that left, and when its gate let it: at an instant, or somewhere between two. */
interface Passed extends Left {
  readonly from: number;
  readonly until: number;
  /** Its answer came back: nobody could have gone on before it was there. */
  readonly answered: boolean;
}

const at = (instant: number): string => new Date(instant).toISOString();

/** Judges a run from what the far side saw, with calendars made for it alone. */
export function judge({ senders, houses, left, tries }: Evidence): Findings {
  const outside: string[] = [];
  const close: string[] = [];
  const { passed, unvouched } = vouchedFor(left, tries);
  const bySender = grouped(passed, ({ sender }) => sender);
  const over = senders.flatMap((sender) =>
    overLimits(sender, bySender.get(sender.id) ?? [], daysOfDoubts(sender, left, tries)),
  );
  for (const sender of senders) {
    const own = bySender.get(sender.id) ?? [];
    if (own.length === 0) continue;
    const calendar = calendarOf(sender, own);
    for (const { to, from, until } of own) {
      // Some instant between the two is inside; for most there is only one.
      if (!(calendar.next(from) <= until)) outside.push(`${to} at ${at(from)}`);
    }
    close.push(...tooClose(sender, own));
  }
  for (const house of houses) {
    const zone = new Zone(house.zone);
    const members = new Set(senders.filter((each) => each.house === house.id).map(({ id }) => id));
    const own = passed.filter(({ sender }) => members.has(sender));
    for (const [day, n] of certain(own, (t) => labelOf(zone.dayOf(t))))
      if (n > house.dailyQuota) over.push(`house ${house.id} on ${day}: ${n} of ${house.dailyQuota}`);
  }
  return { outside, over, close, unvouched };
}

/**
 * A success has its exact instant from the store, if something did leave between being asked for and arriving. What left
 * after its lease was given up is nobody's promise: a worker that stood still between gate and dot.
 */
function vouchedFor(
  left: readonly Left[],
  tries: readonly Try[],
): { passed: readonly Passed[]; unvouched: readonly string[] } {
  const triesOf = grouped(tries, ({ to }) => to);
  const unvouched: string[] = [];
  const passed: Passed[] = [];
  for (const [to, copies] of grouped(left, (each) => each.to)) {
    const open = new Set(copies);
    for (const { handedAt } of (triesOf.get(to) ?? []).filter(({ outcome }) => outcome === 'success')) {
      const copy = copies.find(
        (each) => open.has(each) && handedAt !== null && each.asked <= handedAt && handedAt <= each.latest,
      );
      if (!copy || handedAt === null) {
        unvouched.push(`${to} at ${handedAt === null ? 'no time' : at(handedAt)}`);
        continue;
      }
      open.delete(copy);
      passed.push({ ...copy, from: handedAt, until: handedAt, answered: true });
    }
    for (const copy of open) {
      const givenUp = (triesOf.get(to) ?? []).some(
        ({ outcome, finishedAt }) => outcome === 'in_doubt' && finishedAt < copy.earliest,
      );
      if (!givenUp) passed.push({ ...copy, from: copy.asked, until: copy.latest, answered: false });
    }
  }
  for (const { to, outcome, handedAt } of tries) {
    if (outcome === 'success' && !left.some((each) => each.to === to))
      unvouched.push(`${to} at ${handedAt === null ? 'no time' : at(handedAt)}`);
  }
  return { passed, unvouched };
}

/** What may have left has made its day one on which the account has sent. */
function daysOfDoubts(sender: Sender, left: readonly Left[], tries: readonly Try[]): ReadonlySet<string> {
  const zone = new Zone(sender.zone);
  const doubts = tries.filter((each) => each.sender === sender.id && each.outcome === 'in_doubt');
  const instants = [
    ...doubts.flatMap(({ handedAt, finishedAt }) => [handedAt ?? finishedAt, finishedAt]),
    ...left.filter((each) => each.sender === sender.id).flatMap(({ asked, latest }) => [asked, latest]),
  ];
  return new Set(instants.map((instant) => labelOf(zone.dayOf(instant))));
}

function overLimits(sender: Sender, own: readonly Passed[], sendingDays: ReadonlySet<string>): string[] {
  const zone = new Zone(sender.zone);
  const found: string[] = [];
  const dayOf = (t: number) => labelOf(zone.dayOf(t));
  const periods = {
    hour: (t: number) => at(zone.hourOf(t)),
    day: dayOf,
    week: (t: number) => weekOf(dayOf(t))[0],
    month: (t: number) => monthOf(dayOf(t))[0],
  };
  for (const action of sender.actions) {
    const mails = own.filter((each) => each.action === action);
    for (const [period, nameOf] of Object.entries(periods) as [keyof Limits, (t: number) => string][]) {
      for (const [name, n] of certain(mails, nameOf)) {
        const ramp = period === 'day' ? rampOn(sender, name, sendingDays) : Infinity;
        const max = Math.min(sender.limits[period] ?? Infinity, ramp);
        if (n > max) found.push(`a${sender.id} ${action} in the ${period} ${name}: ${n} of ${max}`);
      }
    }
  }
  return found;
}

const rampOn = ({ rampUp }: Sender, day: string, sendingDays: Iterable<string>): number =>
  rampUp ? rampUp.start + rampUp.step * [...sendingDays].filter((each) => each < day).length : Infinity;

/** How many left in each period for certain: whoever may have left in either of two is in none. */
function certain(mails: readonly Passed[], nameOf: (t: number) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { from, until } of mails) {
    const name = nameOf(from);
    if (from === until || nameOf(until) === name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** By when each left, over all actions. What was not answered left at some time since it was asked for. */
function tooClose({ id, spacingMs }: Sender, own: readonly Passed[]): string[] {
  const since = ({ answered, earliest, asked }: Passed) => (answered ? earliest : asked);
  const inOrder = [...own].sort((one, other) => since(one) - since(other));
  return inOrder.flatMap((mail, n) => {
    const before = inOrder[n - 1];
    const gap = before ? mail.latest - since(before) : Infinity;
    return gap < spacingMs ? [`a${id}: ${mail.to} ${gap} ms after ${before!.to} at ${at(mail.latest)}`] : [];
  });
}

function calendarOf(
  { zone, window, holidays }: Sender,
  own: readonly Pick<Left, 'asked' | 'latest'>[],
): Calendar {
  const clocks = new Zone(zone);
  const [first, last] = [
    Math.min(...own.map(({ asked }) => asked)),
    Math.max(...own.map(({ latest }) => latest)),
  ].map((t) => clocks.dayOf(t)) as [number, number];
  return new Calendar(clocks, openHours({ ...window, timezone: zone }), holidays, first - 1, last + 8);
}

/**
 * Days that had room for more, although enough was waiting: of each account whose workspace has plenty, and of each
 * workspace that has not. Only days are asked about whose windows lie wholly inside the run.
 */
export function unused(
  { senders, houses, left, tries }: Evidence,
  run: { readonly from: number; readonly until: number },
): string[] {
  const { passed } = vouchedFor(left, tries);
  const found: string[] = [];
  for (const sender of senders) {
    if (houses.find(({ id }) => id === sender.house)!.dailyQuota <= BINDING) continue;
    const own = passed.filter((each) => each.sender === sender.id);
    for (const action of sender.actions) found.push(...unusedDays(sender, action, own, run));
  }
  for (const house of houses.filter(({ dailyQuota }) => dailyQuota <= BINDING)) {
    const zone = new Zone(house.zone);
    const members = new Set(senders.filter((each) => each.house === house.id).map(({ id }) => id));
    const own = passed.filter(({ sender }) => members.has(sender));
    for (let day = zone.dayOf(run.from) + 1; zone.startOf(day + 1) <= run.until; day += 1) {
      const n = own.filter(({ from }) => zone.dayOf(from) === day).length;
      if (n < house.dailyQuota)
        found.push(`house ${house.id} on ${labelOf(day)}: ${n} of ${house.dailyQuota}`);
    }
  }
  return found;
}

/** What a workspace may be given and still bind its accounts. */
const BINDING = 1_000;

function unusedDays(
  sender: Sender,
  action: Action,
  own: readonly Passed[],
  run: { readonly from: number; readonly until: number },
): string[] {
  const calendar = calendarOf(sender, [{ asked: run.from, latest: run.until }]);
  const { zone } = calendar;
  const sendingDays = new Set(own.map(({ from }) => labelOf(zone.dayOf(from))));
  const mails = own.filter((each) => each.action === action);
  const countIn = ([first, last]: readonly [string, string]) =>
    mails.filter(({ from }) => {
      const day = labelOf(zone.dayOf(from));
      return day >= first && day <= last;
    }).length;
  return [...new Set(calendar.days)].flatMap((day) => {
    const pieces = [...calendar.days.keys()].filter((n) => calendar.days[n] === day);
    const [opens, closes] = [calendar.edges[2 * pieces[0]!]!, calendar.edges[2 * pieces.at(-1)! + 1]!];
    if (opens < run.from || closes > run.until) return [];
    const label = labelOf(day);
    const { limits } = sender;
    const before = labelOf(dayOfLabel(label) - 1);
    const max = Math.min(
      limits.day,
      rampOn(sender, label, sendingDays),
      (limits.week ?? Infinity) - countIn([weekOf(label)[0], before]),
      (limits.month ?? Infinity) - countIn([monthOf(label)[0], before]),
      limits.hour === undefined ? Infinity : limits.hour * hoursIn(calendar, pieces),
    );
    const n = countIn([label, label]);
    return n < max ? [`a${sender.id} ${action} on ${label}: ${n} of ${max}`] : [];
  });
}

/** How many hours of the clock a day's window touches; one that is shown twice is two. */
function hoursIn({ zone, edges }: Calendar, pieces: readonly number[]): number {
  const hours = new Set<number>();
  for (const piece of pieces) {
    for (let t = edges[2 * piece]!; t < edges[2 * piece + 1]!; t = zone.hourEnd(t)) hours.add(zone.hourOf(t));
  }
  return hours.size;
}
