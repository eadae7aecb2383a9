import { PillarboxError } from '../core/errors.js';

/** How much may be going on at once; more is told to come back. */
export interface LoadLimits {
  readonly writes: number;
  /** Of bodies that have come, and are kept until their write is over. */
  readonly bytes: number;
  /** What one alone may have of it, so that there is room left for others: a workspace, or a place of strangers. */
  readonly writesOfOne: number;
  readonly bytesOfOne: number;
}

/** One write that is under way. */
export interface Write {
  /** More of its body has come. Throws `busy` if there is no room for it; what it had is free again, and is not kept. */
  readonly grow: (bytes: number) => void;
  /** However often that is said. */
  readonly end: () => void;
}

interface Taken {
  writes: number;
  bytes: number;
}

const RETRY_SECONDS = 2;

/** The writes that are under way. A database that is behind shows here: its callers wait, and more come. */
export class Load {
  readonly #all: Taken = { writes: 0, bytes: 0 };
  readonly #ofOne = new Map<number | string, Taken>();

  constructor(private readonly limits: LoadLimits) {}

  /** Nothing is taken for what somebody announces, only for what comes. Throws `busy` if there is no room. */
  begin(who: number | string): Write {
    const one = this.#ofOne.get(who) ?? { writes: 0, bytes: 0 };
    const { limits } = this;
    if (this.#all.writes >= limits.writes || one.writes >= limits.writesOfOne) throw busy();
    this.#ofOne.set(who, one);
    const rooms = [this.#all, one] as const;
    for (const room of rooms) room.writes += 1;
    let own = 0;
    const take = (bytes: number): void => {
      own += bytes;
      for (const room of rooms) room.bytes += bytes;
    };
    let over = false;
    return {
      grow: (bytes) => {
        if (over) return;
        take(bytes);
        const isFull = exceeds(this.#all, own, limits.bytes) || exceeds(one, own, limits.bytesOfOne);
        if (!isFull) return;
        take(-own);
        throw busy();
      },
      end: () => {
        if (over) return;
        over = true;
        take(-own);
        for (const room of rooms) room.writes -= 1;
        if (one.writes === 0) this.#ofOne.delete(who);
      },
    };
  }
}

/** One that is alone may be as large as it is. */
const exceeds = (room: Taken, own: number, limit: number): boolean => room.bytes > limit && room.bytes > own;

export const busy = (): PillarboxError =>
  new PillarboxError('busy', 'more comes in than can be written down; try again in a moment', {
    retryAfterSeconds: RETRY_SECONDS,
  });
