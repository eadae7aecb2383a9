import type { Notice } from './deliveries.js';

type Try = Pick<Notice, 'id' | 'attempt'>;

/** Deliveries of one try of one message. */
export interface InHand {
  readonly channelId: number | undefined;
  /** Copies of each other: looked at together. */
  notices: Notice[];
  /**
   * What came after the row was asked for, or taken: it may be a copy, or speak of what became of the row since. Looked
   * at when this is over; a message that went back and was passed on again must not wait for its mark to run out.
   */
  later: Notice[];
  asked: boolean;
  /** By this process's steady clock; undefined while it is not ours. */
  claimedTick?: number;
}

const keyOf = ({ id, attempt }: Try): string => `${id}:${attempt}`;

/** What was delivered and is not done with, by message and try; and of how many tries of each channel that is so. */
export class AllInHand {
  readonly #entries = new Map<string, InHand>();
  readonly #byChannel = new Map<number | undefined, number>();

  get(which: Try): InHand | undefined {
    return this.#entries.get(keyOf(which));
  }

  values(): Iterable<InHand> {
    return this.#entries.values();
  }

  of(channelId: number | undefined): number {
    return this.#byChannel.get(channelId) ?? 0;
  }

  set(which: Try, entry: InHand): void {
    this.take(which);
    this.#entries.set(keyOf(which), entry);
    this.#byChannel.set(entry.channelId, this.of(entry.channelId) + 1);
  }

  /** It is in hand no more. */
  take(which: Try): InHand | undefined {
    const entry = this.get(which);
    if (!entry) return undefined;
    this.#entries.delete(keyOf(which));
    const left = this.of(entry.channelId) - 1;
    if (left > 0) this.#byChannel.set(entry.channelId, left);
    else this.#byChannel.delete(entry.channelId);
    return entry;
  }
}
