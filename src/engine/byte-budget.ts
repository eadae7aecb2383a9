/** Keeps the large contents in memory at one time under a limit; who does not fit waits his turn. */
export class ByteBudget {
  #free: number;
  readonly #queue: { bytes: number; start: () => void }[] = [];

  constructor(private readonly limit: number) {
    this.#free = limit;
  }

  /** One that is larger than the whole budget goes alone. */
  async borrow(bytes: number): Promise<() => void> {
    const share = Math.min(bytes, this.limit);
    if (share > this.#free || this.#queue.length > 0) {
      await new Promise<void>((start) => this.#queue.push({ bytes: share, start }));
    } else {
      this.#free -= share;
    }
    return () => {
      this.#free += share;
      this.#serve();
    };
  }

  #serve(): void {
    for (let next = this.#queue[0]; next && next.bytes <= this.#free; next = this.#queue[0]) {
      this.#queue.shift();
      this.#free -= next.bytes;
      next.start();
    }
  }
}
