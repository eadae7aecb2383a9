import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isAlive } from '../../scripts/services/processes.mjs';
import { until } from '../../scripts/services/waiting.mjs';
import { PATIENCE_MS } from '../patience.js';
import { inFewFiles } from './in-few-files.js';
import type { ClockError, Said, Told, WorkerOptions } from './worker.mjs';

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

const PROGRAM = await inFewFiles('worker.mjs');

/** A worker as the test sees it: from outside. */
export class WorkerProcess {
  readonly happened: Happened[] = [];
  readonly warnings: string[] = [];
  /** What had failed and works again, by the words for it. */
  readonly recoveries = new Map<string, { readonly failures: number; readonly seconds: number }>();
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  #loaded = false;
  #ready = false;
  #wentOn = false;
  #clock: ClockError | undefined;
  #now: number | undefined;
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

  /** Resolves once one that waits has loaded. */
  loaded(): Promise<void> {
    return this.until('a worker that has loaded', () => this.#loaded);
  }

  /** Tells one that waits. */
  begin(): void {
    this.#tell({ begin: true });
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

  /** Sets its wall clock while it works; for a worker that was started with an error of its clock, if only 0. */
  async setClock(error: ClockError): Promise<void> {
    this.#tell({ clock: error });
    await this.until('a clock that is set', () => this.#clock === error);
  }

  /** Sets its virtual clock while it works: from here on it runs on from this instant like a real one. */
  async setNow(now: number): Promise<void> {
    this.#tell({ now });
    await this.until('a virtual clock that is set', () => this.#now === now);
  }

  standStill(): void {
    this.#child.kill('SIGSTOP');
  }

  /** For one whose fault stopped it: it says so before it stands still, and a signal that came too early would be lost. */
  async untilItStands(): Promise<void> {
    await this.until('a worker that stands still', () => isStopped(this.pid));
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }

  #tell(told: Told): void {
    this.#child.send(told);
  }

  #hear(said: Said): void {
    if ('ready' in said) this.#ready = true;
    else if ('loaded' in said) this.#loaded = true;
    else if ('begin' in said) return;
    else if ('now' in said) this.#now = said.now;
    else if ('wentOn' in said) this.#wentOn = true;
    else if ('clock' in said) this.#clock = said.clock;
    else if ('point' in said) this.happened.push(said);
    else if ('over' in said) this.recoveries.set(said.over, said);
    else this.warnings.push(`${said.warned} (${said.why})`);
  }
}

/** Behind the name of the program, which may hold anything, stands its state. */
const isStopped = (pid: number): boolean =>
  readFileSync(`/proc/${String(pid)}/stat`, 'utf8').includes(') T ');
