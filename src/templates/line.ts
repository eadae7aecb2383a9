/** Whoever waits, and whose turn it takes. */
interface Waiting {
  readonly of: string;
}

/**
 * Jobs that wait, dealt in turns over those whose they are: nobody's work makes another's wait for all of it. What is to
 * be tried alone goes before everything else.
 */
export class Line<Ticket extends Waiting> {
  #alone: Ticket[] = [];
  /** In the order of their turns. */
  readonly #owners = new Map<string, Ticket[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(tickets: readonly Ticket[]): void {
    this.#length += tickets.length;
    for (const ticket of tickets) {
      const own = this.#owners.get(ticket.of);
      if (own) own.push(ticket);
      else this.#owners.set(ticket.of, [ticket]);
    }
  }

  pushAlone(tickets: readonly Ticket[]): void {
    this.#length += tickets.length;
    this.#alone.push(...tickets);
  }

  /**
   * What was taken and not done. Whoever stood first has had his turn, and waits for the next; the others keep their
   * place before all who came later.
   */
  putBack(tickets: readonly Ticket[], first: string | undefined): void {
    if (tickets.length === 0) return;
    this.#length += tickets.length;
    const back = new Map<string, Ticket[]>();
    for (const ticket of tickets) {
      const own = back.get(ticket.of);
      if (own) own.push(ticket);
      else back.set(ticket.of, [ticket]);
    }
    const waiting = [...this.#owners];
    this.#owners.clear();
    const own = first === undefined ? undefined : back.get(first);
    if (first !== undefined) back.delete(first);
    for (const [owner, theirs] of back) this.#owners.set(owner, theirs);
    for (const [owner, theirs] of waiting) {
      if (owner === first) continue;
      this.#owners.set(owner, [...(this.#owners.get(owner) ?? []), ...theirs]);
    }
    const rest = waiting.find(([owner]) => owner === first)?.[1] ?? [];
    if (first !== undefined && own) this.#owners.set(first, [...own, ...rest]);
    else if (first !== undefined && rest.length > 0) this.#owners.set(first, rest);
  }

  /** At most so many, of whose turn it is, and of the next if those are fewer. */
  take(most: number): Ticket[] {
    const alone = this.#alone.shift();
    if (alone) {
      this.#length -= 1;
      return [alone];
    }
    const taken: Ticket[] = [];
    while (taken.length < most) {
      const [next] = this.#owners;
      if (!next) break;
      const [owner, own] = next;
      this.#owners.delete(owner);
      taken.push(...own.splice(0, most - taken.length));
      // The rest of his comes after everybody else's.
      if (own.length > 0) this.#owners.set(owner, own);
    }
    this.#length -= taken.length;
    return taken;
  }

  takeAll(): Ticket[] {
    const all = [...this.#alone, ...[...this.#owners.values()].flat()];
    this.#alone = [];
    this.#owners.clear();
    this.#length = 0;
    return all;
  }
}
