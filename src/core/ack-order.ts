/** What to acknowledge now: everything up to a tag, and some further ones by themselves. */
export interface Acks {
  readonly upTo: number | undefined;
  readonly singly: readonly number[];
}

type Standing = 'open' | 'done' | 'acknowledged';

/**
 * In which order deliveries of one channel are acknowledged. One frame for all up to the first that is still open costs
 * the broker next to nothing; each out of order makes it walk its list. Only when slow ones at the head keep back too
 * many, those go one by one. No tag is ever named twice: that would close the channel.
 */
export class AckOrder {
  readonly #tags = new Map<number, Standing>();
  #next = 1;
  #done = 0;

  constructor(
    /** So many may be done behind one that is not. */
    private readonly patience: number,
  ) {}

  /** Delivered and not acknowledged. */
  get open(): number {
    return this.#tags.size;
  }

  /** Tags of a channel count up from 1. */
  arrived(tag: number): void {
    this.#tags.set(tag, 'open');
  }

  /** True: there may be something to acknowledge. */
  done(tag: number): boolean {
    if (this.#tags.get(tag) !== 'open') return false;
    this.#tags.set(tag, 'done');
    this.#done += 1;
    return tag === this.#next || this.#done >= this.patience;
  }

  take(): Acks {
    let upTo: number | undefined;
    for (let standing = this.#tags.get(this.#next); standing !== undefined && standing !== 'open';) {
      if (standing === 'done') {
        upTo = this.#next;
        this.#done -= 1;
      }
      this.#tags.delete(this.#next);
      this.#next += 1;
      standing = this.#tags.get(this.#next);
    }
    return { upTo, singly: this.#done >= this.patience ? this.#takeDone() : [] };
  }

  #takeDone(): number[] {
    const singly: number[] = [];
    for (const [tag, standing] of this.#tags) {
      if (standing !== 'done') continue;
      this.#tags.set(tag, 'acknowledged');
      singly.push(tag);
    }
    this.#done = 0;
    return singly;
  }
}
