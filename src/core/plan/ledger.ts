import { ACTIONS, type Action } from '../message.js';
import { rampQuota } from '../opening.js';
import type { Rules } from '../rules.js';
import { dayOfLabel } from '../zone.js';
import { Book } from './book.js';
import { drawn } from './draw.js';
import { Passing } from './passing.js';
import type { Room } from './room.js';
import { hasMail, type Taken, type TakenDay } from './taken.js';
import { WorkingDays } from './working-days.js';

export interface Planning {
  /** Nothing is placed before it. */
  readonly now: number;
  /** Whoever gives the same gets the same instants. */
  readonly seed: number;
  readonly taken: Taken;
  /** What is late already leaves as soon as it may; what is planned begins its day a little after the opening. */
  readonly punctual?: boolean;
}

/** From when on: a local day, as `Zone` counts them, or an instant. */
export interface Earliest {
  readonly day?: number;
  readonly instant?: number;
}

/** Of each action: what is taken, and the days on which it has used up what it may. */
type ActionBooks = Readonly<Record<Action, { readonly book: Book; readonly full: Passing }>>;

/**
 * One account's calendar with what is taken of it. Each action gets the first instant that window, limits, ramp-up,
 * spacing and the workspace's total allow. A day fills from its opening on: what is placed comes after what is there.
 *
 * All of it follows from what is taken, so there is nothing to save: a ledger made anew from its own instants goes on
 * exactly where the old one was.
 */
export class Ledger {
  readonly #rules: Rules;
  readonly #account: number;
  readonly #seed: number;
  readonly #punctual: boolean;
  readonly #totals: Room;
  readonly #notBefore: number;
  readonly #working: WorkingDays;
  readonly #books: ActionBooks;
  /** Days on which no time is left, whatever the action. */
  readonly #over: Passing;
  /** By run: its first and its last instant over all actions. NaN: none. */
  readonly #first: Float64Array;
  readonly #last: Float64Array;
  /** By date from the first working day on: how many gaps were drawn, and on how many days before it mail leaves. */
  readonly #draws: Int32Array;
  readonly #daysSent: Int32Array;

  constructor(rules: Rules, account: number, { now, seed, taken, punctual = false }: Planning, totals: Room) {
    this.#rules = rules;
    this.#account = account;
    this.#seed = seed;
    this.#punctual = punctual;
    this.#totals = totals;
    this.#notBefore = Math.max(now, taken.freeAt);
    this.#working = new WorkingDays(rules.calendar, now);
    const { count, firstDay, lastDay } = this.#working;
    this.#over = new Passing(count);
    this.#first = new Float64Array(count).fill(NaN);
    this.#last = new Float64Array(count).fill(NaN);
    this.#books = Object.fromEntries(
      ACTIONS.map((action) => [action, { book: new Book(rules, action), full: new Passing(count) }]),
    ) as ActionBooks;
    const dates = count === 0 ? 0 : lastDay - firstDay + 1;
    this.#draws = new Int32Array(dates);
    this.#daysSent = new Int32Array(dates).fill(taken.daysSent);
    const today = rules.calendar.zone.dayOf(now);
    for (const day of taken.days) this.#enter(day, today);
    for (const { hour, action, count: used } of taken.hours) this.#books[action].book.takeHour(hour, used);
  }

  /**
   * Takes the first instant from there on that is allowed, also by what else must have room for it. Undefined: there is none
   * in the years that are known.
   */
  place(
    action: Action,
    { day = -Infinity, instant = -Infinity }: Earliest = {},
    rooms: readonly Room[] = [],
  ): number | undefined {
    const { book, full } = this.#books[action];
    const from = instant === -Infinity ? day : Math.max(day, this.dayOf(instant));
    for (let run = this.#working.from(from); ; run++) {
      run = this.#nextOpen(full, run);
      if (run >= this.#working.count) return undefined;
      const date = this.#working.dayOf(run);
      if (date < day) continue;
      if (!book.hasRoomOn(date, this.#daysSent[this.#index(date)] as number)) {
        full.shut(run);
        continue;
      }
      const found = this.#fit(book, run, instant, rooms);
      if (found !== undefined) {
        this.#take(book, run, found);
        for (const room of rooms) room.take(found);
        return found;
      }
      // For whoever may come earlier that day, or needs less, there may still be time.
      if (instant > this.#working.opensAt(run)) continue;
      if (rooms.length > 0 && this.#fit(book, run, instant, []) !== undefined) continue;
      if (book.countsHours) full.shut(run);
      else this.#over.shut(run);
    }
  }

  /** The local day of an instant: delays count from it. */
  dayOf(instant: number): number {
    return this.#rules.calendar.zone.dayOf(instant);
  }

  /** The so-manieth day after this one on which the window opens. */
  sendingDayAfter(day: number, count: number): number {
    if (count <= 0) return day;
    const run = this.#working.from(day + 1) + count - 1;
    return run < this.#working.count ? this.#working.dayOf(run) : Infinity;
  }

  #nextOpen(full: Passing, run: number): number {
    let at = full.from(run);
    for (;;) {
      const next = full.from(this.#over.from(at));
      if (next === at) return at;
      at = next;
    }
  }

  /** The first instant of a day for the next one, as far as the clock and its neighbours go. */
  #fit(book: Book, run: number, earliest: number, rooms: readonly Room[]): number | undefined {
    const { calendar, spacing } = this.#rules;
    const day = this.#working.dayOf(run);
    const luck = drawn(this.#seed, this.#account, day, this.#draws[this.#index(day)] as number);
    const width = spacing.maxMs - spacing.minMs + 1;
    const spaced = this.#lastBefore(run) + spacing.minMs + Math.floor(luck * width);
    const latest = this.#firstAfter(run) - spacing.minMs;
    for (let interval = this.#working.firstOf(run); interval < this.#working.endOf(run); interval++) {
      const closes = calendar.edges[2 * interval + 1] as number;
      // Not all accounts begin on the stroke of nine; but no day is lost because its first gap is longer than the day.
      const begun = (at: number) =>
        this.#punctual ? at : at + Math.floor(luck * Math.min(width, Math.max(0, closes - at)));
      const opens = Math.max(calendar.edges[2 * interval] as number, this.#notBefore, earliest);
      let at = Math.max(begun(opens), spaced);
      while (at < closes && at <= latest) {
        const full = this.#totals.hasRoomAt(at) ? rooms.find((room) => !room.hasRoomAt(at)) : this.#totals;
        if (full) at = begun(full.dayEnd(at));
        else if (book.countsHours && !book.hasRoomInHour(calendar.zone.hourOf(at)))
          at = begun(calendar.zone.hourEnd(at));
        else return at;
      }
    }
    return undefined;
  }

  #take(book: Book, run: number, instant: number): void {
    const day = this.#working.dayOf(run);
    if (book.countsHours) book.takeHour(this.#rules.calendar.zone.hourOf(instant), 1);
    book.takeDay(day, 1);
    this.#totals.take(instant);
    this.#mark(run, instant);
    const draws = this.#draws[this.#index(day)] as number;
    if (draws === 0) this.#sendsOn(day);
    this.#draws[this.#index(day)] = draws + 1;
  }

  #enter(taken: TakenDay, today: number): void {
    const day = dayOfLabel(taken.day);
    let sum = 0;
    for (const action of ACTIONS) {
      const count = taken.counts[action] ?? 0;
      sum += count;
      if (count > 0) this.#books[action].book.takeDay(day, count);
    }
    if (day >= today && hasMail(taken)) this.#sendsOn(day);
    if (day >= this.#working.firstDay && day <= this.#working.lastDay) this.#draws[this.#index(day)] = sum;
    if (taken.last === undefined) return;
    const run = this.#working.of(day, taken.last);
    if (run === undefined) return;
    const first = taken.first ?? this.#working.opensAt(run);
    this.#mark(this.#working.of(day, first) ?? run, first);
    this.#mark(run, taken.last);
  }

  #mark(run: number, instant: number): void {
    const [first, last] = [this.#first[run] as number, this.#last[run] as number];
    this.#first[run] = first <= instant ? first : instant;
    this.#last[run] = last >= instant ? last : instant;
  }

  /** A day with mail raises what ramp-up allows on later ones: those that were full may have room again. */
  #sendsOn(day: number): void {
    const { rampUp, limits } = this.#rules;
    if (!rampUp || this.#working.count === 0) return;
    const before = this.#daysSent[Math.max(0, this.#index(day))] ?? Infinity;
    for (const action of ACTIONS) {
      const limit = limits[action].day;
      if (rampQuota(limit, rampUp, before) < limit) this.#books[action].full.reopen();
    }
    const after = this.#daysSent.subarray(Math.max(0, this.#index(day) + 1));
    after.forEach((days, index) => (after[index] = days + 1));
  }

  /** The last instant that is near enough to matter to a run: its own, or one of the days before. */
  #lastBefore(run: number): number {
    const reach = this.#working.opensAt(run) - this.#rules.spacing.minMs;
    for (let each = run; each >= 0 && (each === run || this.#working.closesAt(each) > reach); each--) {
      const last = this.#last[each] as number;
      if (!Number.isNaN(last)) return last;
    }
    return -Infinity;
  }

  /** The first instant of the days after a run, if it is near enough. */
  #firstAfter(run: number): number {
    const reach = this.#working.closesAt(run) + this.#rules.spacing.minMs;
    const { count } = this.#working;
    for (let each = run + 1; each < count && this.#working.opensAt(each) < reach; each++) {
      const first = this.#first[each] as number;
      if (!Number.isNaN(first)) return first;
    }
    return Infinity;
  }

  #index(day: number): number {
    return day - this.#working.firstDay;
  }
}
