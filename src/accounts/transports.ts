import type { DkimView } from '../access/sealed-dkim.js';
import { openTransport, sealTransport, shownTransport } from '../access/sealed-transport.js';
import type { SecretBox } from '../access/secret-box.js';
import { withoutCredentials, type AccountTransport } from '../core/account-transport.js';
import type { SendError } from '../core/report.js';
import type { RecordFinding } from '../core/sender-records.js';
import { MAX_CONNECTIONS, type AccountSending } from '../core/sending.js';
import { PillarboxError } from '../core/errors.js';
import type { Account } from '../store/scripts/accounts.js';
import type { ApiLimits } from '../transport/api/client.js';
import { fileTransport, verifyDirectory } from '../transport/file.js';
import { GmailTransport } from '../transport/gmail/transport.js';
import type { HostPolicy } from '../transport/hosts.js';
import { HttpTransport } from '../transport/http/transport.js';
import { HabitsByHost } from '../transport/smtp/habits.js';
import { SmtpTransport, verifySmtp } from '../transport/smtp/transport.js';
import type { Transport } from '../transport/transport.js';
import { UnipileTransport } from '../transport/unipile/transport.js';
import { dkimKeyOf, sealedDkim, type DkimChange } from './dkim.js';
import { readSenderRecords, type TxtResolver } from './sender-records.js';

export interface TransportSettings {
  /** How this process sends for accounts that leave it to the process. */
  readonly smtpUrl?: string | undefined;
  readonly transport?: Transport | undefined;
  readonly maxConnections?: number | undefined;
  /** May accounts that people add point to private addresses, and to directories of this machine? */
  readonly allowPrivateHosts?: boolean | undefined;
  /** How DNS is asked about senders. Default: the system's. */
  readonly resolveTxt?: TxtResolver | undefined;
  /** Asked before every connection of an account. */
  readonly confined?: (() => Confinement | undefined) | undefined;
}

/** Accounts that people add reach nothing but this machine. */
export interface Confinement {
  /** Told to whoever wants more. */
  readonly why: string;
  /** The URL of a server that this process itself runs, which may be reached whatever else may not. */
  readonly ownServer: string;
}

/** Someone waits at the other end of a verification; a server that takes longer is not fit to send either. */
const PATIENCE_MS = 10_000;
const VERIFY_LIMITS = {
  connectMs: PATIENCE_MS,
  tlsMs: PATIENCE_MS,
  greetingMs: PATIENCE_MS,
  ehloMs: PATIENCE_MS,
  authMs: PATIENCE_MS,
};
const API_VERIFY_LIMITS = { connectMs: PATIENCE_MS, askMs: PATIENCE_MS };
/** Accounts at providers that are spoken to over HTTP. */
type ApiAccount = Extract<AccountTransport, { kind: 'gmail' | 'unipile' | 'http' }>;
/** Whoever runs the process chose its server; accounts that others add are held to public addresses. */
const OWN_HOSTS: HostPolicy = { allowPrivate: true };

/** From the settings of an account to what sends its mail. The only place that sees stored credentials. */
export class Transports {
  /** For what people set up. */
  readonly #hosts: HostPolicy;
  #own: Transport | undefined;
  readonly #habits = new HabitsByHost();

  constructor(
    private readonly settings: TransportSettings,
    private readonly secrets: SecretBox,
  ) {
    this.#hosts = {
      allowPrivate: settings.allowPrivateHosts ?? false,
      get onlyLoopback() {
        return settings.confined?.()?.why;
      },
    };
  }

  /** For one account: what this process runs itself is as good as what it was told to use. */
  hostsFor(transport: AccountTransport): HostPolicy {
    const isOwn = transport.kind === 'smtp' && transport.url === this.settings.confined?.()?.ownServer;
    return isOwn ? OWN_HOSTS : this.#hosts;
  }

  /** The process's own, one for all accounts that use it. Throws `invalid_config` if nobody said how to send. */
  own(): Transport {
    this.#own ??= this.#makeOwn();
    return this.#own;
  }

  /** Throws if the account's settings can't work; the account is then paused with what it says. */
  of(account: Account): Transport {
    const transport = openTransport(this.secrets, account);
    switch (transport?.kind) {
      case undefined:
        return this.#ownFor(account);
      case 'smtp':
        return new SmtpTransport({
          url: transport.url,
          ca: transport.ca,
          dkim: dkimKeyOf(this.secrets, account),
          maxConnections: maxConnectionsOf(account),
          mailsInFlight: (JSON.parse(account.sending) as AccountSending).mailsInFlight,
          hosts: this.hostsFor(transport),
          habits: this.#habits,
        });
      case 'file':
        this.#refuseLocalFiles();
        return fileTransport({ directory: transport.directory });
      case 'gmail':
      case 'unipile':
      case 'http':
        return this.#overHttp(transport, { maxConnections: maxConnectionsOf(account) });
    }
  }

  /** Connects as a send would, without sending. Answers what went wrong; undefined: all is well. */
  async verify(account: Account): Promise<SendError | undefined> {
    const transport = openTransport(this.secrets, account);
    switch (transport?.kind) {
      case undefined:
        return this.#verifyOwn();
      case 'smtp':
        return verifySmtp({
          url: transport.url,
          ca: transport.ca,
          hosts: this.hostsFor(transport),
          limits: VERIFY_LIMITS,
        });
      case 'file':
        this.#refuseLocalFiles();
        return verifyDirectory(transport);
      case 'gmail':
      case 'unipile':
      case 'http':
        return verifyOnce(this.#overHttp(transport, { maxConnections: 1, limits: API_VERIFY_LIMITS }));
    }
  }

  /** What receivers find in DNS; nothing while this process reaches no other machine. */
  async records(domain: string, dkim: DkimView | null): Promise<readonly RecordFinding[]> {
    if (this.#hosts.onlyLoopback !== undefined) return [];
    return readSenderRecords(domain, dkim, this.settings.resolveTxt);
  }

  /** As people may see it: without secrets, and of the process's own server only where it is. */
  shown(account: Account): AccountTransport | { readonly kind: string } {
    const { transport, smtpUrl } = this.settings;
    const shown = shownTransport(account);
    if (shown) return shown;
    if (transport) return { kind: transport.kind };
    return smtpUrl === undefined ? { kind: 'process' } : { kind: 'smtp', url: withoutCredentials(smtpUrl) };
  }

  /** With its secrets; undefined: the process's own. */
  open(account: Account): AccountTransport | undefined {
    return openTransport(this.secrets, account);
  }

  /** As it is stored in the row of this account. */
  seal(accountId: number, transport: AccountTransport): string {
    return sealTransport(this.secrets, accountId, transport);
  }

  sealDkim(accountId: number, change: DkimChange, present: string | null): string | null {
    return sealedDkim(this.secrets, accountId, change, present);
  }

  /** Whether mail of this kind of account is composed here; providers with an API sign by themselves. */
  signs(kind: string): boolean {
    return kind === 'smtp' || (kind === 'process' && this.settings.transport === undefined);
  }

  get ownMaxConnections(): number {
    return this.settings.maxConnections ?? MAX_CONNECTIONS;
  }

  #overHttp(
    transport: ApiAccount,
    more: { readonly maxConnections: number; readonly limits?: Partial<ApiLimits> },
  ): GmailTransport | UnipileTransport | HttpTransport {
    const hosts = this.#hosts;
    switch (transport.kind) {
      case 'gmail':
        return new GmailTransport({ ...transport, ...more, hosts });
      case 'unipile':
        return new UnipileTransport({ ...transport, ...more, hosts });
      case 'http':
        return new HttpTransport({ ...transport, ...more, hosts });
    }
  }

  /** One that signs has connections of its own: what it shares with others would leave unsigned. */
  #ownFor(account: Account): Transport {
    const dkim = dkimKeyOf(this.secrets, account);
    if (!dkim) return this.own();
    const { transport, smtpUrl: url, maxConnections } = this.settings;
    // Never unsigned because of how a process was started.
    if (transport) throw new PillarboxError('invalid_config', `dkim: ${NOT_SIGNED_HERE}`);
    if (url === undefined) throw new PillarboxError('invalid_config', NO_SERVER);
    return new SmtpTransport({ url, maxConnections, hosts: OWN_HOSTS, habits: this.#habits, dkim });
  }

  #makeOwn(): Transport {
    const { transport, smtpUrl: url, maxConnections } = this.settings;
    if (transport) return transport;
    if (url === undefined) throw new PillarboxError('invalid_config', NO_SERVER);
    return new SmtpTransport({ url, maxConnections, hosts: OWN_HOSTS, habits: this.#habits });
  }

  #verifyOwn(): Promise<SendError | undefined> | SendError | undefined {
    const { transport, smtpUrl: url } = this.settings;
    if (transport) return undefined;
    if (url === undefined) return accountError('invalid_config', NO_SERVER);
    return verifySmtp({ url, hosts: OWN_HOSTS, limits: VERIFY_LIMITS });
  }

  /** Also for an account that was made while it was allowed. */
  #refuseLocalFiles(): void {
    if (!this.#hosts.allowPrivate)
      throw new PillarboxError('invalid_config', `transport.directory: ${NO_LOCAL_FILES}`);
  }
}

export const NO_LOCAL_FILES =
  'writes to the disk of this machine, which PILLARBOX_ALLOW_PRIVATE_HOSTS does not allow';

export const NOT_SIGNED_HERE =
  'is for mail over SMTP; a provider that is spoken to otherwise signs by itself';

const NO_SERVER = 'smtpUrl or transport: is needed to send; without it this process can only enqueue';

async function verifyOnce(
  transport: Pick<Transport, 'close'> & { verify(): Promise<SendError | undefined> },
): Promise<SendError | undefined> {
  try {
    return await transport.verify();
  } finally {
    await transport.close();
  }
}

const accountError = (code: string, message: string): SendError => ({
  class: 'account',
  scope: 'account',
  code,
  message,
});

const maxConnectionsOf = ({ sending }: Account): number =>
  (JSON.parse(sending) as AccountSending).maxConnections ?? MAX_CONNECTIONS;
