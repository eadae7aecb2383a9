import type { Rules } from '../rules.js';
import { dayOfLabel } from '../zone.js';
import type { Room } from './room.js';

/** The workspace's own days, over all its accounts: what they may send together is taken from here. */
export class Totals implements Room {
  readonly #rules: Pick<Rules, 'house' | 'dailyQuota'>;
  readonly #taken: Map<number, number>;

  /** `taken`: what its days have used already, and what else is planned for them; by their dates. */
  constructor(rules: Pick<Rules, 'house' | 'dailyQuota'>, taken: ReadonlyMap<string, number> = new Map()) {
    this.#rules = rules;
    this.#taken = new Map([...taken].map(([label, count]) => [dayOfLabel(label), count]));
  }

  hasRoomAt(instant: number): boolean {
    return (this.#taken.get(this.#rules.house.dayOf(instant)) ?? 0) < this.#rules.dailyQuota;
  }

  dayEnd(instant: number): number {
    return this.#rules.house.dayEnd(instant);
  }

  take(instant: number): void {
    const day = this.#rules.house.dayOf(instant);
    this.#taken.set(day, (this.#taken.get(day) ?? 0) + 1);
  }
}
