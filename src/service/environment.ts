export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'PILLARBOX_';

/**
 * Reads variables one by one and collects what is wrong with them. An empty value counts as none. No fault repeats
 * what was set: it may be a secret that ended up in the wrong place.
 */
export class Settings {
  readonly #known = new Set<string>();
  readonly #faults: string[] = [];

  constructor(private readonly env: Environment) {}

  text(name: string): string | undefined {
    this.#known.add(name);
    const text = this.env[name];
    return text === '' ? undefined : text;
  }

  shaped(name: string, shape: RegExp, shouldBe: string): string | undefined {
    const text = this.text(name);
    if (text !== undefined && !shape.test(text)) this.#fault(name, `should be ${shouldBe}`);
    return text;
  }

  /** Counted as people count: an emoji is one. */
  long(name: string, least: number, most = Infinity): string | undefined {
    const text = this.text(name);
    const { length } = Array.from(text ?? '');
    if (text !== undefined && length < least) this.#fault(name, `should be at least ${least} characters`);
    if (length > most) this.#fault(name, `should be at most ${most} characters`);
    return text;
  }

  /** `check` throws for what can't be used; its words are shown, so they must not repeat the value. */
  checked(name: string, check: (text: string) => unknown): string | undefined {
    this.parsed(name, check);
    return this.text(name);
  }

  /** The same, for what it is read as. */
  parsed<Value>(name: string, parse: (text: string) => Value): Value | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    try {
      return parse(text);
    } catch (error) {
      // What a check calls the value is its own matter; the operator knows it by the variable's name.
      this.#fault(name, (error as Error).message.replace(/^\w+: /, ''));
      return undefined;
    }
  }

  whole(name: string, least: number, most: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(value >= least && value <= most)) {
      this.#fault(name, `should be a whole number from ${least} to ${most}`);
    }
    return value;
  }

  flag(name: string): boolean | undefined {
    const text = this.oneOf(name, ['0', '1']);
    return text === undefined ? undefined : text === '1';
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const text = this.text(name);
    const value = values.find((each) => each === text);
    if (text !== undefined && value === undefined) this.#fault(name, `should be one of ${values.join(', ')}`);
    return value;
  }

  /** One line each, those of unknown variables last. Ask when all known ones were read. */
  faults(): readonly string[] {
    const strangers = Object.keys(this.env).filter(
      (name) => name.startsWith(PREFIX) && !this.#known.has(name),
    );
    return [...this.#faults, ...strangers.map((name) => `${name}: is not a setting; ${this.#hint(name)}`)];
  }

  #fault(name: string, what: string): void {
    this.#faults.push(`${name}: ${what}`);
  }

  #hint(name: string): string {
    const ours = [...this.#known].filter((each) => each.startsWith(PREFIX));
    const near = ours.find((each) => distance(each, name) <= 2);
    return near === undefined ? `there are ${ours.join(', ')}` : `did you mean ${near}?`;
  }
}

/** How many letters must be put in, taken out or changed to get from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i++) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const change = (above[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      row.push(Math.min(change, (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}
