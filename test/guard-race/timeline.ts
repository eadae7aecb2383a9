/** What a virtual clock shows from a real instant on. */
interface Setting {
  readonly startMs: number;
  readonly speed: number;
  /** Nobody has it before the one; everybody has it from the other on. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Two clocks of one machine may be read as much as this apart. */
const SAME_MS = 2;

/**
 * What the virtual clocks of all workers showed, by the real one. The far side reads the real one alone; what it sees at
 * an instant happened between two virtual ones: by the first and by the last worker whose clock was set.
 */
export class Timeline {
  readonly #settings: Setting[] = [];

  set(setting: Setting): void {
    this.#settings.push(setting);
  }

  /** By the setting that everybody had: while a new one makes its way, somebody may still go by the one before. */
  earliest(realMs: number): number {
    const had = this.#settings.findLast(({ lastMs }) => lastMs + SAME_MS <= realMs);
    const { startMs, speed, lastMs } = had ?? this.#at(realMs);
    return startMs + Math.max(0, realMs - lastMs - SAME_MS) * speed;
  }

  latest(realMs: number): number {
    const { startMs, speed, firstMs } = this.#at(realMs);
    return startMs + (realMs - firstMs + SAME_MS) * speed;
  }

  #at(realMs: number): Setting {
    const found = this.#settings.findLast(({ firstMs }) => firstMs <= realMs);
    if (!found) throw new Error('something left before there was a clock');
    return found;
  }
}
