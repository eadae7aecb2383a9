import type { TemplateFault } from './source.js';

const ENOUGH = 3;
const WINDOW_MS = 10 * 60_000;
const MOST_KEPT = 1_000;

/** Templates that had to be stopped. After a few times they are not tried any more for a while: each try costs a deadline. */
export class Blame {
  readonly #stopped = new Map<string, { times: number; until: number }>();

  constructor(private readonly clock: () => number) {}

  note(template: string): void {
    const now = this.clock();
    const known = this.#stopped.get(template);
    const times = (known && known.until > now ? known.times : 0) + 1;
    this.#stopped.delete(template);
    if (this.#stopped.size >= MOST_KEPT) this.#dropOldest();
    this.#stopped.set(template, { times, until: now + WINDOW_MS });
  }

  /** Why it is not tried. */
  faultOf(template: string): TemplateFault | undefined {
    const known = this.#stopped.get(template);
    return known && known.times >= ENOUGH && known.until > this.clock() ? NOT_TRIED : undefined;
  }

  #dropOldest(): void {
    for (const template of this.#stopped.keys()) {
      this.#stopped.delete(template);
      return;
    }
  }
}

const NOT_TRIED: TemplateFault = {
  code: 'template_too_slow',
  message: 'this template had to be stopped three times within ten minutes, and is not tried for a while',
};
