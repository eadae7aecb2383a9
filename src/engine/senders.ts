import type { Owner } from '../core/fair-share.js';
import type { SendReport } from '../core/report.js';
import type { Logger } from '../log/log.js';
import { accountOfChannel, type Account } from '../store/scripts/accounts.js';
import type { Store } from '../store/store.js';
import type { Transport } from '../transport/transport.js';

/** Makes the transport of an account. Throws if the account's settings can't work. */
export type TransportFactory = (account: Account) => Transport;

/** An account's transport in this process. */
export interface Sender extends Owner {
  readonly transport: Transport;
  /** As last read. The gate knows better; this only spares a try that it would refuse. */
  paused: boolean;
  /** Cool-downs in a row, as last read: a success has something to forget. */
  cooldowns: number;
  /** By this process's steady clock, when the account was last paused or sent to rest by an answer. */
  blockedTick: number;
}

interface Entry extends Sender {
  readonly updatedAt: number;
}

const LOOK_AGAIN_MS = 2_000;
const OUTDATED_MS = 10_000;
/** What nobody has asked for in so long is let go of; sooner if there are more than so many. */
const UNUSED_MS = 5 * 60_000;
const UNUSED_IN_A_CROWD_MS = OUTDATED_MS;
const CROWD = 2_000;
const TIDY_EVERY_MS = 1_000;

interface Known {
  readonly sender: Entry;
  readonly readAt: number;
  readonly askedTick: number;
}

/**
 * One transport an account, shared by its channels, made anew when the account's settings change, and closed when
 * nobody has used it for some minutes.
 */
export class Senders {
  /** Those asked for last come last. */
  readonly #channels = new Map<number, Known>();
  readonly #accounts = new Map<number, Entry>();
  /** How many sends each transport is busy with. */
  readonly #users = new Map<Transport, number>();
  /** Replaced, and to be closed after the last send. */
  readonly #retired = new Set<Transport>();
  #tidiedTick = performance.now();
  #lastingIsOpen = false;

  constructor(
    private readonly store: Store,
    private readonly make: TransportFactory,
    private readonly log: Logger,
    /** One that the factory answers for many accounts, and that can't be made again: it stays open to the end. */
    private readonly lasting?: Transport,
  ) {}

  /** How many channels it knows of. */
  get channels(): number {
    return this.#channels.size;
  }

  /**
   * What is known is answered at once; that it may have changed is looked up beside, so that no mail waits for it.
   * Only after a long silence, or a block, it is read first: a person may have mended what was wrong meanwhile.
   */
  async of(channelId: number): Promise<Sender> {
    const now = performance.now();
    const known = this.#channels.get(channelId);
    if (known) this.#remember(channelId, { ...known, askedTick: now });
    this.#tidy(now);
    if (!known) return this.#read(channelId);
    const { sender, readAt } = known;
    const age = now - readAt;
    // A database that does not answer has not changed the account either.
    const readAgain = () => this.#read(channelId).catch(() => sender);
    if (age >= OUTDATED_MS || sender.blockedTick >= readAt) return readAgain();
    if (age >= LOOK_AGAIN_MS) {
      this.#remember(channelId, { sender, readAt: now, askedTick: now });
      // Not before the caller has begun to use it: one that is replaced and unused is closed.
      setImmediate(() => void readAgain());
    }
    return sender;
  }

  async #read(channelId: number): Promise<Sender> {
    const account = await this.store.read(accountOfChannel(this.store, channelId));
    if (!account) throw new Error(`channel ${String(channelId)} has no account`);
    const sender = this.#senderOf(account);
    const now = performance.now();
    this.#remember(channelId, { sender, readAt: now, askedTick: now });
    return sender;
  }

  #remember(channelId: number, known: Known): void {
    this.#channels.delete(channelId);
    this.#channels.set(channelId, known);
  }

  /** Between these two a transport that was replaced is not closed. */
  use({ transport }: Sender): void {
    this.#users.set(transport, (this.#users.get(transport) ?? 0) + 1);
  }

  release({ transport }: Sender): void {
    const left = (this.#users.get(transport) ?? 1) - 1;
    if (left > 0) {
      this.#users.set(transport, left);
      return;
    }
    this.#users.delete(transport);
    if (this.#retired.delete(transport)) void this.#close(transport);
  }

  async close(): Promise<void> {
    const transports = new Set([...this.#accounts.values()].map(({ transport }) => transport));
    if (this.lasting && this.#lastingIsOpen) transports.add(this.lasting);
    await Promise.all([...transports].map((transport) => this.#close(transport)));
  }

  #senderOf(account: Account): Entry {
    const present = this.#accounts.get(account.id);
    if (present?.updatedAt === account.updatedAt) {
      present.cooldowns = account.cooldowns;
      present.paused = account.pausedAt !== null;
      return present;
    }
    const entry: Entry = {
      accountId: account.id,
      workspaceId: account.workspaceId,
      transport: this.#transportOf(account),
      paused: account.pausedAt !== null,
      cooldowns: account.cooldowns,
      blockedTick: -Infinity,
      updatedAt: account.updatedAt,
    };
    this.#accounts.set(account.id, entry);
    this.#retired.delete(entry.transport);
    if (entry.transport === this.lasting) this.#lastingIsOpen = true;
    if (present) this.#retire(present.transport);
    return entry;
  }

  /** A process may send for all its accounts with one transport: it stays open while one of them has it. */
  #retire(transport: Transport): void {
    if (transport === this.lasting) return;
    if ([...this.#accounts.values()].some((entry) => entry.transport === transport)) return;
    if (this.#users.has(transport)) this.#retired.add(transport);
    else void this.#close(transport);
  }

  /** Lets go of accounts that nobody uses: a process may meet any number of them. */
  #tidy(now: number): void {
    if (now - this.#tidiedTick < TIDY_EVERY_MS) return;
    this.#tidiedTick = now;
    const unused = new Map<number, Entry>();
    for (const [channelId, { sender, askedTick }] of this.#channels) {
      const patience = this.#channels.size > CROWD ? UNUSED_IN_A_CROWD_MS : UNUSED_MS;
      if (now - askedTick < patience) break;
      // While it sends it is not unused, and a second transport would open more connections than it may have.
      if (sender.transport !== this.lasting && this.#users.has(sender.transport)) continue;
      this.#channels.delete(channelId);
      unused.set(sender.accountId, sender);
    }
    if (unused.size === 0) return;
    for (const { sender } of this.#channels.values()) unused.delete(sender.accountId);
    for (const [accountId, { transport }] of unused) {
      this.#accounts.delete(accountId);
      this.#retire(transport);
    }
  }

  #transportOf(account: Account): Transport {
    try {
      return this.make(account);
    } catch (error) {
      this.log.error({ err: error, accountId: account.id }, 'an account has settings that cannot work');
      return unusable(error instanceof Error ? error.message : String(error));
    }
  }

  async #close(transport: Transport): Promise<void> {
    await transport.close().catch((error: unknown) => {
      this.log.warn({ err: error, transport: transport.kind }, 'a transport did not close cleanly');
    });
  }
}

/** Stands in for an account that can't send, so that the account is paused with the reason and no mail is lost. */
function unusable(message: string): Transport {
  const report: SendReport = {
    status: 'retryable',
    provider: 'none',
    error: { class: 'account', scope: 'account', code: 'unusable_account', message },
  };
  return { kind: 'none', capacity: 1, send: () => Promise.resolve(report), close: () => Promise.resolve() };
}
