import { OutageLog, type Logger } from '../log/log.js';
import { runningImports } from '../store/scripts/imports.js';
import type { Store } from '../store/store.js';
import type { ImportRunner } from './import-runner.js';

const EVERY_MS = 5_000;
const AT_ONCE = 100;

/**
 * Finds imports that nobody is at any more, because the process that began them has died, and goes on with them: those that
 * stand where they stood at the last look. Keeps no process alive.
 */
export class ImportWatch {
  readonly #troubles: OutageLog;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #seen = new Map<number, number>();

  constructor(
    private readonly store: Store,
    private readonly runnerOf: (workspaceId: number) => Promise<ImportRunner>,
    log: Logger,
  ) {
    this.#troubles = new OutageLog(log, 'imports could not be looked for', 'imports are looked for again');
  }

  start(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => this.#lookAgain(), EVERY_MS).unref();
    // What stands still now is gone on with at the next look.
    this.#lookAgain();
  }

  #lookAgain(): void {
    this.#looking ??= this.look().finally(() => {
      this.#looking = undefined;
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  /** One look. What stands where it stood at the one before is gone on with. */
  async look(): Promise<void> {
    try {
      const running = await this.store.read(runningImports(this.store, AT_ONCE));
      const still = running.filter(({ id, nextPiece }) => this.#seen.get(id) === nextPiece);
      this.#seen = new Map(running.map(({ id, nextPiece }) => [id, nextPiece]));
      for (const { id, workspaceId } of still) void (await this.runnerOf(workspaceId)).run(id);
      this.#troubles.worked();
    } catch (error) {
      this.#troubles.failed(error);
    }
  }
}
