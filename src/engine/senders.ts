import type { SendReport } from '../core/report.js';
import type { Logger } from '../log.js';
import { accountOfChannel, type Account } from '../store/scripts/accounts.js';
import type { Store } from '../store/store.js';
import type { Transport } from '../transport/transport.js';

/** Makes the transport of an account. Throws if the account's settings can't work. */
export type TransportFactory = (account: Account) => Transport;

/** An account's transport in this process. */
export interface Sender {
  readonly accountId: number;
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

/** One transport an account, shared by its channels, made anew when the account's settings change. */
export class Senders {
  readonly #channels = new Map<number, { sender: Entry; readAt: number }>();
  readonly #accounts = new Map<number, Entry>();
  /** How many sends each transport is busy with. */
  readonly #users = new Map<Transport, number>();
  /** Replaced, and to be closed after the last send. */
  readonly #retired = new Set<Transport>();

  constructor(
    private readonly store: Store,
    private readonly make: TransportFactory,
    private readonly log: Logger,
  ) {}

  /**
   * What is known is answered at once; that it may have changed is looked up beside, so that no mail waits for it.
   * Only after a long silence, or a block, it is read first: a person may have mended what was wrong meanwhile.
   */
  async of(channelId: number): Promise<Sender> {
    const known = this.#channels.get(channelId);
    if (!known) return this.#read(channelId);
    const { sender, readAt } = known;
    const age = performance.now() - readAt;
    // A database that does not answer has not changed the account either.
    const readAgain = () => this.#read(channelId).catch(() => sender);
    if (age >= OUTDATED_MS || sender.blockedTick >= readAt) return readAgain();
    if (age >= LOOK_AGAIN_MS) {
      known.readAt = performance.now();
      // Not before the caller has begun to use it: one that is replaced and unused is closed.
      setImmediate(() => void readAgain());
    }
    return sender;
  }

  async #read(channelId: number): Promise<Sender> {
    const account = await this.store.read(accountOfChannel(this.store, channelId));
    if (!account) throw new Error(`channel ${String(channelId)} has no account`);
    const sender = this.#senderOf(account);
    this.#channels.set(channelId, { sender, readAt: performance.now() });
    return sender;
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
      transport: this.#transportOf(account),
      paused: account.pausedAt !== null,
      cooldowns: account.cooldowns,
      blockedTick: -Infinity,
      updatedAt: account.updatedAt,
    };
    this.#accounts.set(account.id, entry);
    this.#retired.delete(entry.transport);
    if (present) this.#retire(present.transport);
    return entry;
  }

  /** A process may send for all its accounts with one transport: it stays open while one of them has it. */
  #retire(transport: Transport): void {
    if ([...this.#accounts.values()].some((entry) => entry.transport === transport)) return;
    if (this.#users.has(transport)) this.#retired.add(transport);
    else void this.#close(transport);
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
