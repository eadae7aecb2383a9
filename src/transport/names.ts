/** Asks for all addresses of a name. Rejects with a `code` such as ENOTFOUND. */
export type Resolver = (name: string) => Promise<readonly string[]>;

/** The system's resolver takes a thread for as long as it is kept waiting, and there are four for everything. */
const AT_ONCE = 3;
/** Who has not heard by then takes what the name had last, if that is not too old. */
const PATIENCE_MS = 1_000;
const REMEMBERED_MS = 10 * 60_000;
const MOST_REMEMBERED = 1_000;

interface Remembered {
  readonly addresses: readonly string[];
  readonly heardTick: number;
}

/**
 * Asks for names on behalf of all accounts of a process, so that one whose name servers do not answer costs the others
 * nothing: each name is asked for once at a time, however many connections want it, only a few at once, and a name
 * that was heard of lately does not wait for any of them.
 */
export class Names {
  readonly #asking = new Map<string, Promise<readonly string[]>>();
  readonly #remembered = new Map<string, Remembered>();
  readonly #queue: (() => void)[] = [];
  #underWay = 0;

  constructor(private readonly ask: Resolver) {}

  get remembered(): number {
    return this.#remembered.size;
  }

  readonly resolve: Resolver = (name) => {
    const asked = this.#asking.get(name) ?? this.#begin(name);
    const { addresses, heardTick = -Infinity } = this.#remembered.get(name) ?? {};
    if (!addresses || performance.now() - heardTick > REMEMBERED_MS) return asked;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, PATIENCE_MS, addresses);
      void asked.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  };

  #begin(name: string): Promise<readonly string[]> {
    const asked = this.#inTurn(name).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asked);
    return asked;
  }

  async #inTurn(name: string): Promise<readonly string[]> {
    if (this.#underWay < AT_ONCE) this.#underWay += 1;
    else await new Promise<void>((start) => this.#queue.push(start));
    try {
      const addresses = await this.ask(name);
      this.#remember(name, addresses);
      return addresses;
    } finally {
      // Whoever is next takes this one's place.
      const next = this.#queue.shift();
      if (next) next();
      else this.#underWay -= 1;
    }
  }

  #remember(name: string, addresses: readonly string[]): void {
    this.#remembered.delete(name);
    this.#remembered.set(name, { addresses, heardTick: performance.now() });
    if (this.#remembered.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined) this.#remembered.delete(oldest);
  }
}
