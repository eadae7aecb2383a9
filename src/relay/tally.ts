import type { RelayFigures, WorkFigures } from '../core/workers.js';
import type { Telling } from '../engine/heartbeat.js';
import type { PassedKind, RelayObserver } from './observer.js';
import type { Unpublished } from '../broker/publisher.js';

/** Of how many confirms the time is told, roughly. */
const LATELY = 20;

/** Counts what a relay does, for who looks at it, and tells the next observer of it. */
export class Tally implements RelayObserver, Telling {
  #published = 0;
  #outstanding = 0;
  #confirmMs: number | null = null;
  #unsaid = { published: 0, again: 0, returned: 0 };

  constructor(
    private readonly next: RelayObserver | undefined,
    private readonly isAway: () => boolean,
  ) {}

  passedOn(kind: PassedKind, count: number): void {
    this.#published += count;
    this.#unsaid.published += count;
    if (kind === 'again') this.#unsaid.again += count;
    this.next?.passedOn?.(kind, count);
  }

  confirmed(seconds: number): void {
    const ms = seconds * 1_000;
    this.#confirmMs = this.#confirmMs === null ? ms : this.#confirmMs + (ms - this.#confirmMs) / LATELY;
    this.next?.confirmed?.(seconds);
  }

  cameBack(reason: Unpublished, count: number): void {
    this.#unsaid.returned += count;
    this.next?.cameBack?.(reason, count);
  }

  outstanding(count: number): void {
    this.#outstanding = count;
    this.next?.outstanding?.(count);
  }

  work(): WorkFigures {
    const confirmMs = this.#confirmMs === null ? null : Math.round(this.#confirmMs);
    return { places: null, done: this.#published, leasesLost: null, confirmMs };
  }

  relay(): RelayFigures {
    return { ...this.#unsaid, queued: this.#outstanding, dropped: 0, away: this.isAway() };
  }

  relayed({ published, again, returned }: RelayFigures): void {
    this.#unsaid.published -= published;
    this.#unsaid.again -= again;
    this.#unsaid.returned -= returned;
  }
}
