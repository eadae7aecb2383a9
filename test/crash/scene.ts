import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { parseId } from '#pillarbox/core/ids';
import { silent } from '#pillarbox/log/log';
import type { MailInput } from '#pillarbox/outbox/mail-input';
import { createPillarbox, type Pillarbox } from '#pillarbox/library/pillarbox';
import { openStore } from '#pillarbox/store/open';
import type { Script } from '#pillarbox/store/script';
import type { Store } from '#pillarbox/store/store';
import type { FreshDatabase } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import type { Arrivals } from './arrivals.js';
import { ahead, census, type Registered } from './census.js';
import { check, describeVerdict, violationsOf, type Verdict } from './checker.js';
import { FarSide } from './far-side.js';
import { WorkerProcess, type WorkerOptions } from './worker-process.js';

/** A mail that was answered for. */
export interface Accepted {
  readonly id: string;
  readonly number: number;
  readonly to: string;
}

/** Tests wait for what must happen, not for a time; this only ends one that would never end. */
export const PATIENT = { timeout: 5 * PATIENCE_MS };

/** Tried again without delay, so that a run does not wait. */
const AT_ONCE = { maxAttempts: 50, delaysSeconds: [0] };

/** Whoever the workers send to. */
export interface Destination extends Arrivals<{ readonly to: string }> {
  /** How a worker reaches it. */
  readonly address: Pick<WorkerOptions, 'port' | 'smtp'>;
  close(): Promise<void>;
}

/** A database, the far side, and the workers in between, with a front door in the test's own process. */
export class Scene<Far extends Destination = FarSide> {
  readonly accepted: Accepted[] = [];
  readonly cancelled: string[] = [];
  readonly workers: WorkerProcess[] = [];
  #addressed = 0;

  private constructor(
    readonly url: string,
    readonly box: Pillarbox,
    readonly store: Store,
    readonly farSide: Far,
    private readonly drop: () => Promise<void>,
  ) {}

  static async set<Far extends Destination>(
    database: FreshDatabase,
    openFarSide: () => Promise<Far>,
  ): Promise<Scene<Far>> {
    const { url } = database;
    const box = await createPillarbox({ databaseUrl: url, from: 'box@example.org' });
    const store = await openStore({ databaseUrl: url, leaseMs: 60_000, log: silent });
    return new Scene(url, box, store, await openFarSide(), () => database.drop());
  }

  /** Mails to people who get no other. Retried at once, so that a run does not wait. */
  mails(count: number, over: Partial<MailInput> = {}): MailInput[] {
    return Array.from({ length: count }, () => {
      this.#addressed += 1;
      const to = `r${this.#addressed}@example.org`;
      return { to, subject: 'Hello', text: 'Hello.', retryPolicy: AT_ONCE, onDoubt: 'hold', ...over };
    });
  }

  async enqueue(count: number, over: Partial<MailInput> = {}): Promise<Accepted[]> {
    const mails = this.mails(count, over);
    const { ids } = await this.box.outbox.enqueueMany(mails);
    return mails.map((mail, index) => this.accept(mail, ids[index]!));
  }

  async enqueueOne(over: Partial<MailInput> = {}): Promise<Accepted> {
    return (await this.enqueue(1, over))[0]!;
  }

  /** Notes that the caller was told "yes". */
  accept(mail: MailInput, id: string): Accepted {
    const accepted = { id, number: parseId('message', id)!, to: mail.to as string };
    this.accepted.push(accepted);
    return accepted;
  }

  /** Starts a worker; it may still be loading when this returns. */
  launch(over: Partial<WorkerOptions> = {}): WorkerProcess {
    const worker = new WorkerProcess({
      ...{ databaseUrl: this.url, leaseSeconds: 0.6, concurrency: 10 },
      ...this.farSide.address,
      ...over,
    });
    this.workers.push(worker);
    return worker;
  }

  start(over: Partial<WorkerOptions> = {}): Promise<WorkerProcess> {
    return this.launch(over).started();
  }

  /** Stops a worker where it has no lock on a SQLite file: until it went on, nobody else could write. */
  async standStill(worker: WorkerProcess): Promise<void> {
    worker.standStill();
    while (this.store.dialect === 'sqlite') {
      const written = this.store.transaction(() => nothing()).then(() => true);
      if (await Promise.race([written, sleep(1_000, false)])) return;
      worker.goOn();
      await written;
      worker.standStill();
    }
  }

  /** What the database knows of one message. */
  async registered({ number }: Accepted): Promise<Registered> {
    const all = await this.store.read(census(this.store));
    return all.find(({ id }) => id === number)!;
  }

  /** How many leases were lost, over all messages. */
  async leaseLosses(): Promise<number> {
    const all = await this.store.read(census(this.store));
    return all.reduce((sum, { leaseLosses }) => sum + leaseLosses, 0);
  }

  async stateOf({ id }: Accepted): Promise<string> {
    return (await this.box.messages.get(id)).state;
  }

  async untilState(mail: Accepted, state: string, timeoutMs = PATIENCE_MS): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while ((await this.stateOf(mail)) !== state) {
      if (performance.now() > deadline) {
        throw new Error(
          `${mail.to} is ${await this.stateOf(mail)}, not ${state}, after ${timeoutMs / 1_000} s`,
        );
      }
      await sleep(20);
    }
  }

  /** Waits until nothing is due or in flight. It does not fail at the deadline: the verdict tells what is stuck. */
  async drained(timeoutMs = 3 * PATIENCE_MS): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      if (await this.#isDrained().catch(() => false)) return;
      await sleep(30);
    }
  }

  /** Waits until the messages are in these states, and fails with the states they are in instead. */
  async untilStates(states: Readonly<Record<string, number>>, timeoutMs = PATIENCE_MS): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const { states: present } = await this.verdict();
      if (isDeepStrictEqual(present, states) || performance.now() > deadline) {
        expect(present).toEqual(states);
        return;
      }
      await sleep(50);
    }
  }

  async #isDrained(): Promise<boolean> {
    const { inFlight, nextDueAt } = await this.store.read(ahead(this.store));
    // The clock is read last: a retry at once that was settled before the look is due by then.
    return inFlight === 0 && (nextDueAt === null || nextDueAt > (await this.store.now()));
  }

  async verdict(): Promise<Verdict> {
    return check({
      accepted: this.accepted.map(({ to }) => to),
      cancelled: this.cancelled,
      delivered: this.farSide.delivered,
      registered: await this.store.read(census(this.store)),
      now: await this.store.now(),
    });
  }

  /** The verdict of a run in which nothing was lost and nothing doubled without being declared; fails if not. */
  async clean(title: string): Promise<Verdict> {
    const verdict = await this.verdict();
    const report = describeVerdict(title, verdict);
    if (process.env['CHAOS_REPORT']) console.log(report);
    if (violationsOf(verdict).length > 0) expect.fail(`${report}\n${this.#lastWords()}`);
    return verdict;
  }

  #lastWords(): string {
    return this.workers
      .map(({ warnings, output }) => [...warnings.slice(-3), output].join('\n').trim())
      .filter((words) => words !== '')
      .slice(-5)
      .join('\n');
  }

  async strike(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    await this.box.stop();
    await this.store.close();
    await this.farSide.close();
    await this.drop();
  }
}

function* nothing(): Script<void> {
  // Takes the lock and gives it back.
}

/** The body of a test that has a scene of its own, struck whatever happens. */
export const onScene = (
  database: { ready(): Promise<FreshDatabase> },
  act: (scene: Scene) => Promise<void>,
): (() => Promise<void>) => onSceneWith(() => FarSide.open(), database, act);

export const onSceneWith =
  <Far extends Destination>(
    openFarSide: () => Promise<Far>,
    database: { ready(): Promise<FreshDatabase> },
    act: (scene: Scene<Far>) => Promise<void>,
  ) =>
  async (): Promise<void> => {
    const scene = await Scene.set(await database.ready(), openFarSide);
    const failed: unknown[] = [];
    await act(scene).catch((error: unknown) => failed.push(error));
    // What went wrong first is what the test is about; a scene that can't be struck after that is no news.
    await scene.strike().catch((error: unknown) => failed.push(error));
    if (failed.length > 0) throw failed[0];
  };

/** A promise with its own switch: what the far side waits for until the test lets it go on. */
export function barrier<T = void>(): { readonly wait: Promise<T>; readonly open: (value: T) => void } {
  let resolve: (value: T) => void;
  const wait = new Promise<T>((resolved) => {
    resolve = resolved;
  });
  return {
    wait,
    open: (value) => {
      resolve(value);
    },
  };
}
