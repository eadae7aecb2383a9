import { fork, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isAlive } from '../../scripts/services/processes.mjs';
import { until } from '../../scripts/services/waiting.mjs';
import type { Said, WorkerOptions } from './worker.mjs';

export type { WorkerOptions } from './worker.mjs';

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Where a fault happened, and to which message. */
export interface Happened {
  readonly point: string;
  readonly id: number;
}

const PROGRAM = fileURLToPath(new URL('worker.mjs', import.meta.url));
const PATIENCE_MS = 30_000;

/** A worker as the test sees it: from outside. */
export class WorkerProcess {
  readonly happened: Happened[] = [];
  readonly warnings: string[] = [];
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  #ready = false;
  #wentOn = false;
  #output = '';
  #ending: Ending | undefined;

  constructor(options: WorkerOptions) {
    this.#child = fork(PROGRAM, [JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#ending = { code, signal };
        resolve(this.#ending);
      });
    });
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      this.#hear(JSON.parse(line) as Said);
    });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get alive(): boolean {
    return this.#ending === undefined && isAlive(this.pid);
  }

  /** What it wrote beside what it said: an uncaught error, for example. */
  get output(): string {
    return this.#output;
  }

  /** Whether it works, as opposed to loading. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Resolves once it works. */
  async started(): Promise<this> {
    await this.until('a worker', () => this.#ready);
    return this;
  }

  /** Resolves once this is true of what it said; fails if it ends before. */
  async until(what: string, condition: () => boolean): Promise<void> {
    await until(
      what,
      () => {
        if (condition()) return;
        const how = this.#ending ? `it ended with ${this.#ending.code ?? this.#ending.signal}` : 'not yet';
        throw new Error(`${how} ${this.#output} ${this.warnings.slice(-3).join('; ')}`);
      },
      { timeoutMs: PATIENCE_MS, everyMs: 10 },
    );
  }

  /** Resolves once a fault has happened here. */
  async untilFault(): Promise<Happened> {
    await this.until('a fault', () => this.happened.length > 0);
    return this.happened[0]!;
  }

  /** Resolves once it goes on after a fault that stopped it. */
  async untilItGoesOn(): Promise<void> {
    await this.until('a worker that goes on', () => this.#wentOn);
  }

  /** kill -9, whatever it is doing. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  /** SIGTERM, as a deployment does. */
  stop(): Promise<Ending> {
    this.#child.kill('SIGTERM');
    return this.ended;
  }

  standStill(): void {
    this.#child.kill('SIGSTOP');
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }

  #hear(said: Said): void {
    if ('ready' in said) this.#ready = true;
    else if ('wentOn' in said) this.#wentOn = true;
    else if ('point' in said) this.happened.push(said);
    else this.warnings.push(`${said.warned} (${said.why})`);
  }
}
