import { Recent } from './recent.js';
import { offsetQuestion, offsetsBetween, type OffsetQuestion, type Offsets } from './zone-offsets.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** So much of a zone's history is found out at once: four years, which always have as many days. */
const PIECE_MS = 1_461 * DAY_MS;
/** Enough for 1970 to 2101. What lies before or after has the clock of that border. */
const PIECES = 33;
/** More than there are zones, under all their names. */
const ZONES_KEPT = 1_000;

/** A time in which clocks run evenly; the next one may go on with the same offset. */
export interface Span {
  readonly begin: number;
  readonly end: number;
  /** What is added to UTC. */
  readonly offset: number;
}

/**
 * The clocks of a time zone. Instants are epoch ms; a local day is the number of days from 1970-01-01 to its date, so
 * days have as many hours as they have, may be in two pieces (where clocks go back over midnight) or not exist at all.
 */
export class Zone {
  readonly #ask: OffsetQuestion;
  readonly #pieces: (Offsets | undefined)[] = [];
  /** The span that was asked for last: most questions come in order. */
  #begin = NaN;
  #end = NaN;
  #offset = NaN;

  constructor(readonly name: string) {
    this.#ask = offsetQuestion(name);
  }

  /** What is added to UTC there and then. */
  offsetAt(t: number): number {
    if (!(t >= this.#begin && t < this.#end)) this.#find(t);
    return this.#offset;
  }

  dayOf(t: number): number {
    return Math.floor((t + this.offsetAt(t)) / DAY_MS);
  }

  /** The first instant of this local day or, where its date was skipped, of a later one. */
  startOf(day: number): number {
    // No clock is a day ahead: before this instant the day can't have begun anywhere.
    let span = this.#spanAt((day - 1) * DAY_MS);
    for (;;) {
      const start = Math.max(span.begin, day * DAY_MS - span.offset);
      if (!(start >= span.end)) return start;
      span = this.#spanAt(span.end);
    }
  }

  /** Until when the local day that holds at this instant goes on without a break. */
  dayEnd(t: number): number {
    const day = this.dayOf(t);
    let span = this.#spanAt(t);
    for (;;) {
      const end = (day + 1) * DAY_MS - span.offset;
      if (end < span.end) return end;
      if (this.dayOf(span.end) !== day) return span.end;
      span = this.#spanAt(span.end);
    }
  }

  /** When the hour began that clocks show. One that is shown twice is two, and one that is cut off is shorter. */
  hourOf(t: number): number {
    const offset = this.offsetAt(t);
    const start = Math.floor((t + offset) / HOUR_MS) * HOUR_MS - offset;
    for (let { begin } = this.#spanAt(t); start < begin; { begin } = this.#spanAt(begin - 1)) {
      if (this.offsetAt(begin - 1) !== offset) return begin;
    }
    return start;
  }

  /** When that hour ends. */
  hourEnd(t: number): number {
    const offset = this.offsetAt(t);
    const full = (Math.floor((t + offset) / HOUR_MS) + 1) * HOUR_MS - offset;
    for (let { end } = this.#spanAt(t); end < full; { end } = this.#spanAt(end)) {
      if (this.offsetAt(end) !== offset) return end;
    }
    return full;
  }

  /** All spans between two instants, cut off there. */
  *spans(from: number, to: number): Generator<Span> {
    for (let begin = from; begin < to;) {
      const { end, offset } = this.#spanAt(begin);
      yield { begin, end: Math.min(end, to), offset };
      begin = end;
    }
  }

  #spanAt(t: number): Span {
    const offset = this.offsetAt(t);
    return { begin: this.#begin, end: this.#end, offset };
  }

  #find(t: number): void {
    const number = Math.min(Math.max(Math.floor(t / PIECE_MS), 0), PIECES - 1);
    const [from, to] = [number * PIECE_MS, (number + 1) * PIECE_MS];
    const { at, offsets } = (this.#pieces[number] ??= offsetsBetween(this.#ask, from, to));
    const place = Math.max(0, countUpTo(at, t) - 1);
    this.#begin = number === 0 && place === 0 ? -Infinity : (at[place] as number);
    this.#end = at[place + 1] ?? (number === PIECES - 1 ? Infinity : to);
    this.#offset = offsets[place] as number;
  }
}

/** How many of a sorted list are at or before `t`. */
export function countUpTo(sorted: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

const zones = new Recent<Zone>(ZONES_KEPT);

/** What is known of a zone is found out once. A name that nobody knows counts as UTC. */
export const zoneNamed = (name: string): Zone => zones.get(name, () => new Zone(name));

/** `2026-12-25`. */
export const labelOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** NaN: not a date. */
export const dayOfLabel = (label: string): number => Date.parse(`${label}T00:00:00Z`) / DAY_MS;

/** Monday is 1, Sunday 7. */
export const isoWeekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;
