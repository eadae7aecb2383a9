import { ADDRESS_FAULT_TEXT, parseAddress } from '../core/address.js';
import { dispatcherPolicy, parseBackoffSchedule } from '../core/backoff-schedule.js';
import { checkBrokerUrl } from '../core/broker-url.js';
import { parseClockSetting } from '../core/clock.js';
import { QUEUE_TYPES, type QueueType } from '../core/dispatch-message.js';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../core/access.js';
import { parseMailbox } from '../core/mailbox.js';
import { parseNetworks } from '../core/place.js';
import { PillarboxError } from '../core/errors.js';
import { RETRY_LIMITS, type RetryPolicy } from '../core/retry.js';
import { Settings, type Environment } from './environment.js';
import { parseDatabaseUrl } from '../store/database-url.js';
import { parseSmtpUrl } from '../transport/smtp/url.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** What an operator can set. Read once, at the start; nothing else looks at the environment. */
export interface Config {
  readonly databaseUrl: string;
  /** Where migrations and LISTEN go if a pooler stands at the other. */
  readonly databaseDirectUrl: string | undefined;
  readonly amqpUrl: string | undefined;
  /** How queues are made that are not there yet; undefined: as the broker likes. */
  readonly queueType: QueueType | undefined;
  /** What is so late, while the broker delivers nothing, is claimed without it. 0: never. */
  readonly directAfterSeconds: number | undefined;
  /** The longest gap between two looks of a relay. */
  readonly retryIntervalSeconds: number | undefined;
  /** What an operator has made of the retry policy `dispatcher`. */
  readonly dispatcherPolicy: RetryPolicy | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  /** Where HTTP is served. Undefined: nobody said, and only a server of its own has a usual place. */
  readonly port: number | undefined;
  readonly host: string;
  readonly publicUrl: string | undefined;
  /** Proxies that are believed when they tell who asks. Undefined: those of this machine. */
  readonly trustedProxies: readonly string[] | undefined;
  readonly apiKey: string | undefined;
  readonly adminEmail: string | undefined;
  readonly adminPassword: string | undefined;
  /** Signs links and encrypts credentials. */
  readonly secret: string | undefined;
  /** The one before: what it has encrypted can still be read, and re-encrypted by `secrets rotate`. */
  readonly formerSecret: string | undefined;
  readonly cronSecret: string | undefined;
  /** May accounts that people add point to private addresses? */
  readonly allowPrivateHosts: boolean;
  readonly leaseSeconds: number;
  readonly concurrency: number;
  readonly graceSeconds: number;
  readonly inlineSeconds: number;
  readonly clock: string | undefined;
  /** Load demo data into an empty database; false: not even go on with a demo; undefined: only go on with one. */
  readonly demo: boolean | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** The part of it that has to do with a broker, under the names of the library. */
export const brokerOptionsOf = ({
  amqpUrl,
  queueType,
  directAfterSeconds,
  retryIntervalSeconds,
  dispatcherPolicy: policy,
}: Config) => ({ amqpUrl, queueType, directAfterSeconds, retryIntervalSeconds, dispatcherPolicy: policy });

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;
const LARGEST_PORT = 65_535;
/** Fewer characters can be guessed. */
const SHORTEST_SECRET = 32;
export const USUAL_PORT = 8025;

/** Only this machine reaches it. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** The same of an address for people: where a proxy stands in front, it is the one that counts. */
const leadsToLoopback = (url: string): boolean =>
  URL.canParse(url) && isLoopback(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'));

/** Where people reach the server of this environment, also for a process that is another one. */
export const publicUrlOf = ({ publicUrl, host, port }: Config): string =>
  publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port ?? USUAL_PORT}`;

/** Throws `invalid_config` with one line a fault, each naming the variable and what it should be. */
export function readConfig(env: Environment): Config {
  const settings = new Settings(env);
  const host = settings.shaped('HOST', /^[\w.:-]{1,253}$/, 'a host name or an address') ?? '127.0.0.1';
  // A path would have to be before every page, cookie and asset, and each that is forgotten fails in its own way.
  const publicUrl = settings.shaped(
    'PUBLIC_URL',
    /^https?:\/\/[^\s/?#@]+\/?$/,
    'http://host or https://host, without a path: it needs a host name of its own',
  );
  const config: Config = {
    databaseUrl: settings.checked('DATABASE_URL', parseDatabaseUrl) ?? 'sqlite:./data/pillarbox.db',
    databaseDirectUrl: settings.shaped('DATABASE_DIRECT_URL', /^postgres(?:ql)?:\/\/./, 'postgres://…'),
    amqpUrl: settings.checked('AMQP_URL', checkBrokerUrl),
    queueType: settings.oneOf('PILLARBOX_QUEUE_TYPE', QUEUE_TYPES),
    directAfterSeconds: settings.whole('PILLARBOX_DIRECT_AFTER_SECONDS', 0, 86_400),
    retryIntervalSeconds: settings.whole('RETRY_INTERVAL_SECONDS', 1, 86_400),
    dispatcherPolicy: dispatcherPolicy({
      maxAttempts: settings.whole('MAX_ATTEMPTS', 1, RETRY_LIMITS.maxAttempts),
      delaysSeconds: settings.parsed('BACKOFF_SCHEDULE', parseBackoffSchedule),
    }),
    smtpUrl: settings.checked('SMTP_URL', parseSmtpUrl),
    mailFrom: settings.checked('MAIL_FROM', (text) => parseMailbox('MAIL_FROM', text)),
    port: settings.whole('PORT', 0, LARGEST_PORT),
    host,
    publicUrl,
    trustedProxies: settings.parsed('PILLARBOX_TRUSTED_PROXIES', parseNetworks),
    apiKey: settings.shaped('PILLARBOX_API_KEY', /^[!-~]{24,}$/, 'at least 24 characters, without blanks'),
    adminEmail: settings.checked('PILLARBOX_ADMIN_EMAIL', checkAddress),
    adminPassword: settings.long('PILLARBOX_ADMIN_PASSWORD', SHORTEST_PASSWORD, LONGEST_PASSWORD),
    secret: settings.long('PILLARBOX_SECRET', SHORTEST_SECRET),
    // It may be from before there was a shortest one: whoever has to leave it must be able to.
    formerSecret: settings.text('PILLARBOX_SECRET_FORMER'),
    cronSecret: settings.shaped('CRON_SECRET', /^[ -~]{16,}$/, 'at least 16 characters, all of them ASCII'),
    allowPrivateHosts:
      settings.flag('PILLARBOX_ALLOW_PRIVATE_HOSTS') ??
      (isLoopback(host) && (publicUrl === undefined || leadsToLoopback(publicUrl))),
    leaseSeconds: settings.whole('PILLARBOX_LEASE_SECONDS', 5, 86_400) ?? 120,
    concurrency: settings.whole('PILLARBOX_CONCURRENCY', 1, 10_000) ?? 20,
    graceSeconds: settings.whole('PILLARBOX_GRACE_SECONDS', 0, 3_600) ?? 30,
    inlineSeconds: settings.whole('PILLARBOX_INLINE_SECONDS', 0, 60) ?? 2,
    clock: settings.checked('PILLARBOX_CLOCK', parseClockSetting),
    demo: settings.flag('PILLARBOX_DEMO'),
    logLevel: settings.oneOf('LOG_LEVEL', LOG_LEVELS) ?? 'info',
  };
  const faults = settings.faults();
  if (faults.length > 0) throw new PillarboxError('invalid_config', faults.join('\n'));
  return config;
}

function checkAddress(text: string): void {
  const parsed = parseAddress(text);
  if ('fault' in parsed) throw new Error(ADDRESS_FAULT_TEXT[parsed.fault]);
}
