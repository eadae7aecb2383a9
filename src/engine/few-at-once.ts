/** Lets only so many works run at once; the others wait their turn. */
export class FewAtOnce {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.most) await new Promise<void>((begin) => this.#waiting.push(begin));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Its place goes to whoever waits longest, without being free in between.
      if (next) next();
      else this.#running -= 1;
    }
  }
}
