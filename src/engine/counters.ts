import type { Event } from '../core/lifecycle.js';
import type { Verdict } from './intake.js';
import type { Result } from './result.js';

/** How messages ended that were taken in hand. */
export interface Ends {
  sent: number;
  retried: number;
  rescheduled: number;
  dead: number;
  held: number;
}

/** What one engine has done since it started: for metrics and for tests. */
export interface Totals extends Ends {
  claimed: number;
  leasesLost: number;
}

/** Told of everything as it happens; metrics hang here. Must not throw. */
export interface Observer {
  claimed?(count: number, seconds: number): void;
  settled?(result: Result): void;
  leaseLost?(count: number): void;
  /** What became of deliveries of a broker. */
  delivered?(verdict: Verdict, count: number): void;
  /** Claimed without the broker although there is one. */
  claimedDirectly?(count: number): void;
  /** How many results the store refuses in every form, now. */
  unstored?(count: number): void;
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
  readonly totals: Totals = { claimed: 0, ...noEnds(), leasesLost: 0 };
  /** Deliveries that asked for what was not to be had. */
  dropped = 0;

  constructor(private readonly observer: Observer = {}) {}

  claimed(count: number, seconds: number): void {
    this.totals.claimed += count;
    this.observer.claimed?.(count, seconds);
  }

  settled(result: Result): void {
    countEnd(this.totals, result.outcome.event);
    this.observer.settled?.(result);
  }

  leaseLost(count: number): void {
    this.totals.leasesLost += count;
    this.observer.leaseLost?.(count);
  }

  delivered(verdict: Verdict, count: number): void {
    if (count === 0) return;
    if (verdict === 'dropped') this.dropped += count;
    this.observer.delivered?.(verdict, count);
  }

  claimedDirectly(count: number): void {
    this.observer.claimedDirectly?.(count);
  }

  unstored(count: number): void {
    this.observer.unstored?.(count);
  }
}
