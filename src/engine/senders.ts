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
  /** Cool-downs in a row, as last read: a success has something to forget. */
  cooldowns: number;
}

interface Entry extends Sender {
  readonly updatedAt: number;
  users: number;
  retired: boolean;
}

const LOOK_AGAIN_MS = 2_000;

/** One transport an account, shared by its channels, made anew when the account's settings change. */
export class Senders {
  readonly #channels = new Map<number, { sender: Entry; readAt: number }>();
  readonly #accounts = new Map<number, Entry>();

  constructor(
    private readonly store: Store,
    private readonly make: TransportFactory,
    private readonly log: Logger,
  ) {}

  async of(channelId: number): Promise<Sender> {
    const known = this.#channels.get(channelId);
    if (known && performance.now() - known.readAt < LOOK_AGAIN_MS) return known.sender;
    const account = await this.store.read(accountOfChannel(this.store, channelId)).catch((error: unknown) => {
      // A database that does not answer has not changed the account either.
      if (known) return undefined;
      throw error;
    });
    if (!account && known) return known.sender;
    if (!account) throw new Error(`channel ${String(channelId)} has no account`);
    const sender = this.#senderOf(account);
    this.#channels.set(channelId, { sender, readAt: performance.now() });
    return sender;
  }

  /** Between these two a transport that was replaced is not closed. */
  use(sender: Sender): void {
    (sender as Entry).users += 1;
  }

  release(sender: Sender): void {
    const entry = sender as Entry;
    entry.users -= 1;
    if (entry.retired && entry.users === 0) void this.#close(entry);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#accounts.values()].map((entry) => this.#close(entry)));
  }

  #senderOf(account: Account): Entry {
    const present = this.#accounts.get(account.id);
    if (present?.updatedAt === account.updatedAt) {
      present.cooldowns = account.cooldowns;
      return present;
    }
    const entry: Entry = {
      accountId: account.id,
      transport: this.#transportOf(account),
      cooldowns: account.cooldowns,
      updatedAt: account.updatedAt,
      users: 0,
      retired: false,
    };
    this.#accounts.set(account.id, entry);
    if (present) {
      present.retired = true;
      if (present.users === 0) void this.#close(present);
    }
    return entry;
  }

  #transportOf(account: Account): Transport {
    try {
      return this.make(account);
    } catch (error) {
      this.log.error({ err: error, accountId: account.id }, 'an account has settings that cannot work');
      return unusable(error instanceof Error ? error.message : String(error));
    }
  }

  async #close(entry: Entry): Promise<void> {
    await entry.transport.close().catch((error: unknown) => {
      this.log.warn({ err: error, accountId: entry.accountId }, 'a transport did not close cleanly');
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
