import type { Action } from '../message.js';
import type { PeriodCounts } from '../limits.js';
import { quotaOn } from '../opening.js';
import type { Rules } from '../rules.js';
import { isoWeekday, labelOf } from '../zone.js';

/** What is taken of one action of an account, by all periods that limit it. */
export class Book {
  readonly #days = new Map<number, number>();
  readonly #weeks = new Map<number, number>();
  readonly #months = new Map<string, number>();
  readonly #hours = new Map<number, number>();

  constructor(
    readonly rules: Rules,
    readonly action: Action,
  ) {}

  get countsHours(): boolean {
    return this.rules.limits[this.action].hour < Infinity;
  }

  /** `daysSent`: on how many days before this one the account has sent, or will have. */
  hasRoomOn(day: number, daysSent: number): boolean {
    const { week, month } = this.rules.limits[this.action];
    const taken = this.#days.get(day) ?? 0;
    const restOfWeek = week < Infinity ? (this.#weeks.get(weekOf(day)) ?? 0) - taken : 0;
    const restOfMonth = month < Infinity ? (this.#months.get(monthOf(day)) ?? 0) - taken : 0;
    return taken < quotaOn(this.rules, this.action, { daysSent, restOfWeek, restOfMonth });
  }

  hasRoomInHour(hour: number): boolean {
    return (this.#hours.get(hour) ?? 0) < this.rules.limits[this.action].hour;
  }

  /** Weeks and months are counted where they are limited. */
  countsAt(day: number, hour: number): PeriodCounts {
    return {
      hour: this.#hours.get(hour) ?? 0,
      day: this.#days.get(day) ?? 0,
      week: this.#weeks.get(weekOf(day)) ?? 0,
      month: this.#months.get(monthOf(day)) ?? 0,
    };
  }

  takeDay(day: number, count: number): void {
    const { week, month } = this.rules.limits[this.action];
    add(this.#days, day, count);
    if (week < Infinity) add(this.#weeks, weekOf(day), count);
    if (month < Infinity) add(this.#months, monthOf(day), count);
  }

  takeHour(hour: number, count: number): void {
    add(this.#hours, hour, count);
  }
}

/** Weeks are named by the Sunday before them, months as in a date. */
const weekOf = (day: number): number => day - isoWeekday(day);
const monthOf = (day: number): string => labelOf(day).slice(0, 7);

function add<Period>(counts: Map<Period, number>, period: Period, count: number): void {
  counts.set(period, (counts.get(period) ?? 0) + count);
}
