/** What was made and asked for lately, by name. What is oldest in use goes first when it gets too much. */
export class Recent<Value> {
  readonly #kept = new Map<string, Value>();
  #weight = 0;

  /** Together they weigh at most `capacity`, but the newest is always kept. */
  constructor(
    private readonly capacity: number,
    private readonly weigh: (value: Value) => number = () => 1,
  ) {}

  get(name: string, make: () => Value): Value {
    const known = this.#kept.get(name);
    const value = known ?? make();
    if (known === undefined) this.#weight += this.weigh(value);
    else this.#kept.delete(name);
    this.#kept.set(name, value);
    this.#forgetOldest();
    return value;
  }

  #forgetOldest(): void {
    for (const [name, value] of this.#kept) {
      if (this.#weight <= this.capacity || this.#kept.size === 1) return;
      this.#kept.delete(name);
      this.#weight -= this.weigh(value);
    }
  }
}
