import type { TxtResolver } from '../accounts/sender-records.js';
import type { Confinement } from '../accounts/transports.js';
import type { QueueType } from '../core/dispatch-message.js';
import { PillarboxError } from '../core/errors.js';
import { unknownOption, wordsFor, type OptionNames } from '../core/known-options.js';
import type { RetryPolicy } from '../core/retry.js';
import type { Observer } from '../engine/counters.js';
import type { Probe } from '../engine/fault-points.js';
import type { Logger } from '../log/log.js';
import type { RelayObserver } from '../relay/observer.js';
import type { Transport } from '../transport/transport.js';

export interface PillarboxOptions {
  /** `sqlite:./mail.db` or `postgres://…` */
  readonly databaseUrl: string;
  /** PostgreSQL behind a pooler: where migrations and LISTEN go. Default `databaseUrl`. */
  readonly databaseDirectUrl?: string | undefined;
  /** PostgreSQL only: the schema that holds all tables. Default `pillarbox`. */
  readonly schema?: string | undefined;
  /** Everything this object sees and does belongs to this workspace. Default `default`. */
  readonly workspace?: string | undefined;
  /** Who the mail is from: an address, or `Name <address>`. Default `Pillarbox <pillarbox@localhost>`. */
  readonly from?: string | undefined;
  /** How the default account sends: `smtp://user:password@host:port` or `smtps://…`. */
  readonly smtpUrl?: string | undefined;
  /** How many connections to keep to that server. Default 5. */
  readonly maxConnections?: number | undefined;
  /** Another way to send, instead of `smtpUrl`. One of the two is needed by `start`, not by those who only enqueue. */
  readonly transport?: Transport | undefined;
  /** Where people reach the pages that mails link to: `https://mail.example.org`. Default `http://127.0.0.1:8025`. */
  readonly publicUrl?: string | (() => string) | undefined;
  /** Encrypts the credentials of stored accounts and signs links. Several: the first is used, the former ones still open. */
  readonly secret?: string | readonly string[] | undefined;
  /** May accounts that people add point to private addresses, and to directories of this machine? Default no. */
  readonly allowPrivateHosts?: boolean | undefined;
  /** How DNS is asked about the records of senders. Default: as the system does. */
  readonly resolveTxt?: TxtResolver | undefined;
  /** While it answers something, accounts that people add reach nothing but this machine, and are told so. */
  readonly confined?: (() => Confinement | undefined) | undefined;
  /** How long a claim lasts without a sign of life. At least 5 in earnest; tests use less. Default 120. */
  readonly leaseSeconds?: number | undefined;
  /**
   * Sends at once in this process. Accounts that would wait for what others hold may send beyond it, up to their
   * share, and what has been silent for some seconds counts apart. Default 20.
   */
  readonly concurrency?: number | undefined;
  /** Dispatch through RabbitMQ: `amqp://user:password@host:port` or `amqps://…`. Relays pass due mail on to it. */
  readonly amqpUrl?: string | undefined;
  /** How queues are made that are not there yet. Default: as the broker likes. */
  readonly queueType?: QueueType | undefined;
  /** What is so late, while the broker delivers nothing, is claimed without it. 0: never. Default 60. */
  readonly directAfterSeconds?: number | undefined;
  /** The longest gap between two looks of a relay. Default 60. */
  readonly retryIntervalSeconds?: number | undefined;
  /** What the retry policy `dispatcher` means for mail that is accepted from now on. */
  readonly dispatcherPolicy?: RetryPolicy | undefined;
  /** How long `outbox.send` may keep its caller waiting. Default 2. */
  readonly inlineSeconds?: number | undefined;
  /** How long `stop` waits for what has been handed over. Default 30. */
  readonly graceSeconds?: number | undefined;
  /** Finished messages are forgotten after so many days; of those with a key, that key, state and time stay. Default 30. */
  readonly retentionDays?: number | undefined;
  /** Virtual time for demos and checks: `2026-11-16T08:59:00-05:00*600`. */
  readonly clock?: string | undefined;
  /** pino, or anything like it. Nothing is logged without it. */
  readonly log?: Logger | undefined;
  /** Told of everything that is claimed and settled here; metrics hang on it. */
  readonly observer?: (Observer & RelayObserver) | undefined;
  /** For crash tests only. */
  readonly probe?: Probe | undefined;
}

const OPTIONS: OptionNames<PillarboxOptions> = {
  ...{ databaseUrl: true, databaseDirectUrl: true, schema: true, workspace: true, clock: true },
  ...{ from: true, smtpUrl: true, maxConnections: true, transport: true },
  ...{ publicUrl: true, secret: true, allowPrivateHosts: true, confined: true, resolveTxt: true },
  ...{ leaseSeconds: true, concurrency: true, inlineSeconds: true, graceSeconds: true, retentionDays: true },
  ...{ amqpUrl: true, queueType: true, directAfterSeconds: true, retryIntervalSeconds: true },
  ...{ dispatcherPolicy: true, log: true, observer: true, probe: true },
};
export const LEASE_SECONDS = 120;
export const CONCURRENCY = 20;

/** As they are used: with a log, be it one that keeps nothing. */
export type Options = PillarboxOptions & { readonly log: Logger };

/** Throws `invalid_config` that names what nobody knows. */
export function refuseUnknownOptions(options: PillarboxOptions): void {
  const unknown = unknownOption(options, OPTIONS);
  if (unknown !== undefined) throw new PillarboxError('invalid_config', `${unknown}: ${wordsFor(OPTIONS)}`);
}
