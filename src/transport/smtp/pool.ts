import type { Gate } from '../transport.js';
import { ConnectBackoff } from './connect-backoff.js';
import { SmtpConnection, type ConnectionOptions } from './connection.js';
import { Deadlines } from './deadlines.js';
import type { Envelope } from './envelope.js';
import { GateTiming } from './gate-timing.js';
import { PeerHabits } from './habits.js';
import { isClosing, wantsFewerConnections } from './reply.js';
import { notBegun, type Transmission, type Failure } from './report.js';
import type { TlsSessions } from './socket.js';
import { Ticket } from './ticket.js';

export interface PoolOptions {
  readonly connection: Omit<
    ConnectionOptions,
    'deadlines' | 'habits' | 'onClose' | 'onRoom' | 'mayStay' | 'mailsInFlight' | 'tlsSessions'
  >;
  readonly maxConnections?: number;
  readonly maxMailsPerConnection?: number;
  readonly maxAgeMs?: number;
  /** How long the last idle connection is kept for the next mail; the others go after a while. */
  readonly keptMs?: number;
  /** Mails without an answer on each connection, where the server offers CHUNKING. Default 1. */
  readonly mailsInFlight?: number;
  /** What is known of the server, shared by all pools that talk to it. */
  readonly habits?: PeerHabits;
  /** Shared by all pools of a process, if given. */
  readonly deadlines?: Deadlines;
  /** For tests: another kind of connection. */
  readonly connect?: (options: ConnectionOptions) => SmtpConnection;
}

const MAX_CONNECTIONS = 5;
const MAX_MAILS_PER_CONNECTION = 100;
const MAX_AGE_MS = 5 * 60_000;
/** The last idle one is kept almost as long as servers do, which is five minutes (RFC 5321, 4.5.3.2.7). */
const KEPT_MS = 4.5 * 60_000;
/** After a server asked for fewer connections, one more is tried each time this has passed in peace. */
const RAISE_AFTER_MS = 5 * 60_000;
const STOPPED: Failure = { phase: 'idle', code: 'ESTOPPED' };
const TOO_LATE: Failure = { phase: 'gate', code: 'EGATE', detail: 'the answer of the gate was too old' };

/** A mail that waits for a connection, or is on one. */
interface Job {
  readonly envelope: Envelope;
  readonly mail: Buffer;
  readonly ticket: Ticket;
  readonly gateLast: boolean;
  /** Takes only a connection that was opened just now. */
  readonly fresh: boolean;
  /** `stale`: nothing of it was taken, by a connection that was there before. */
  readonly done: (transmission: Transmission, stale: boolean) => void;
}

/**
 * The connections of one account. Mails wait in the order in which they came; a connection is kept for the next
 * mail until it is old, worn or idle, and takes the next one as soon as the last byte of the one before is written.
 * No mail is ever sent again behind the caller's back, with one exception that can't double it: a connection that
 * turns out to be dead before anything of the mail was taken.
 */
export class SmtpPool {
  readonly #options: PoolOptions;
  readonly #deadlines: Deadlines;
  readonly #habits: PeerHabits;
  readonly #backoff = new ConnectBackoff();
  readonly #timing = new GateTiming();
  readonly #tlsSessions: TlsSessions = {};
  /** Everything that takes a place: opening, idle or busy. */
  readonly #connections = new Set<SmtpConnection>();
  readonly #opening = new Set<SmtpConnection>();
  readonly #idle: SmtpConnection[] = [];
  /** Busy, with room for another mail behind theirs, in the order in which they will have answered. */
  readonly #roomy = new Set<SmtpConnection>();
  readonly #waiting: Job[] = [];
  #cap: number;
  /** At most the cap; lower while the server wants fewer. */
  #ceiling: number;
  #ceilingSetAt = 0;
  #paceTimer: NodeJS.Timeout | undefined;
  #sends = 0;
  #stopped = false;
  #onQuiet: (() => void) | undefined;
  #drained: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#deadlines = options.deadlines ?? new Deadlines();
    this.#habits = options.habits ?? new PeerHabits();
    this.#cap = this.#ceiling = Math.max(1, options.maxConnections ?? MAX_CONNECTIONS);
  }

  /** How many mails to work on at once: those that may be on the wire, and some that wait behind each connection. */
  get capacity(): number {
    const behind = this.#timing.behindEach;
    return behind === 0 ? this.#cap : this.#cap * (this.#together + behind);
  }

  /** How many mails each connection has without an answer. */
  get #together(): number {
    const { mailsInFlight = 1 } = this.#options;
    if (mailsInFlight === 1) return 1;
    return [...this.#connections].some(({ chunks }) => chunks) ? mailsInFlight : 1;
  }

  setCap(cap: number): void {
    this.#cap = this.#ceiling = Math.max(1, cap);
    while (this.#connections.size > this.#ceiling && this.#idle.length > 0) this.#idle.shift()?.quit();
    this.#serve();
  }

  /** Never rejects. Waits for a connection as long as it takes. The transmission is given after the gate has answered. */
  async send(envelope: Envelope, mail: Buffer, gate: Gate, gateLast = false): Promise<Transmission> {
    this.#sends++;
    const ticket = new Ticket(gate, (ms) => this.#timing.gateTook(ms));
    if (!gateLast && this.#mayAskAhead()) ticket.take();
    const attempt = (fresh: boolean): Promise<{ transmission: Transmission; stale: boolean }> =>
      new Promise((resolve) => {
        const done: Job['done'] = (transmission, stale) => resolve({ transmission, stale });
        this.#enlist({ envelope, mail, ticket, gateLast, fresh, done });
      });
    const first = await attempt(false);
    // The server closed a kept connection just as we wrote MAIL: the normal end of a kept connection, no attempt.
    const { transmission } = first.stale ? await this.#again(ticket, () => attempt(true)) : first;
    const gated = ticket.asked ? await ticket.passed() : false;
    if (--this.#sends === 0) this.#onQuiet?.();
    return gated === transmission.gated ? transmission : { ...transmission, gated };
  }

  /** Its gate may have been asked long before the connection turned out to be dead. */
  async #again<T>(ticket: Ticket, attempt: () => Promise<T>): Promise<T | { transmission: Transmission }> {
    return ticket.isOld ? { transmission: notBegun(TOO_LATE) } : attempt();
  }

  /** Not for all that wait: what has passed the gate is in doubt if this process dies. */
  #mayAskAhead(): boolean {
    return this.#timing.isNextDoor && this.#sends <= this.capacity;
  }

  /** Takes no more mails, lets those on the wire end, and takes leave of the server. */
  drain(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#paceTimer);
    for (const job of this.#waiting.splice(0)) job.done(notBegun(STOPPED), false);
    for (const connection of this.#opening) connection.destroy();
    for (const connection of [...this.#idle]) connection.quit();
    this.#drained ??= new Promise((resolve) => {
      if (this.#sends === 0) resolve();
      else this.#onQuiet = resolve;
    });
    return this.#drained;
  }

  #enlist(job: Job): void {
    if (this.#stopped) return job.done(notBegun(STOPPED), false);
    // A second try has waited its turn before.
    if (job.fresh) this.#waiting.unshift(job);
    else this.#waiting.push(job);
    this.#serve();
  }

  /** Writes it at once, in the same write as whatever the connection is writing. */
  #give(connection: SmtpConnection, job: Job, kept: boolean): void {
    const { ticket, gateLast } = job;
    const startedAt = performance.now();
    let gateMs = 0;
    let passedAt = startedAt;
    const gate: Gate = async () => {
      const askedAt = performance.now();
      const passed = await ticket.gate();
      passedAt = performance.now();
      gateMs = passedAt - askedAt;
      return passed;
    };
    const timer = connection.isIdle || gateLast ? undefined : this.#askInTime(connection, ticket);
    void connection.send(job.envelope, job.mail, gate, gateLast).then((transmission) => {
      clearTimeout(timer);
      const endedAt = performance.now();
      // What was not invited was written when its gate had passed.
      if (transmission.left === 'yes')
        this.#timing.turnTook(connection.chunks ? endedAt - passedAt : endedAt - startedAt - gateMs);
      if (transmission.reply && wantsFewerConnections(transmission.reply)) this.#lowerCeiling();
      this.#release(connection);
      job.done(transmission, kept && diedUnused(transmission));
    });
  }

  /** So that its gate has answered when its turn comes: on the wire by halves, or behind those that are in the air. */
  #askInTime(connection: SmtpConnection, ticket: Ticket): NodeJS.Timeout | undefined {
    const wait = this.#timing.askAfterMs(connection.chunks ? 1 / this.#together : 1 / 2);
    if (wait === undefined) return undefined;
    if (wait >= 1) return setTimeout(() => ticket.take(), wait);
    ticket.take();
    return undefined;
  }

  #release(connection: SmtpConnection): void {
    if (connection.ended || !connection.isIdle || this.#idle.includes(connection)) return;
    this.#roomy.delete(connection);
    if (this.#stopped || this.#isWorn(connection) || this.#connections.size > this.#ceiling)
      return connection.quit();
    this.#idle.push(connection);
    this.#serve();
  }

  #isWorn(connection: SmtpConnection): boolean {
    const { maxMailsPerConnection = MAX_MAILS_PER_CONNECTION, maxAgeMs = MAX_AGE_MS } = this.#options;
    return connection.mails >= maxMailsPerConnection || performance.now() - connection.openedAt >= maxAgeMs;
  }

  /** Gives waiting mails what is idle, opens what is missing, and lets the others ride behind those on the wire. */
  #serve(): void {
    while (this.#idle.length > 0 && this.#waiting.some(({ fresh }) => !fresh)) {
      // The last one used: the others then grow idle and go.
      const connection = this.#idle.pop();
      if (!connection) break;
      if (this.#isWorn(connection)) {
        connection.quit();
        continue;
      }
      const job = this.#next();
      if (job) this.#give(connection, job, true);
    }
    while (this.#mayOpen()) void this.#open();
    if (this.#waiting.length <= this.#opening.size) return;
    for (const connection of [...this.#roomy]) this.#ride(connection);
  }

  #next(): Job | undefined {
    const place = this.#waiting.findIndex(({ fresh }) => !fresh);
    return place < 0 ? undefined : this.#waiting.splice(place, 1)[0];
  }

  /** A mail that a connection is being opened for waits for that one: it may be there before this one is free. */
  #ride(connection: SmtpConnection): void {
    this.#roomy.delete(connection);
    if (this.#stopped || !connection.hasRoom || this.#isWorn(connection)) return;
    const job = this.#waiting.length > this.#opening.size ? this.#next() : undefined;
    if (job) this.#give(connection, job, true);
    else this.#roomy.add(connection);
  }

  #mayOpen(): boolean {
    if (this.#stopped || this.#opening.size >= Math.min(this.#waiting.length, this.#backoff.together))
      return false;
    const now = performance.now();
    const wait = this.#backoff.waitMs(now);
    if (wait > 0) {
      this.#paceTimer ??= setTimeout(() => {
        this.#paceTimer = undefined;
        this.#serve();
      }, wait);
      return false;
    }
    if (this.#ceiling < this.#cap && now - this.#ceilingSetAt > RAISE_AFTER_MS) {
      this.#ceiling++;
      this.#ceilingSetAt = now;
    }
    // Who waits now wants a new connection: an idle one must make room for it.
    if (this.#connections.size >= this.#ceiling) this.#idle.shift()?.quit();
    return this.#connections.size < this.#ceiling && this.#opening.size < this.#waiting.length;
  }

  async #open(): Promise<void> {
    const startedAt = performance.now();
    const { connect = (options) => new SmtpConnection(options) } = this.#options;
    const { mailsInFlight, keptMs = KEPT_MS } = this.#options;
    const connection = connect({
      ...this.#options.connection,
      deadlines: this.#deadlines,
      habits: this.#habits,
      tlsSessions: this.#tlsSessions,
      ...(mailsInFlight !== undefined && { mailsInFlight }),
      onRoom: () => this.#ride(connection),
      mayStay: (unusedMs) => this.#idle.length === 1 && unusedMs < keptMs,
      onClose: () => this.#onClose(connection),
    });
    this.#connections.add(connection);
    this.#opening.add(connection);
    const failure = await connection.open();
    this.#opening.delete(connection);
    if (failure) {
      this.#connections.delete(connection);
      this.#backoff.refused(startedAt, performance.now());
      this.#onRefused(failure);
    } else if (this.#stopped) {
      connection.quit();
    } else {
      this.#backoff.taken();
      const job = this.#waiting.shift();
      if (job) this.#give(connection, job, false);
      else this.#idle.push(connection);
    }
    this.#serve();
  }

  /**
   * One refused connection is the answer to one mail; to all that wait, if it was their only hope. A server that
   * only wants fewer connections answers none: the mails wait for those that it has.
   */
  #onRefused(failure: Failure): void {
    const others = this.#connections.size - this.#opening.size;
    if (failure.reply && wantsFewerConnections(failure.reply)) {
      this.#lowerCeiling();
      if (others > 0) return;
    }
    const answered = this.#waiting.splice(0, this.#connections.size > 0 ? 1 : this.#waiting.length);
    for (const job of answered) job.done(notBegun(failure), false);
  }

  #lowerCeiling(): void {
    this.#ceiling = Math.max(1, this.#ceiling - 1);
    this.#ceilingSetAt = performance.now();
  }

  #onClose(connection: SmtpConnection): void {
    // One that failed to open is dealt with where it was opened.
    if (this.#opening.has(connection)) return;
    this.#connections.delete(connection);
    this.#roomy.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#serve();
  }
}

/**
 * Nothing of the mail was taken: on a connection that was there before, the sign that it was dead, or that it ended
 * with the mail before. If its gate was asked, the answer holds for the next connection too.
 */
function diedUnused(transmission: Transmission): boolean {
  if (transmission.left !== 'no') return false;
  const { phase, code, reply } = transmission;
  if (phase === 'idle') return code !== 'EBUSY' && code !== 'ESTOPPED';
  if (transmission.gated) return false;
  return (
    phase === 'envelope' || phase === 'rset' || (phase === 'mail' && reply !== undefined && isClosing(reply))
  );
}
