import type { Settled } from './settler.js';

/** What one engine has done since it started: for the cron pass, for metrics and for tests. */
export interface Tally {
  claimed: number;
  sent: number;
  retried: number;
  rescheduled: number;
  dead: number;
  held: number;
  leasesLost: number;
}

/** Told of everything as it happens; metrics hang here. */
export interface Observer {
  claimed?(count: number, seconds: number): void;
  settled?(settled: Settled): void;
  leaseLost?(count: number): void;
}

export class Counters {
  readonly tally: Tally = {
    claimed: 0,
    sent: 0,
    retried: 0,
    rescheduled: 0,
    dead: 0,
    held: 0,
    leasesLost: 0,
  };

  constructor(private readonly observer: Observer = {}) {}

  claimed(count: number, seconds: number): void {
    this.tally.claimed += count;
    this.observer.claimed?.(count, seconds);
  }

  settled(settled: Settled): void {
    switch (settled.outcome.event) {
      case 'accepted':
        this.tally.sent += 1;
        break;
      case 'deferred':
        this.tally.retried += 1;
        break;
      case 'released':
        this.tally.rescheduled += 1;
        break;
      case 'rejected':
      case 'exhausted':
      case 'poisoned':
        this.tally.dead += 1;
        break;
      case 'doubted':
        this.tally.held += 1;
        break;
      default:
        break;
    }
    this.observer.settled?.(settled);
  }

  leaseLost(count: number): void {
    this.tally.leasesLost += count;
    this.observer.leaseLost?.(count);
  }
}
