import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CampaignSimulator, SimulationLimits } from '../campaigns/simulator.js';
import { PillarboxError } from '../core/errors.js';
import { readDays, readDescription, type DescriptionInput, type Simulation } from '../core/simulation.js';
import type { CampaignTask, Said, StoreAccess, Task } from './task.js';

const PROGRAM = fileURLToPath(new URL('./child.js', import.meta.url));
/** A million messages need less. */
const MEMORY_MB = 2_048;
const ASK_AGAIN_SECONDS = 5;

/** Simulates campaigns in a process beside this one, so that nothing here waits for it: one at a time. */
export class Simulator implements CampaignSimulator {
  #child: ChildProcess | undefined;

  constructor(private readonly access: StoreAccess) {}

  async campaign(task: Omit<CampaignTask, 'access'>, limits: SimulationLimits = {}): Promise<Simulation> {
    if (this.#child)
      throw new PillarboxError('conflict', 'a simulation is under way here; ask again when it is over', {
        retryAfterSeconds: ASK_AGAIN_SECONDS,
      });
    const child = begin();
    this.#child = child;
    try {
      return await answerOf(child, { ...task, access: this.access }, limits);
    } finally {
      this.#child = undefined;
    }
  }

  /** Whoever waits for one is told. */
  close(): void {
    this.#child?.kill('SIGKILL');
  }
}

export interface DescribedOptions extends Omit<SimulationLimits, 'seconds'> {
  readonly days?: number | undefined;
  /** From when on. Default: now. */
  readonly from?: number | undefined;
}

/** A campaign that nobody has made: needs no database. Throws `invalid_input` with the field. */
export function simulate(
  description: DescriptionInput,
  { days, from = Date.now(), onProgress }: DescribedOptions = {},
): Promise<Simulation> {
  const task = { description: readDescription(description), days: readDays(days), from };
  return answerOf(begin(), task, { onProgress });
}

/** It inherits nothing of how this process was started. */
const begin = (): ChildProcess =>
  fork(PROGRAM, {
    execArgv: [`--max-old-space-size=${String(MEMORY_MB)}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

function answerOf(
  child: ChildProcess,
  task: Task,
  { seconds, onProgress }: SimulationLimits,
): Promise<Simulation> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(error);
    };
    const timer =
      seconds === undefined
        ? undefined
        : setTimeout(() => {
            fail(new PillarboxError('busy', `it takes longer than ${seconds} s; ${ELSEWHERE}`));
          }, seconds * 1_000);
    child.on('message', (said: Said) => {
      if ('done' in said) onProgress?.(said.done, said.total);
      else if ('simulation' in said) resolve(said.simulation);
      else fail(errorOf(said.failed));
    });
    child.once('error', fail);
    // Not at its exit, which may be heard before its last words. After an answer nobody hears it any more.
    child.once('close', (code: number | null, signal: string | null) =>
      fail(new PillarboxError('stopped', `the simulation was ended before its end (${signal ?? code})`)),
    );
    child.send(task, (error) => {
      if (error) fail(error);
    });
  });
}

const ELSEWHERE = 'pillarbox simulate takes the time that it needs';

const errorOf = ({ code, message }: Extract<Said, { failed: object }>['failed']): Error =>
  code ? new PillarboxError(code, message) : new Error(message);
