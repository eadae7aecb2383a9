/** What goes out together, and the answer that all of it waits for. */
class Group<In, Out> {
  readonly items: In[] = [];
  resolve!: (results: readonly Out[]) => void;
  reject!: (error: unknown) => void;
  readonly written = new Promise<readonly Out[]>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

/**
 * Turns many small writes into few large ones: what arrives while a flush is under way goes out with the next,
 * as soon as the last has returned. Never a timer, so a lone write does not wait; each flush is one commit, so
 * the busier it is the cheaper each write gets.
 */
export class GroupWriter<In, Out> {
  /** The last one is still open. */
  readonly #groups: Group<In, Out>[] = [];
  #busy = false;

  constructor(
    private readonly flush: (items: readonly In[]) => Promise<readonly Out[]>,
    private readonly largest = 1_000,
  ) {}

  async write(item: In): Promise<Out> {
    const group = this.#open();
    const place = group.items.push(item) - 1;
    if (!this.#busy) {
      this.#busy = true;
      // Whoever else arrives in this turn of the event loop comes along.
      setImmediate(() => void this.#run());
    }
    return (await group.written)[place] as Out;
  }

  #open(): Group<In, Out> {
    const last = this.#groups.at(-1);
    if (last && last.items.length < this.largest) return last;
    const group = new Group<In, Out>();
    this.#groups.push(group);
    return group;
  }

  async #run(): Promise<void> {
    for (let group = this.#groups.shift(); group; group = this.#groups.shift()) {
      try {
        group.resolve(await this.flush(group.items));
      } catch (error) {
        group.reject(error);
      }
      // Those who were just answered often write again at once: let them, before the next group is cut.
      await new Promise(setImmediate);
    }
    this.#busy = false;
  }
}
