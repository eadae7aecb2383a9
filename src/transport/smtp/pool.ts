import type { Gate } from '../transport.js';
import { ConnectBackoff } from './connect-backoff.js';
import { SmtpConnection, type ConnectionOptions, type PeerHabits } from './connection.js';
import { Deadlines } from './deadlines.js';
import type { Envelope } from './envelope.js';
import { LookAhead, takeTicket } from './look-ahead.js';
import { isClosing, wantsFewerConnections } from './reply.js';
import { notBegun, type Transmission, type Failure } from './report.js';

export interface PoolOptions {
  readonly connection: Omit<ConnectionOptions, 'deadlines' | 'habits' | 'onClose'>;
  readonly maxConnections?: number;
  readonly maxMailsPerConnection?: number;
  readonly maxAgeMs?: number;
  /** Shared by all pools of a process, if given. */
  readonly deadlines?: Deadlines;
  /** For tests: another kind of connection. */
  readonly connect?: (options: ConnectionOptions) => SmtpConnection;
}

const MAX_CONNECTIONS = 5;
const MAX_MAILS_PER_CONNECTION = 100;
const MAX_AGE_MS = 5 * 60_000;
/** So many mails may pass the gate while they wait for each connection, if its turns are short. */
const AHEAD_OF_EACH = 2;
/** After a server asked for fewer connections, one more is tried each time this has passed in peace. */
const RAISE_AFTER_MS = 5 * 60_000;
const STOPPED: Failure = { phase: 'idle', code: 'ESTOPPED' };

/** A connection to send on, or why there is none. `kept`: it may have gone stale while it waited. */
type Place = { readonly connection: SmtpConnection; readonly kept: boolean } | { readonly failure: Failure };

interface Waiter {
  readonly resolve: (place: Place) => void;
  /** Takes only a connection that was opened just now. */
  readonly fresh: boolean;
}

/**
 * The connections of one account. Mails wait in the order in which they came; a connection is kept for the next
 * mail until it is old, worn or idle. No mail is ever sent again behind the caller's back, with one exception that
 * can't double it: a kept connection that turns out to be dead before anything of the mail was taken.
 */
export class SmtpPool {
  readonly #options: PoolOptions;
  readonly #deadlines: Deadlines;
  readonly #habits: PeerHabits = { dataInGroup: true };
  readonly #backoff = new ConnectBackoff();
  readonly #lookAhead = new LookAhead();
  /** Everything that takes a place: opening, idle or busy. */
  readonly #connections = new Set<SmtpConnection>();
  readonly #opening = new Set<SmtpConnection>();
  readonly #idle: SmtpConnection[] = [];
  readonly #waiters: Waiter[] = [];
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
    this.#cap = this.#ceiling = Math.max(1, options.maxConnections ?? MAX_CONNECTIONS);
  }

  /** How many mails to work on at once: one a connection, and some that wait behind each if that helps. */
  get capacity(): number {
    return this.#lookAhead.isWorthIt ? this.#cap * (1 + AHEAD_OF_EACH) : this.#cap;
  }

  setCap(cap: number): void {
    this.#cap = this.#ceiling = Math.max(1, cap);
    while (this.#connections.size > this.#ceiling && this.#idle.length > 0) this.#idle.shift()?.quit();
    this.#serve();
  }

  /** Never rejects. Waits for a connection as long as it takes. The transmission is given after the gate has answered. */
  async send(envelope: Envelope, mail: Buffer, gate: Gate, gateLast = false): Promise<Transmission> {
    this.#sends++;
    const ticket = !gateLast && this.#mayAskAhead() ? takeTicket(gate) : undefined;
    const asked = ticket?.gate ?? gate;
    const first = await this.#try(envelope, mail, asked, false);
    // The server closed a kept connection just as we wrote MAIL: the normal end of a kept connection, no attempt.
    const last = first.stale ? await this.#try(envelope, mail, asked, true) : first;
    const transmission = ticket ? { ...last.transmission, gated: await ticket.passed } : last.transmission;
    if (--this.#sends === 0) this.#onQuiet?.();
    return transmission;
  }

  #mayAskAhead(): boolean {
    return this.#lookAhead.isWorthIt && this.#waiters.length < this.#cap * AHEAD_OF_EACH;
  }

  /** Takes no more mails, lets those on the wire end, and takes leave of the server. */
  drain(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#paceTimer);
    for (const waiter of this.#waiters.splice(0)) waiter.resolve({ failure: STOPPED });
    for (const connection of this.#opening) connection.destroy();
    for (const connection of [...this.#idle]) connection.quit();
    this.#drained ??= new Promise((resolve) => {
      if (this.#sends === 0) resolve();
      else this.#onQuiet = resolve;
    });
    return this.#drained;
  }

  async #try(
    envelope: Envelope,
    mail: Buffer,
    gate: Gate,
    fresh: boolean,
  ): Promise<{ transmission: Transmission; stale: boolean }> {
    const place = await this.#place(fresh);
    if ('failure' in place) return { transmission: notBegun(place.failure), stale: false };
    const transmission = await this.#turn(place.connection, envelope, mail, gate);
    if (transmission.reply && wantsFewerConnections(transmission.reply)) this.#lowerCeiling();
    this.#release(place.connection);
    return { transmission, stale: place.kept && diedUnused(transmission) };
  }

  async #turn(
    connection: SmtpConnection,
    envelope: Envelope,
    mail: Buffer,
    gate: Gate,
  ): Promise<Transmission> {
    const startedAt = performance.now();
    let gateMs = 0;
    const transmission = await connection.send(envelope, mail, async () => {
      const askedAt = performance.now();
      const passed = await gate();
      gateMs = performance.now() - askedAt;
      return passed;
    });
    if (transmission.left === 'yes') this.#lookAhead.measured(performance.now() - startedAt - gateMs);
    return transmission;
  }

  #place(fresh: boolean): Promise<Place> {
    if (this.#stopped) return Promise.resolve({ failure: STOPPED });
    return new Promise((resolve) => {
      // A second try has waited its turn before.
      if (fresh) this.#waiters.unshift({ resolve, fresh });
      else this.#waiters.push({ resolve, fresh });
      this.#serve();
    });
  }

  #release(connection: SmtpConnection): void {
    if (connection.ended) return;
    if (this.#stopped || this.#isWorn(connection) || this.#connections.size > this.#ceiling)
      return connection.quit();
    this.#idle.push(connection);
    this.#serve();
  }

  #isWorn(connection: SmtpConnection): boolean {
    const { maxMailsPerConnection = MAX_MAILS_PER_CONNECTION, maxAgeMs = MAX_AGE_MS } = this.#options;
    return connection.mails >= maxMailsPerConnection || performance.now() - connection.openedAt >= maxAgeMs;
  }

  /** Gives waiting mails what is idle, and opens what is missing. */
  #serve(): void {
    while (this.#idle.length > 0 && this.#waiters.some(({ fresh }) => !fresh)) {
      // The last one used: the others then grow idle and go.
      const connection = this.#idle.pop();
      if (!connection) break;
      if (this.#isWorn(connection)) {
        connection.quit();
        continue;
      }
      const next = this.#waiters.findIndex(({ fresh }) => !fresh);
      this.#waiters.splice(next, 1)[0]?.resolve({ connection, kept: true });
    }
    while (this.#mayOpen()) void this.#open();
  }

  #mayOpen(): boolean {
    if (this.#stopped || this.#opening.size >= Math.min(this.#waiters.length, this.#backoff.together))
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
    return this.#connections.size < this.#ceiling && this.#opening.size < this.#waiters.length;
  }

  async #open(): Promise<void> {
    const startedAt = performance.now();
    const connect = this.#options.connect ?? ((options) => new SmtpConnection(options));
    const connection = connect({
      ...this.#options.connection,
      deadlines: this.#deadlines,
      habits: this.#habits,
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
      const waiter = this.#waiters.shift();
      if (waiter) waiter.resolve({ connection, kept: false });
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
    const answered = this.#waiters.splice(0, this.#connections.size > 0 ? 1 : this.#waiters.length);
    for (const waiter of answered) waiter.resolve({ failure });
  }

  #lowerCeiling(): void {
    this.#ceiling = Math.max(1, this.#ceiling - 1);
    this.#ceilingSetAt = performance.now();
  }

  #onClose(connection: SmtpConnection): void {
    // One that failed to open is dealt with where it was opened.
    if (this.#opening.has(connection)) return;
    this.#connections.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#serve();
  }
}

/** Nothing of the mail was taken and the gate was not asked: on a kept connection, the sign that it was stale. */
function diedUnused(transmission: Transmission): boolean {
  if (transmission.left !== 'no' || transmission.gated) return false;
  const { phase, code, reply } = transmission;
  if (phase === 'idle') return code !== 'EBUSY' && code !== 'ESTOPPED';
  return (
    phase === 'envelope' || phase === 'rset' || (phase === 'mail' && reply !== undefined && isClosing(reply))
  );
}
