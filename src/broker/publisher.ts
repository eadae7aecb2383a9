import type { Publication, PublishFailure, Wire } from './amqp.js';
import type { Link } from './link.js';

export type Unpublished = PublishFailure | 'unconfirmed';

/** Called once: with a failure, or when the broker has it, after so many seconds. */
export type Published = (failure: Unpublished | undefined, seconds: number) => void;

interface Pending {
  readonly wire: Wire;
  readonly publishedTick: number;
  readonly published: Published;
}

/** What is not confirmed in this time is taken for lost. */
const CONFIRM_MS = 10_000;
const LOOK_EVERY_MS = 500;
const MOST_UNCONFIRMED = 2_000;

/**
 * Publishes and hears whether the broker has it. A link that failed in one, by a return, a refusal or by silence, is
 * given up with all that was under way on it; the next one declares the queues and begins anew.
 */
export class Publisher {
  readonly #pending = new Set<Pending>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly link: Link,
    private readonly confirmMs: number = CONFIRM_MS,
  ) {
    link.use({ down: () => this.#fail([...this.#pending], 'lost') });
  }

  /** Whether the broker would take something now. */
  get ready(): boolean {
    return this.link.standing === 'up' && this.#pending.size < MOST_UNCONFIRMED;
  }

  get unconfirmed(): number {
    return this.#pending.size;
  }

  publish(publication: Publication, published: Published): void {
    const { wire } = this.link;
    if (!wire) return published('lost', 0);
    const pending: Pending = { wire, publishedTick: performance.now(), published };
    this.#pending.add(pending);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    wire.publish(publication, (failure) => this.#heard(pending, failure));
  }

  #heard(pending: Pending, failure: PublishFailure | undefined): void {
    if (!this.#pending.delete(pending)) return;
    pending.published(failure, (performance.now() - pending.publishedTick) / 1_000);
    if (failure) this.#giveUp(pending.wire, failure);
    else this.link.trust();
  }

  /** The oldest comes first. */
  #look(): void {
    const [oldest] = this.#pending;
    if (!oldest) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else if (performance.now() - oldest.publishedTick > this.confirmMs) {
      this.#giveUp(oldest.wire, 'unconfirmed');
    }
  }

  #giveUp(wire: Wire, failure: Unpublished): void {
    this.link.distrust(wire, `a publish failed: ${failure}`);
    this.#fail(
      [...this.#pending].filter((pending) => pending.wire === wire),
      failure,
    );
  }

  #fail(some: readonly Pending[], failure: Unpublished): void {
    for (const pending of some) {
      this.#pending.delete(pending);
      pending.published(failure, (performance.now() - pending.publishedTick) / 1_000);
    }
  }
}
