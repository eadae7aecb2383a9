/** Somebody who waits for the answer to one item. */
interface Writer<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

/** In a flush's answer: this item was refused, and whoever wrote it is told why. The others were not. */
export class Refused {
  constructor(readonly reason: unknown) {}
}

interface Limits {
  readonly largest?: number;
  /** How many flushes may be under way together. */
  readonly atOnce?: number;
}

/** Fewer than this are not worth a commit of their own. */
const WORTH_SHARING_OUT = 16;

/**
 * Turns many small writes into few large ones: what arrives while a flush is under way goes out with the next,
 * as soon as the last has returned. Never a timer, so a lone write does not wait; each flush is one commit, so
 * the busier it is the cheaper each write gets. Where two may be under way, a crowd is shared out between them: while
 * one half is in the database, the other half is made ready.
 */
export class GroupWriter<In, Out> {
  readonly #waiting: Writer<In, Out>[] = [];
  readonly #largest: number;
  readonly #atOnce: number;
  #underWay = 0;
  #cutting = false;

  constructor(
    private readonly flush: (items: readonly In[]) => Promise<readonly (Out | Refused)[]>,
    { largest = 1_000, atOnce = 1 }: Limits = {},
  ) {
    this.#largest = largest;
    this.#atOnce = atOnce;
  }

  write(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#cutSoon();
    });
  }

  /** Whoever else arrives in this turn of the event loop comes along; those who were just answered often do. */
  #cutSoon(): void {
    if (this.#cutting || this.#underWay === this.#atOnce || this.#waiting.length === 0) return;
    this.#cutting = true;
    setImmediate(() => {
      this.#cutting = false;
      this.#cut();
    });
  }

  #cut(): void {
    for (let idle = this.#atOnce - this.#underWay; idle > 0 && this.#waiting.length > 0; idle -= 1) {
      const crowd = this.#waiting.length;
      const share = crowd < WORTH_SHARING_OUT ? crowd : Math.ceil(crowd / idle);
      void this.#write(this.#waiting.splice(0, Math.min(share, this.#largest)));
    }
  }

  async #write(group: readonly Writer<In, Out>[]): Promise<void> {
    this.#underWay += 1;
    try {
      const results = await this.flush(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, place) => {
        const result = results[place] as Out | Refused;
        if (result instanceof Refused) reject(result.reason);
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    this.#underWay -= 1;
    this.#cutSoon();
  }
}
