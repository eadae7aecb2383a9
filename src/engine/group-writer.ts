interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Turns many small writes into few large ones: what arrives while a flush is under way goes out with the next,
 * as soon as the last has returned. Never a timer, so a lone write does not wait; each flush is one commit, so
 * the busier it is the cheaper each write gets.
 */
export class GroupWriter<In, Out> {
  #waiting: Waiting<In, Out>[] = [];
  #busy = false;

  constructor(
    private readonly flush: (items: readonly In[]) => Promise<readonly Out[]>,
    private readonly largest = 1_000,
  ) {}

  write(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      // Whoever else arrives in this turn of the event loop comes along.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.largest);
      try {
        const results = await this.flush(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => {
          resolve(results[index] as Out);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      // Those who were just answered often write again at once: let them, before the next group is cut.
      await new Promise(setImmediate);
    }
    this.#busy = false;
  }
}
