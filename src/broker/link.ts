import { setTimeout as sleep } from 'node:timers/promises';
import { QUEUES, type QueueName, type QueueType } from '../core/dispatch-message.js';
import { OutageLog, type Logger } from '../log/log.js';
import { Wire, type QueueStanding } from './amqp.js';

/** What the rest of the process does with a connection. */
export interface LinkUser {
  /**
   * A connection is there, and the queues. `awayTick`: when, by this process's steady clock, it was last tried in vain;
   * undefined: never since the connection before.
   */
  up?(wire: Wire, awayTick: number | undefined): void | Promise<void>;
  /** It is gone: what was under way on it is not known. */
  down?(): void;
}

export interface LinkOptions {
  readonly url: string;
  /** How queues are made that are not there; unsaid, as the broker likes. */
  readonly queueType?: QueueType | undefined;
  /** How the broker's own list of connections calls it. */
  readonly name: string;
  readonly log: Logger;
}

export interface BrokerView {
  readonly product: string;
  /** When this was seen, by this machine's clock. */
  readonly at: number;
  readonly queues: Readonly<Partial<Record<QueueName, QueueStanding>>>;
}

/** Where a broker is looked for; and, while none can be used, why not, and after how many tries. */
export interface BrokerContact {
  readonly host: string;
  /** Since when there is a connection, by this machine's clock; undefined: there is none. */
  readonly upSince: number | undefined;
  readonly trouble: { readonly why: string; readonly tries: number } | undefined;
}

export type BrokerStanding = 'up' | 'blocked' | 'down';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** So long the queues may take to be looked after, and users to begin: a queue that is being deleted may not answer. */
const SETUP_MS = 10_000;
/** Looking often must not cost often. */
const VIEW_KEPT_MS = 1_000;
/** After a publish that failed: a broker that takes nothing is asked more and more rarely. */
const LONGEST_PENANCE_MS = 30_000;

/**
 * The connection of this process to its broker, opened again whenever it breaks: the queues are looked after, then its
 * users are told. A channel on which a publish has failed is not trusted any more: on a quorum queue that was deleted
 * and made anew it would never be confirmed anything again, and never be closed either.
 */
export class Link {
  #wire: Wire | undefined;
  #closing = false;
  #running: Promise<void> | undefined;
  #wake: () => void = () => undefined;
  #penance = 0;
  #distrusted: Wire | undefined;
  #goneTick = performance.now();
  #awayTick: number | undefined;
  #upSince: number | undefined;
  #trouble: { why: string; tries: number } | undefined;
  #view: BrokerView | undefined;
  #looking: Promise<BrokerView> | undefined;
  readonly #users: LinkUser[] = [];
  readonly #troubles: OutageLog;

  constructor(private readonly options: LinkOptions) {
    this.#troubles = new OutageLog(
      options.log,
      'the broker cannot be used; trying again',
      'the broker can be used again',
    );
  }

  get wire(): Wire | undefined {
    return this.#wire === this.#distrusted ? undefined : this.#wire;
  }

  get standing(): BrokerStanding {
    if (!this.wire) return 'down';
    return this.wire.blocked ? 'blocked' : 'up';
  }

  /** For how long there is no connection; 0: there is one. */
  get silentMs(): number {
    return this.wire ? 0 : performance.now() - this.#goneTick;
  }

  get contact(): BrokerContact {
    return { host: new URL(this.options.url).host, upSince: this.#upSince, trouble: this.#trouble };
  }

  /** What answered last, and how its queues stood then; undefined: nothing ever did. One question at a time. */
  async look(): Promise<BrokerView | undefined> {
    const { wire } = this;
    if (!wire || Date.now() - (this.#view?.at ?? 0) < VIEW_KEPT_MS) return this.#view;
    this.#looking ??= this.#ask(wire).finally(() => (this.#looking = undefined));
    return this.#looking.catch(() => this.#view);
  }

  async #ask(wire: Wire): Promise<BrokerView> {
    const queues: Partial<Record<QueueName, QueueStanding>> = {};
    for (const queue of Object.values(QUEUES)) {
      const standing = await wire.standing(queue);
      if (standing) queues[queue] = standing;
    }
    this.#view = { product: wire.product, at: Date.now(), queues };
    return this.#view;
  }

  /** Before it is opened. */
  use(user: LinkUser): void {
    this.#users.push(user);
  }

  open(): void {
    this.#running ??= this.#run();
  }

  /** This connection has failed in its work: another one, after a while. */
  distrust(wire: Wire, why: string): void {
    if (wire !== this.#wire || wire === this.#distrusted) return;
    this.#distrusted = wire;
    this.#penance = Math.min(LONGEST_PENANCE_MS, Math.max(2 * this.#penance, FIRST_PAUSE_MS));
    wire.drop(why);
  }

  /** It has done its work. */
  trust(): void {
    this.#penance = 0;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#wake();
    const wire = this.#wire;
    await wire?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#closing; failures += 1) {
      const tick = performance.now();
      const lived = await this.#live();
      if (lived) failures = 0;
      // When it began: what others have published while it was waited for may have found the broker up.
      else this.#awayTick = tick;
      const pause = Math.max(
        this.#penance,
        Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 8)),
      );
      // Not all processes at the same moment.
      await this.#rest(pause * (0.75 + Math.random() / 4));
    }
  }

  /** One connection, from its beginning to its end. False: there was none. */
  async #live(): Promise<boolean> {
    let wire: Wire | undefined;
    let gone: Promise<string> | undefined;
    try {
      gone = new Promise((resolve) => (this.#wake = () => resolve('closed')));
      const broken = new Promise<string>((resolve) => {
        void this.#connect(resolve).then(
          (opened) => (wire = opened),
          (error: unknown) => resolve(whyOf(error)),
        );
      });
      const why = await Promise.race([broken, gone]);
      if (!this.#closing) this.#failed(why);
      return wire !== undefined;
    } finally {
      const had = this.#wire !== undefined;
      this.#wire = undefined;
      this.#upSince = undefined;
      if (had) this.#goneTick = performance.now();
      if (had) for (const user of this.#users) user.down?.();
      void wire?.close();
    }
  }

  #failed(why: string): void {
    this.#trouble = { why, tries: (this.#trouble?.tries ?? 0) + 1 };
    this.#troubles.failed(new Error(why));
  }

  async #connect(down: (why: string) => void): Promise<Wire> {
    const { url, name, queueType } = this.options;
    const wire = await Wire.open(url, down, name);
    const setup = { late: false };
    const deadline = setTimeout(() => {
      setup.late = true;
      wire.drop('the broker does not answer for its queues');
    }, SETUP_MS);
    try {
      for (const queue of Object.values(QUEUES)) await wire.declare(queue, queueType);
      if (this.#closing || setup.late) throw new Error('closing, or too late');
      this.#wire = wire;
      for (const user of this.#users) await user.up?.(wire, this.#awayTick);
      this.#troubles.worked();
      this.#trouble = undefined;
      this.#awayTick = undefined;
      this.#upSince = Date.now();
      return wire;
    } catch (error) {
      void wire.close();
      throw error;
    } finally {
      clearTimeout(deadline);
    }
  }

  async #rest(ms: number): Promise<void> {
    if (this.#closing) return;
    const ended = new AbortController();
    this.#wake = () => ended.abort();
    await sleep(ms, undefined, { signal: ended.signal }).catch(() => undefined);
  }
}

/** Of several addresses that were tried an error may have no words of its own. */
const whyOf = (error: unknown): string => {
  const { code, message } = error as { code?: unknown; message?: string };
  if (message !== undefined && message !== '') return message;
  return typeof code === 'string' ? code : String(error);
};
