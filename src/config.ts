import { ADDRESS_FAULT_TEXT, parseAddress } from './core/address.js';
import { parseClockSetting } from './core/clock.js';
import { parseMailbox } from './core/mailbox.js';
import { PillarboxError } from './errors.js';
import { Settings, type Environment } from './settings.js';
import { parseSmtpUrl } from './transport/smtp/url.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** What an operator can set. Read once, at the start; nothing else looks at the environment. */
export interface Config {
  readonly databaseUrl: string;
  readonly amqpUrl: string | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  /** Where HTTP is served. Undefined: nobody said, and only a server of its own has a usual place. */
  readonly port: number | undefined;
  readonly host: string;
  readonly publicUrl: string | undefined;
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

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;
const LARGEST_PORT = 65_535;

/** Only this machine reaches it. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** Throws `invalid_config` with one line a fault, each naming the variable and what it should be. */
export function readConfig(env: Environment): Config {
  const settings = new Settings(env);
  const host = settings.shaped('HOST', /^[\w.:-]{1,253}$/, 'a host name or an address') ?? '127.0.0.1';
  const config: Config = {
    databaseUrl:
      settings.shaped(
        'DATABASE_URL',
        /^(?:sqlite:.|postgres(?:ql)?:\/\/.)/,
        'sqlite:<path> or postgres://…',
      ) ?? 'sqlite:./data/pillarbox.db',
    amqpUrl: settings.shaped('AMQP_URL', /^amqps?:\/\/./, 'amqp://user:password@host:port or amqps://…'),
    smtpUrl: settings.checked('SMTP_URL', parseSmtpUrl),
    mailFrom: settings.checked('MAIL_FROM', (text) => parseMailbox('MAIL_FROM', text)),
    port: settings.whole('PORT', 0, LARGEST_PORT),
    host,
    publicUrl: settings.shaped('PUBLIC_URL', /^https?:\/\/[^\s/]+/, 'http://host or https://host'),
    apiKey: settings.shaped('PILLARBOX_API_KEY', /^[!-~]{24,}$/, 'at least 24 characters, without blanks'),
    adminEmail: settings.checked('PILLARBOX_ADMIN_EMAIL', checkAddress),
    adminPassword: settings.text('PILLARBOX_ADMIN_PASSWORD'),
    secret: settings.text('PILLARBOX_SECRET'),
    formerSecret: settings.text('PILLARBOX_SECRET_FORMER'),
    cronSecret: settings.text('CRON_SECRET'),
    allowPrivateHosts: settings.flag('PILLARBOX_ALLOW_PRIVATE_HOSTS') ?? isLoopback(host),
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
