import type { Event } from '../core/lifecycle.js';
import type { Settled } from './settler.js';

/** How messages ended that were taken in hand. */
export interface Ends {
  sent: number;
  retried: number;
  rescheduled: number;
  dead: number;
  held: number;
}

/** What one engine has done since it started: for metrics and for tests. */
export interface Tally extends Ends {
  claimed: number;
  leasesLost: number;
}

/** Told of everything as it happens; metrics hang here. Must not throw. */
export interface Observer {
  claimed?(count: number, seconds: number): void;
  settled?(settled: Settled): void;
  leaseLost?(count: number): void;
}

export const noEnds = (): Ends => ({ sent: 0, retried: 0, rescheduled: 0, dead: 0, held: 0 });

const END_OF: Partial<Record<Event, keyof Ends>> = {
  accepted: 'sent',
  deferred: 'retried',
  released: 'rescheduled',
  rejected: 'dead',
  exhausted: 'dead',
  poisoned: 'dead',
  doubted: 'held',
};

export function countEnd(ends: Ends, event: Event): void {
  const end = END_OF[event];
  if (end) ends[end] += 1;
}

export class Counters {
  readonly tally: Tally = { claimed: 0, ...noEnds(), leasesLost: 0 };

  constructor(private readonly observer: Observer = {}) {}

  claimed(count: number, seconds: number): void {
    this.tally.claimed += count;
    this.observer.claimed?.(count, seconds);
  }

  settled(settled: Settled): void {
    countEnd(this.tally, settled.outcome.event);
    this.observer.settled?.(settled);
  }

  leaseLost(count: number): void {
    this.tally.leasesLost += count;
    this.observer.leaseLost?.(count);
  }
}
