import { PillarboxError } from '../core/errors.js';
import { Blame } from './blame.js';
import { keyOf } from './keys.js';
import { Line } from './line.js';
import type { ThreadResult } from './protocol.js';
import type { Checked, RenderJob, Rendered, TemplateFault, TemplateSource } from './source.js';
import { RenderThread, type PoolJob, type ThreadOptions } from './thread.js';

export interface RenderPoolOptions extends Partial<ThreadOptions> {
  /** A job that stands still for so long is ended, with its thread. Default 500. */
  readonly deadlineMs?: number | undefined;
  /** How many jobs may wait. Default 20,000. */
  readonly mostWaiting?: number | undefined;
}

interface Ticket {
  readonly job: PoolJob;
  /** Whose turn it takes. */
  readonly of: string;
  /** It met a limit, or its thread ended while it was at it. All of these are wall time: one of them proves nothing. */
  strikes: number;
  readonly done: (result: ThreadResult) => void;
  readonly failed: (error: unknown) => void;
}

const DEADLINE_MS = 500;
const LOOKS = 5;
/** So many deadlines are waited for on a machine that has no time for us. */
const STARVED = 10;
const MEMORY_MB = 128;
const MOST_WAITING = 20_000;
const BATCH = 100;
const MOST_FAILED_STARTS = 3;

/**
 * Renders in a thread that can be ended, with a spare one that is warm. Whoever stands still there loses the thread;
 * the others of its batch are rendered all the same, and it is tried once more alone before it is blamed. Threads are
 * started when they are first needed. Those whose jobs they are take turns: nobody waits for all of another's.
 */
export class RenderPool {
  readonly #options: ThreadOptions;
  readonly #lookMs: number;
  readonly #mostWaiting: number;
  readonly #blame = new Blame(() => performance.now());
  readonly #waiting = new Line<Ticket>();
  #thread: RenderThread | undefined;
  #spare: RenderThread | undefined;
  #work: { readonly tickets: Ticket[]; readonly watch: NodeJS.Timeout } | undefined;
  #isStopping = false;
  #failedStarts = 0;
  #ending: Promise<void>[] = [];

  constructor(options: RenderPoolOptions = {}) {
    const { deadlineMs = DEADLINE_MS, memoryMb = MEMORY_MB, mostWaiting = MOST_WAITING, program } = options;
    this.#options = { memoryMb, program };
    this.#lookMs = deadlineMs / LOOKS;
    this.#mostWaiting = mostWaiting;
  }

  /** One answer a job, in their order. Throws `busy` if too many wait already, `stopped` after a stop. */
  async render(jobs: readonly RenderJob[]): Promise<Rendered[]> {
    const results = await Promise.all(this.#take(jobs));
    return results.map((result) => ('fault' in result ? { fault: result.fault } : (result as Rendered)));
  }

  /** What can be said of a template before it is used. Reading it can be hostile as well. */
  async check(source: TemplateSource, of?: string): Promise<Checked> {
    const [result] = await Promise.all(this.#take([{ check: source, of }]));
    if (result && 'checked' in result) return result.checked;
    const fault = result && 'fault' in result ? result.fault : SLOW;
    const part = source.html === undefined ? 'text' : 'html';
    return { faults: [{ part, line: 1, suggestion: null, ...fault }], variables: [], text: null };
  }

  /** Nothing is rendered any more; who waits is told so. */
  async close(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#work?.watch);
    const tickets = [...(this.#work?.tickets ?? []), ...this.#waiting.takeAll()];
    this.#work = undefined;
    for (const { failed } of tickets) failed(stopped());
    for (const thread of [this.#thread, this.#spare]) this.#end(thread);
    await Promise.all(this.#ending);
  }

  #take(jobs: readonly PoolJob[]): Promise<ThreadResult>[] {
    if (this.#isStopping) throw stopped();
    if (this.#waiting.length + jobs.length > this.#mostWaiting) {
      throw new PillarboxError('busy', 'too many mails wait to be rendered; try again in a moment', {
        retryAfterSeconds: 1,
      });
    }
    const tickets: Ticket[] = [];
    const answers = jobs.map(
      (job) =>
        new Promise<ThreadResult>((done, failed) => {
          tickets.push({ job, of: job.of ?? templateOf(job), strikes: 0, done, failed });
        }),
    );
    this.#waiting.push(tickets);
    this.#next();
    return answers;
  }

  #next(): void {
    if (this.#isStopping || this.#work || this.#waiting.length === 0) return;
    this.#thread ??= this.#start();
    if (!this.#thread.isReady) {
      this.#thread.keepAlive();
      return;
    }
    const tickets = this.#nextBatch();
    if (tickets) this.#give(this.#thread, tickets);
  }

  /** What is to blame is answered without a try. */
  #nextBatch(): Ticket[] | undefined {
    while (this.#waiting.length > 0) {
      const open = this.#waiting.take(BATCH).filter(({ job, done }) => {
        const fault = this.#blame.faultOf(templateOf(job));
        if (fault) done({ fault });
        return fault === undefined;
      });
      if (open.length > 0) return open;
    }
    return undefined;
  }

  #give(thread: RenderThread, tickets: Ticket[]): void {
    let seen = thread.at;
    let looks = 0;
    let cpu = cpuMs();
    const watch = setInterval(() => {
      if (thread.at !== seen) {
        seen = thread.at;
        looks = 0;
        cpu = cpuMs();
        return;
      }
      // Looks are counted, not time: while this process stood still itself, nobody was seen standing still.
      looks += 1;
      // And whoever runs away uses the machine; one who is only not let onto it does not.
      const isRunning = cpuMs() - cpu >= (LOOKS * this.#lookMs) / 2;
      if (looks >= LOOKS * STARVED || (looks >= LOOKS && isRunning)) {
        clearInterval(watch);
        thread.terminate();
      }
    }, this.#lookMs);
    this.#work = { tickets, watch };
    thread.give(tickets.map(({ job }) => job));
  }

  #start(): RenderThread {
    const thread: RenderThread = new RenderThread(this.#options, {
      ready: () => {
        this.#failedStarts = 0;
        if (thread === this.#thread) this.#spare ??= this.#start();
        this.#next();
      },
      done: (results) => this.#done(results),
      gone: (cause) => this.#gone(thread, cause),
    });
    return thread;
  }

  #done(results: readonly ThreadResult[]): void {
    const { tickets, watch } = this.#work ?? {};
    if (!tickets) return;
    clearInterval(watch);
    this.#work = undefined;
    const alone: Ticket[] = [];
    const later: Ticket[] = [];
    for (const [index, ticket] of tickets.entries()) {
      const result = results[index] ?? { later: true };
      if ('later' in result) later.push(ticket);
      else if (!isSlow(result)) this.#answer(ticket, result);
      else if (this.#isTriedAgain(ticket, result.fault)) alone.push(ticket);
    }
    // Before the rest of theirs: if they are blamed, that needs no try.
    this.#waiting.pushAlone(alone);
    this.#waiting.putBack(later, tickets[0]?.of);
    this.#next();
  }

  #answer({ job, done }: Ticket, result: ThreadResult): void {
    // Also what is refused in the end costs the others' time, a million times over.
    if ('costly' in result && result.costly) this.#blame.note(templateOf(job));
    done(result);
  }

  /** Once, and alone; after that it is blamed. */
  #isTriedAgain(ticket: Ticket, fault: TemplateFault): boolean {
    ticket.strikes += 1;
    if (ticket.strikes === 1) return true;
    this.#blame.note(templateOf(ticket.job));
    ticket.done({ fault });
    return false;
  }

  #gone(thread: RenderThread, cause: unknown): void {
    if (this.#isStopping) return;
    if (!thread.isReady) this.#failedStarts += 1;
    if (thread === this.#spare) {
      this.#spare = undefined;
      return;
    }
    if (thread !== this.#thread) return;
    this.#thread = this.#spare;
    this.#spare = undefined;
    this.#takeOver(thread, cause);
    if (this.#failedStarts >= MOST_FAILED_STARTS) this.#giveUp(cause);
    if (this.#thread?.isReady) this.#spare = this.#start();
    this.#next();
  }

  /** Whoever the thread was at gets a strike; the others are rendered by the next one. */
  #takeOver(thread: RenderThread, cause: unknown): void {
    const { tickets, watch } = this.#work ?? {};
    if (!tickets) return;
    clearInterval(watch);
    this.#work = undefined;
    const at = Math.max(0, thread.at);
    const isMemory = (cause as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
    const culprit = tickets[at];
    const isAgain = culprit && this.#isTriedAgain(culprit, isMemory ? LARGE : SLOW);
    this.#waiting.pushAlone(isAgain ? [culprit] : []);
    this.#waiting.putBack(
      tickets.filter((ticket) => ticket !== culprit),
      culprit?.of,
    );
  }

  /** No thread can be started here. Whoever waits is told why; the next one tries again. */
  #giveUp(cause: unknown): void {
    const tickets = this.#waiting.takeAll();
    this.#failedStarts = 0;
    const error = new Error('templates can not be rendered: no thread starts', { cause });
    for (const { failed } of tickets) failed(error);
  }

  #end(thread: RenderThread | undefined): void {
    if (!thread) return;
    this.#ending.push(thread.ended);
    thread.terminate();
  }
}

/** Of the whole process, the thread included. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const templateOf = (job: PoolJob): string =>
  'check' in job ? `check ${keyOf(job.check)}` : keyOf(job.source);

const isSlow = (result: ThreadResult): result is { readonly fault: TemplateFault } =>
  'fault' in result && result.fault.code === 'template_too_slow';

const SLOW: TemplateFault = {
  code: 'template_too_slow',
  message: 'rendering took too long, and was stopped',
};
const LARGE: TemplateFault = {
  code: 'template_too_large',
  message: 'rendering took too much memory, and was stopped',
};

const stopped = (): PillarboxError =>
  new PillarboxError('stopped', 'this Pillarbox was stopped; make a new one');
