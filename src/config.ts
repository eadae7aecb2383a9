import { parseClockSetting } from './core/clock.js';
import { parseMailbox } from './core/mailbox.js';
import { PillarboxError } from './errors.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** What an operator can set. Read once, at the start; nothing else looks at the environment. */
export interface Config {
  readonly databaseUrl: string;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly leaseSeconds: number;
  readonly concurrency: number;
  readonly graceSeconds: number;
  readonly clock: string | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

type Environment = Readonly<Record<string, string | undefined>>;

const KNOWN = [
  'PILLARBOX_LEASE_SECONDS',
  'PILLARBOX_CONCURRENCY',
  'PILLARBOX_GRACE_SECONDS',
  'PILLARBOX_CLOCK',
];

/** Throws `invalid_config` with one line a fault, each naming the variable and what it should be. */
export function readConfig(env: Environment): Config {
  const faults: string[] = [];
  const read = <T>(
    name: string,
    otherwise: T,
    parse: (text: string) => T | undefined,
    shouldBe: string,
  ): T => {
    const text = env[name];
    if (text === undefined || text === '') return otherwise;
    const value = parse(text);
    if (value === undefined) faults.push(`${name}: should be ${shouldBe}`);
    return value ?? otherwise;
  };
  const whole = (name: string, otherwise: number, least: number, most: number) =>
    read(
      name,
      otherwise,
      (text) =>
        /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
      `a whole number from ${least} to ${most}`,
    );
  const config: Config = {
    databaseUrl: read(
      'DATABASE_URL',
      'sqlite:./data/pillarbox.db',
      (text) => (/^(?:sqlite:.|postgres(?:ql)?:\/\/.)/.test(text) ? text : undefined),
      'sqlite:<path> or postgres://…',
    ),
    smtpUrl: read(
      'SMTP_URL',
      undefined,
      (text) => (/^smtps?:\/\/./.test(text) ? text : undefined),
      'smtp://user:password@host:port or smtps://…',
    ),
    mailFrom: read('MAIL_FROM', undefined, mailbox, 'an address, or Name <address>'),
    leaseSeconds: whole('PILLARBOX_LEASE_SECONDS', 120, 5, 86_400),
    concurrency: whole('PILLARBOX_CONCURRENCY', 20, 1, 10_000),
    graceSeconds: whole('PILLARBOX_GRACE_SECONDS', 30, 0, 3_600),
    clock: read(
      'PILLARBOX_CLOCK',
      undefined,
      clock,
      'an ISO instant, "*" and a speed, such as 2026-11-16T09:00:00Z*60',
    ),
    logLevel: read(
      'LOG_LEVEL',
      'info',
      (text) => LOG_LEVELS.find((level) => level === text),
      LOG_LEVELS.join(', '),
    ),
  };
  for (const name of Object.keys(env)) {
    if (name.startsWith('PILLARBOX_') && !KNOWN.includes(name)) {
      faults.push(`${name}: is not a setting; there are ${KNOWN.join(', ')}`);
    }
  }
  if (faults.length > 0) throw new PillarboxError('invalid_config', faults.join('\n'));
  return config;
}

const attempt = (text: string, parse: (text: string) => unknown): string | undefined => {
  try {
    parse(text);
    return text;
  } catch {
    return undefined;
  }
};
const mailbox = (text: string) => attempt(text, (value) => parseMailbox('MAIL_FROM', value));
const clock = (text: string) => attempt(text, parseClockSetting);
