import { openHours, type OpenHours } from './day-hours.js';
import { Recent } from './recent.js';
import type { SendingWindow } from './sending.js';
import { countUpTo, dayOfLabel, isoWeekday, zoneNamed, type Zone } from './zone.js';

const DAY_MS = 86_400_000;
/** Calendars reach from the year before to the end of the sixth after: further than anything is planned. */
const YEARS_BEFORE = 1;
const YEARS_AFTER = 6;
/** Of all calendars together that are kept: some 50 MB, or a thousand working weeks. */
const EDGES_KEPT = 4_000_000;

/** A time in which a window is open without a break. */
export interface Interval {
  readonly opensAt: number;
  /** The first instant that is outside again. */
  readonly closesAt: number;
  /** The local day that it belongs to, as `Zone` counts them. */
  readonly day: number;
}

/**
 * A sending window as intervals of UTC. It is the set of instants whose wall clock is inside: so an hour that is missing
 * has no place in it, one that is doubled has both, and nothing needs a rule of its own on the nights when clocks change.
 */
export class Calendar {
  /** Opens, closes, opens, closes…, in order. Where one day closes when the next opens, the instant stands there twice. */
  readonly edges: Float64Array;
  /** The local day of each interval. */
  readonly days: Int32Array;
  /** Most questions come in order: what was found last is tried first. */
  #last = 0;

  /** Knows what lies between two local days; before and after, everything is shut. */
  constructor(
    readonly zone: Zone,
    hours: OpenHours,
    holidays: readonly string[],
    firstDay: number,
    endDay: number,
  ) {
    const edges: number[] = [];
    const days: number[] = [];
    const shut = new Set(holidays.map(dayOfLabel));
    for (const { begin, end, offset } of zone.spans(zone.startOf(firstDay), zone.startOf(endDay))) {
      for (let day = Math.floor((begin + offset) / DAY_MS); day * DAY_MS - offset < end; day++) {
        if (shut.has(day)) continue;
        for (const [opens, closes] of hours[isoWeekday(day) - 1] ?? []) {
          const opensAt = Math.max(begin, day * DAY_MS + opens - offset);
          const closesAt = Math.min(end, day * DAY_MS + closes - offset);
          if (opensAt >= closesAt) continue;
          // What goes on where clocks change, or where one interval ends at the next, is one.
          if (days.at(-1) === day && edges.at(-1) === opensAt) edges[edges.length - 1] = closesAt;
          else {
            edges.push(opensAt, closesAt);
            days.push(day);
          }
        }
      }
    }
    this.edges = Float64Array.from(edges);
    this.days = Int32Array.from(days);
  }

  /** How many edges are at or before this instant: an odd number means open. */
  place(t: number): number {
    const { edges } = this;
    const last = this.#last;
    // Beyond the ends of the list nothing compares, so both ends are asked for by name.
    const after = last === 0 || (edges[last - 1] as number) <= t;
    if (after && (last === edges.length || t < (edges[last] as number))) return last;
    return (this.#last = countUpTo(edges, t));
  }

  isOpen(t: number): boolean {
    return (this.place(t) & 1) === 1;
  }

  /** The instant itself if it is open, else when it opens next. NaN: not within the years that are known. */
  next(t: number): number {
    const place = this.place(t);
    return (place & 1) === 1 ? t : (this.edges[place] ?? NaN);
  }

  /** The interval that holds at this instant, or the next one. Undefined: none within the years that are known. */
  interval(t: number): Interval | undefined {
    const place = this.place(t) >> 1;
    const day = this.days[place];
    if (day === undefined) return undefined;
    return { opensAt: this.edges[2 * place] as number, closesAt: this.edges[2 * place + 1] as number, day };
  }
}

const calendars = new Recent<Calendar>(EDGES_KEPT, ({ edges }) => edges.length);

/** Whoever says the same gets the same calendar, until the year is another. */
export function calendarFor(window: SendingWindow, holidays: readonly string[], now: number): Calendar {
  const year = new Date(now).getUTCFullYear();
  const hours = openHours(window);
  const shut = [...new Set(holidays)].sort();
  const name = JSON.stringify([year, window.timezone, hours, shut]);
  return calendars.get(name, () => {
    const [first, end] = [year - YEARS_BEFORE, year + YEARS_AFTER + 1].map(firstDayOf) as [number, number];
    return new Calendar(zoneNamed(window.timezone), hours, shut, first, end);
  });
}

const firstDayOf = (year: number): number => Date.UTC(year, 0, 1) / DAY_MS;
