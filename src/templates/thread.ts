import { Worker } from 'node:worker_threads';
import { keyOf, lettersOf } from './keys.js';
import type { Batch, ThreadData, ThreadJob, ThreadResult, ThreadSaid } from './protocol.js';
import type { RenderJob, Setting, TemplateSource } from './source.js';

/** What a thread may keep in mind before it is told to forget: letters of templates and settings. */
const MOST_LETTERS = 2_000_000;
const NOTHING_YET = -1;

export type PoolJob = RenderJob | { readonly check: TemplateSource; readonly of?: string | undefined };

export interface ThreadOptions {
  readonly memoryMb: number;
  /** For tests: another program instead of the one that renders. */
  readonly program?: URL | undefined;
}

export interface ThreadEvents {
  ready(): void;
  done(results: readonly ThreadResult[]): void;
  /** Ended by us, by its memory limit, or by itself. */
  gone(cause: unknown): void;
}

/** One thread that renders, seen from outside: what it knows, where it is, and its end. */
export class RenderThread {
  readonly #worker: Worker;
  readonly #progress = new Int32Array(new SharedArrayBuffer(4));
  readonly #known = new Set<string>();
  #letters = 0;
  #batch = 0;
  readonly ended: Promise<void>;
  isReady = false;

  constructor(
    { memoryMb, program = new URL('./render-thread.js', import.meta.url) }: ThreadOptions,
    events: ThreadEvents,
  ) {
    const workerData: ThreadData = { progress: this.#progress.buffer };
    this.#worker = new Worker(program, {
      workerData,
      // Flags of whoever imports this are not for a thread that only renders.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    this.#worker.unref();
    let cause: unknown = new Error('the thread ended');
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#worker.on('message', (said: ThreadSaid) => {
      if ('ready' in said) {
        this.isReady = true;
        this.#worker.unref();
        events.ready();
      } else if (said.id === this.#batch) {
        this.#worker.unref();
        events.done(said.results);
      }
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        events.gone(cause);
        resolve();
      });
    });
  }

  /** Until it is ready: somebody waits for that. */
  keepAlive(): void {
    this.#worker.ref();
  }

  /** The process stays alive for what it is at. */
  give(jobs: readonly PoolJob[]): void {
    Atomics.store(this.#progress, 0, NOTHING_YET);
    this.#worker.ref();
    this.#worker.postMessage(this.#batchOf(jobs));
  }

  /** At which job of its batch it is. */
  get at(): number {
    return Atomics.load(this.#progress, 0);
  }

  terminate(): void {
    void this.#worker.terminate();
  }

  #batchOf(jobs: readonly PoolJob[]): Batch {
    const forget = this.#letters > MOST_LETTERS;
    if (forget) {
      this.#known.clear();
      this.#letters = 0;
    }
    this.#batch += 1;
    const sources: [string, TemplateSource][] = [];
    const settings: [string, Setting][] = [];
    const threadJobs = jobs.map((job): ThreadJob => {
      if ('check' in job) return { check: job.check };
      const source = this.#tell('source', job.source, sources);
      const setting = this.#tell('setting', job.setting, settings);
      return { source, setting, own: job.own };
    });
    return { id: this.#batch, forget, sources, settings, jobs: threadJobs };
  }

  #tell<T extends TemplateSource | Setting>(kind: string, it: T, untold: [string, T][]): string {
    const key = keyOf(it);
    const name = `${kind} ${key}`;
    if (!this.#known.has(name)) {
      this.#known.add(name);
      this.#letters += lettersOf(it);
      untold.push([key, it]);
    }
    return key;
  }
}
