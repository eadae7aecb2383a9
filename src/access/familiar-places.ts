const MOST = 10_000;

/**
 * From where who has logged in, as far as this process has seen it: the last so many. There he is not kept out by what
 * others do; that a restart forgets it makes him wait with everybody else once, at worst.
 */
export class FamiliarPlaces {
  readonly #pairs = new Set<string>();

  constructor(private readonly most = MOST) {}

  note(address: string, place: string): void {
    const pair = nameOf(address, place);
    this.#pairs.delete(pair);
    this.#pairs.add(pair);
    const [oldest] = this.#pairs;
    if (this.#pairs.size > this.most && oldest !== undefined) this.#pairs.delete(oldest);
  }

  has(address: string, place: string): boolean {
    return this.#pairs.has(nameOf(address, place));
  }
}

const nameOf = (address: string, place: string): string => `${place} ${address}`;
