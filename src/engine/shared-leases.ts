const BYTES_EACH = BigInt64Array.BYTES_PER_ELEMENT;
const ROOM_AT_FIRST = 1_024;
/** More than any worker can hold; memory is taken as it is needed. */
const MOST = 1_048_576;
const FREE = 0n;

/**
 * The leases that the main thread holds, where its renewal thread can look. Not as messages between the two: each would
 * wake a thread that has nothing to do for the next seconds, twice for every claim, and that costs more than the claim's
 * own bookkeeping. A lease stands in one place from `add` to `delete`; one that is read in between, or just after, is
 * renewed in vain at worst.
 */
export class SharedLeases {
  readonly memory = new SharedArrayBuffer(ROOM_AT_FIRST * BYTES_EACH, { maxByteLength: MOST * BYTES_EACH });
  /** Grows with its memory. */
  readonly #places = new BigInt64Array(this.memory);
  readonly #placeOf = new Map<number, number>();
  readonly #freed: number[] = [];
  /** All places behind it were never taken. */
  #end = 0;

  get size(): number {
    return this.#placeOf.size;
  }

  add(lease: number): void {
    if (this.#placeOf.has(lease)) return;
    const place = this.#freed.pop() ?? this.#end++;
    if (place >= this.#places.length)
      this.memory.grow(Math.min(this.memory.byteLength * 2, MOST * BYTES_EACH));
    Atomics.store(this.#places, place, BigInt(lease));
    this.#placeOf.set(lease, place);
  }

  delete(lease: number): void {
    const place = this.#placeOf.get(lease);
    if (place === undefined) return;
    this.#placeOf.delete(lease);
    Atomics.store(this.#places, place, FREE);
    this.#freed.push(place);
  }
}

/** From any thread. */
export function readLeases(memory: SharedArrayBuffer): readonly number[] {
  const places = new BigInt64Array(memory);
  const leases: number[] = [];
  for (let place = 0; place < places.length; place += 1) {
    const lease = Atomics.load(places, place);
    if (lease !== FREE) leases.push(Number(lease));
  }
  return leases;
}
