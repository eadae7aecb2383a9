import type { Calendar } from '../calendar.js';
import { ACTIONS, type Action } from '../message.js';
import type { Rules } from '../rules.js';
import { countUpTo, dayOfLabel } from '../zone.js';
import { Book } from './book.js';
import { drawn } from './draw.js';
import type { Earliest, Planning } from './ledger.js';
import { Passing } from './passing.js';
import type { Room } from './room.js';
import { hasMail } from './taken.js';

/** Further than calendars reach. */
const DAYS = 8 * 366;

/** Of each action: what is taken, and the days on which it has used up what it may. */
type ActionBooks = Readonly<Record<Action, { readonly book: Book; readonly full: Passing }>>;

export interface OwnSlot {
  readonly at: number;
  /** When the recipient's window shuts that it lies in. */
  readonly closesAt: number;
}

/**
 * One account's days for mail that leaves in its recipients' windows: its limits, ramp-up and spacing hold, its own window
 * does not. People of many zones do not come in the order of the day, so its instants are kept, and each takes the first
 * gap that is wide enough on both sides.
 */
export class OwnSlots {
  readonly #rules: Rules;
  readonly #account: number;
  readonly #seed: number;
  readonly #totals: Room;
  readonly #notBefore: number;
  readonly #today: number;
  readonly #daysSent: number;
  readonly #books: ActionBooks;
  /** By local day: its instants, in order; and the days with mail. */
  readonly #instants = new Map<number, number[]>();
  readonly #mailDays = new Set<number>();

  /** `instants`: all that wait for a time to come, over all actions. Their counts are part of what is taken. */
  constructor(
    rules: Rules,
    account: number,
    { now, seed, taken }: Planning,
    totals: Room,
    instants: Iterable<number> = [],
  ) {
    this.#rules = rules;
    this.#account = account;
    this.#seed = seed;
    this.#totals = totals;
    this.#notBefore = Math.max(now, taken.freeAt);
    this.#today = rules.calendar.zone.dayOf(now);
    this.#daysSent = taken.daysSent;
    this.#books = Object.fromEntries(
      ACTIONS.map((action) => [action, { book: new Book(rules, action), full: new Passing(DAYS) }]),
    ) as ActionBooks;
    for (const day of taken.days) {
      const number = dayOfLabel(day.day);
      for (const action of ACTIONS) this.#books[action].book.takeDay(number, day.counts[action] ?? 0);
      if (number >= this.#today && hasMail(day)) this.#mailDays.add(number);
    }
    for (const { hour, action, count } of taken.hours) this.#books[action].book.takeHour(hour, count);
    for (const instant of instants) this.#keep(instant);
  }

  /** The first gap from there on inside the recipient's window. Undefined: there is none in the years that are known. */
  place(
    action: Action,
    window: Calendar,
    { day, instant = -Infinity }: Earliest = {},
    rooms: readonly Room[] = [],
  ): OwnSlot | undefined {
    const { zone } = this.#rules.calendar;
    const begins = day === undefined || day === -Infinity ? -Infinity : zone.startOf(day);
    let from = Math.max(this.#notBefore, instant, begins);
    for (;;) {
      const interval = window.interval(from);
      if (!interval || !Number.isFinite(from)) return undefined;
      const at = this.#within(action, Math.max(from, interval.opensAt), interval.closesAt, rooms);
      if (at.found) {
        this.#take(action, at.instant, rooms);
        return { at: at.instant, closesAt: interval.closesAt };
      }
      from = Math.max(interval.closesAt, at.instant);
    }
  }

  dayOf(instant: number): number {
    return this.#rules.calendar.zone.dayOf(instant);
  }

  sendingDayAfter(day: number, count: number): number {
    const { calendar } = this.#rules;
    let found = day;
    for (let left = count; left > 0; left -= 1) {
      const next = calendar.interval(calendar.zone.startOf(found + 1));
      if (!next) return Infinity;
      found = next.day;
    }
    return found;
  }

  /** The first instant of an interval that is free; not found: from when on to look further. */
  #within(
    action: Action,
    from: number,
    closesAt: number,
    rooms: readonly Room[],
  ): { readonly found: boolean; readonly instant: number } {
    const { book, full } = this.#books[action];
    const { zone } = this.#rules.calendar;
    let at = from;
    let drawnFor: number | undefined;
    while (at < closesAt) {
      const day = zone.dayOf(at);
      if (!book.hasRoomOn(day, this.#daysBefore(day))) {
        full.shut(this.#place(day));
        at = zone.startOf(this.#today + full.from(this.#place(day)));
        continue;
      }
      const room = [this.#totals, ...rooms].find((each) => !each.hasRoomAt(at));
      if (room) {
        at = room.dayEnd(at);
        continue;
      }
      if (book.countsHours && !book.hasRoomInHour(zone.hourOf(at))) {
        at = zone.hourEnd(at);
        continue;
      }
      const luck = this.#luck(day);
      if (drawnFor !== day) {
        // Not everybody begins when the window opens; but no window is lost because its first gap is longer.
        drawnFor = day;
        const { minMs, maxMs } = this.#rules.spacing;
        at += Math.floor(luck * Math.min(maxMs - minMs, Math.max(0, closesAt - at)));
        continue;
      }
      const next = this.#free(at, luck);
      if (next === at) return { found: true, instant: at };
      at = next;
    }
    return { found: false, instant: at };
  }

  /** The instant itself if its neighbours are far enough, else the first behind the one that is too near. */
  #free(at: number, luck: number): number {
    const { minMs, maxMs } = this.#rules.spacing;
    const gap = minMs + Math.floor(luck * (maxMs - minMs));
    const day = this.dayOf(at);
    let free = at;
    for (const near of [day - 1, day, day + 1]) {
      for (const each of this.#around(near, free, minMs)) if (free < each + gap) free = each + gap;
    }
    return free;
  }

  /** Those of a day that are nearer to an instant than the least spacing. */
  *#around(day: number, at: number, minMs: number): Generator<number> {
    const instants = this.#instants.get(day) ?? [];
    let place = countUpTo(instants, at - minMs);
    for (; place < instants.length; place += 1) {
      const each = instants[place] as number;
      if (each >= at + minMs) return;
      yield each;
    }
  }

  #take(action: Action, instant: number, rooms: readonly Room[]): void {
    const { zone } = this.#rules.calendar;
    const { book } = this.#books[action];
    const day = zone.dayOf(instant);
    book.takeDay(day, 1);
    if (book.countsHours) book.takeHour(zone.hourOf(instant), 1);
    this.#totals.take(instant);
    for (const room of rooms) room.take(instant);
    if (!this.#mailDays.has(day)) {
      this.#mailDays.add(day);
      // Ramp-up allows more on later days now.
      if (this.#rules.rampUp) for (const each of ACTIONS) this.#books[each].full.reopen();
    }
    this.#keep(instant);
  }

  #keep(instant: number): void {
    const day = this.dayOf(instant);
    const instants = this.#instants.get(day) ?? [];
    if (instants.length === 0) this.#instants.set(day, instants);
    instants.splice(countUpTo(instants, instant), 0, instant);
  }

  #luck(day: number): number {
    return drawn(this.#seed, this.#account, day, this.#instants.get(day)?.length ?? 0);
  }

  #daysBefore(day: number): number {
    if (!this.#rules.rampUp) return 0;
    let days = this.#daysSent;
    for (const each of this.#mailDays) if (each >= this.#today && each < day) days += 1;
    return days;
  }

  #place(day: number): number {
    return Math.min(Math.max(0, day - this.#today), DAYS - 1);
  }
}
