import { PillarboxError } from '../core/errors.js';

/** Of one workspace; whoever comes after them may come again. */
const MOST_WAITING = 8;

/**
 * Lets so many works run at once, and of each workspace one: whoever gives it much to do waits behind himself, and nobody
 * else behind him.
 */
export class Turns {
  readonly #running = new Set<number>();
  readonly #waiting: { readonly workspaceId: number; readonly begin: () => void }[] = [];

  constructor(private readonly most: number) {}

  /** Throws `busy` if too much of this workspace waits already. */
  async run<T>(workspaceId: number, work: () => Promise<T>): Promise<T> {
    if (this.#running.size >= this.most || this.#running.has(workspaceId)) await this.#wait(workspaceId);
    this.#running.add(workspaceId);
    try {
      return await work();
    } finally {
      this.#next(workspaceId);
    }
  }

  #wait(workspaceId: number): Promise<void> {
    if (this.#waiting.filter((each) => each.workspaceId === workspaceId).length >= MOST_WAITING)
      throw new PillarboxError('busy', 'much of this workspace is waiting for that already', {
        retryAfterSeconds: 10,
      });
    return new Promise((begin) => this.#waiting.push({ workspaceId, begin }));
  }

  /** Its place goes to whoever waits longest, to those of another workspace first, without being free in between. */
  #next(done: number): void {
    this.#running.delete(done);
    const others = this.#waiting.findIndex(
      ({ workspaceId }) => workspaceId !== done && !this.#running.has(workspaceId),
    );
    const index = others >= 0 ? others : this.#waiting.findIndex(({ workspaceId }) => workspaceId === done);
    const [next] = index >= 0 ? this.#waiting.splice(index, 1) : [];
    if (!next) return;
    this.#running.add(next.workspaceId);
    next.begin();
  }
}
