/** A delivery that waits to be claimed. */
export interface Waiting {
  readonly id: number;
  readonly attempt: number;
  readonly channelId: number | undefined;
  /** By this process's steady clock. */
  readonly arrivedTick: number;
}

/** What was delivered and is not claimed, by channel: one that may not be claimed from holds up no other. */
export class Trays {
  readonly #trays = new Map<number, Waiting[]>();
  #waiting = 0;

  get waiting(): number {
    return this.#waiting;
  }

  /** Those that have something. */
  get channels(): readonly number[] {
    return [...this.#trays.keys()];
  }

  add(channelId: number, waiting: Waiting): void {
    const tray = this.#trays.get(channelId);
    if (tray) tray.push(waiting);
    else this.#trays.set(channelId, [waiting]);
    this.#waiting += 1;
  }

  /** The first of them, no message twice: two tries of one must not be asked for at once. */
  take(channelId: number, limit: number): readonly Waiting[] {
    const tray = this.#trays.get(channelId) ?? [];
    const taken = new Map<number, Waiting>();
    const left: Waiting[] = [];
    for (const [index, waiting] of tray.entries()) {
      if (taken.size >= limit) {
        left.push(...tray.slice(index));
        break;
      }
      if (taken.has(waiting.id)) left.push(waiting);
      else taken.set(waiting.id, waiting);
    }
    this.#set(channelId, left);
    this.#waiting -= taken.size;
    return [...taken.values()];
  }

  /** To the front of their trays. */
  putBack(batch: readonly Waiting[]): void {
    for (const waiting of [...batch].reverse()) {
      const channelId = waiting.channelId ?? 0;
      this.#trays.set(channelId, [waiting, ...(this.#trays.get(channelId) ?? [])]);
    }
    this.#waiting += batch.length;
  }

  /** Those that arrived before this moment. */
  takeOlder(tick: number): readonly Waiting[] {
    const old: Waiting[] = [];
    for (const [channelId, tray] of [...this.#trays]) {
      const young = tray.findIndex(({ arrivedTick }) => arrivedTick >= tick);
      if (young === 0) continue;
      old.push(...tray.slice(0, young === -1 ? tray.length : young));
      this.#set(channelId, young === -1 ? [] : tray.slice(young));
    }
    this.#waiting -= old.length;
    return old;
  }

  clear(): readonly Waiting[] {
    const all = [...this.#trays.values()].flat();
    this.#trays.clear();
    this.#waiting = 0;
    return all;
  }

  #set(channelId: number, tray: Waiting[]): void {
    if (tray.length > 0) this.#trays.set(channelId, tray);
    else this.#trays.delete(channelId);
  }
}
