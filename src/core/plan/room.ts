import type { Zone } from '../zone.js';

/** Something that has only so much for each of its days. */
export interface Room {
  hasRoomAt(instant: number): boolean;
  /** When the day is over that holds at this instant. */
  dayEnd(instant: number): number;
  take(instant: number): void;
}

/** So many a local day, whoever sends them: what a campaign sets itself. */
export class DayRoom implements Room {
  readonly #taken: Map<number, number>;
  /** Before it no day has room; days do not empty again. */
  #first = -Infinity;

  /** `taken`: by local days, as the zone counts them. */
  constructor(
    private readonly zone: Zone,
    private readonly most: number,
    taken: ReadonlyMap<number, number> = new Map(),
  ) {
    this.#taken = new Map(taken);
  }

  hasRoomAt(instant: number): boolean {
    return (this.#taken.get(this.zone.dayOf(instant)) ?? 0) < this.most;
  }

  dayEnd(instant: number): number {
    return this.zone.dayEnd(instant);
  }

  take(instant: number): void {
    const day = this.zone.dayOf(instant);
    this.#taken.set(day, (this.#taken.get(day) ?? 0) + 1);
  }

  /** The first instant from there on that may have room: whoever looks need not go through all that is full. */
  from(instant: number): number {
    if (instant === -Infinity || this.most <= 0) return instant;
    const asked = this.zone.dayOf(instant);
    let day = Math.max(asked, this.#first);
    while ((this.#taken.get(day) ?? 0) >= this.most) day += 1;
    if (asked <= this.#first) this.#first = day;
    return day === asked ? instant : Math.max(instant, this.zone.startOf(day));
  }
}
