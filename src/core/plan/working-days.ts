import type { Calendar } from '../calendar.js';

/**
 * The days on which a window opens, from an instant on: each is a run of intervals of one local day. Where clocks go back
 * over midnight a date is left and comes again; it then has two runs.
 */
export class WorkingDays {
  readonly count: number;
  /** The earliest and the latest of their dates. */
  readonly firstDay: number;
  readonly lastDay: number;
  readonly #calendar: Calendar;
  /** The local day of each run, and its first interval; after the last run, the end of all. */
  readonly #days: number[] = [];
  readonly #begins: number[] = [];
  /** By date, counted from the first: the first run of that date or of a later one. */
  readonly #runs: Int32Array;

  constructor(calendar: Calendar, now: number) {
    this.#calendar = calendar;
    const { days } = calendar;
    for (let interval = calendar.place(now) >> 1; interval < days.length; interval++) {
      const day = days[interval] as number;
      if (day === this.#days.at(-1)) continue;
      this.#days.push(day);
      this.#begins.push(interval);
    }
    this.count = this.#days.length;
    this.#begins.push(days.length);
    [this.firstDay, this.lastDay] = this.#days.reduce(
      ([first, last], day) => [Math.min(first, day), Math.max(last, day)],
      [Infinity, -Infinity],
    );
    this.#runs = this.#runsByDate();
  }

  dayOf(run: number): number {
    return this.#days[run] as number;
  }

  /** The intervals of a run: from the first up to, and without, the end. */
  firstOf(run: number): number {
    return this.#begins[run] as number;
  }

  endOf(run: number): number {
    return this.firstOf(run + 1);
  }

  opensAt(run: number): number {
    return this.#calendar.edges[2 * this.firstOf(run)] as number;
  }

  closesAt(run: number): number {
    return this.#calendar.edges[2 * this.endOf(run) - 1] as number;
  }

  /** The first run of this day or of a later one; `count`: there is none. */
  from(day: number): number {
    if (day <= this.firstDay) return 0;
    return this.#runs[day - this.firstDay] ?? this.count;
  }

  /** The run of a day that an instant belongs to, or is nearest to; undefined: the window does not open on it. */
  of(day: number, instant: number): number | undefined {
    let found: number | undefined;
    for (let run = this.from(day); run < this.count && this.dayOf(run) <= day + 1; run++) {
      if (this.dayOf(run) !== day) continue;
      if (found === undefined || this.opensAt(run) <= instant) found = run;
    }
    return found;
  }

  #runsByDate(): Int32Array {
    const runs = new Int32Array(this.count === 0 ? 0 : this.lastDay - this.firstDay + 1).fill(this.count);
    for (let run = this.count - 1; run >= 0; run--) runs[this.dayOf(run) - this.firstDay] = run;
    for (let date = runs.length - 2; date >= 0; date--) {
      runs[date] = Math.min(runs[date] as number, runs[date + 1] as number);
    }
    return runs;
  }
}
