import { describe, expect, test } from 'vitest';
import { findSecret } from '../access/secret.js';
import { readConfig } from './config.js';
import { silent } from '../log/log.js';

const faultsOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toMatchObject({ name: 'PillarboxError', code: 'invalid_config' });
    return (error as Error).message;
  }
  return '';
};

test('without any setting it has its defaults', () => {
  expect(readConfig({ PATH: '/bin', HOME: '/root' })).toEqual({
    databaseUrl: 'sqlite:./data/pillarbox.db',
    amqpUrl: undefined,
    smtpUrl: undefined,
    mailFrom: undefined,
    port: undefined,
    host: '127.0.0.1',
    publicUrl: undefined,
    trustedProxies: undefined,
    apiKey: undefined,
    adminEmail: undefined,
    adminPassword: undefined,
    secret: undefined,
    formerSecret: undefined,
    cronSecret: undefined,
    allowPrivateHosts: true,
    leaseSeconds: 120,
    concurrency: 20,
    graceSeconds: 30,
    inlineSeconds: 2,
    clock: undefined,
    demo: undefined,
    logLevel: 'info',
  });
});

test('an empty value counts as none', () => {
  const empty = {
    DATABASE_URL: '',
    PILLARBOX_CONCURRENCY: '',
    LOG_LEVEL: '',
    PILLARBOX_DEMO: '',
    SMTP_URL: '',
  };
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test('what is set is what is used', () => {
  const env = {
    DATABASE_URL: 'postgres://ada:pw@db/x',
    AMQP_URL: 'amqp://guest:guest@mq:5672',
    SMTP_URL: 'smtp://ada:p%40ss@mail.example.org:587?tls=starttls',
    MAIL_FROM: 'Ada <ada@example.org>',
    PORT: '8080',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://mail.example.org/',
    PILLARBOX_TRUSTED_PROXIES: '10.0.0.0/8, fd00::5',
    PILLARBOX_API_KEY: 'k'.repeat(24),
    PILLARBOX_ADMIN_EMAIL: 'admin@localhost',
    PILLARBOX_ADMIN_PASSWORD: 'correct horse',
    PILLARBOX_SECRET: 's'.repeat(32),
    PILLARBOX_SECRET_FORMER: 'f',
    CRON_SECRET: 'c'.repeat(16),
    PILLARBOX_LEASE_SECONDS: '5',
    PILLARBOX_CONCURRENCY: '1',
    PILLARBOX_GRACE_SECONDS: '0',
    PILLARBOX_INLINE_SECONDS: '3',
    PILLARBOX_CLOCK: '2026-11-16T08:59:00-05:00*600',
    PILLARBOX_DEMO: '1',
    LOG_LEVEL: 'fatal',
  };
  expect(readConfig(env)).toEqual({
    databaseUrl: env.DATABASE_URL,
    amqpUrl: env.AMQP_URL,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    port: 8_080,
    host: '0.0.0.0',
    publicUrl: env.PUBLIC_URL,
    trustedProxies: ['10.0.0.0/8', 'fd00::5'],
    apiKey: env.PILLARBOX_API_KEY,
    adminEmail: 'admin@localhost',
    adminPassword: 'correct horse',
    secret: env.PILLARBOX_SECRET,
    formerSecret: 'f',
    cronSecret: env.CRON_SECRET,
    // Whoever listens to the world must not let strangers point it at the machines beside it.
    allowPrivateHosts: false,
    leaseSeconds: 5,
    concurrency: 1,
    graceSeconds: 0,
    inlineSeconds: 3,
    clock: env.PILLARBOX_CLOCK,
    demo: true,
    logLevel: 'fatal',
  });
});

test.each(['sqlite:./data/p.db', 'sqlite:/var/lib/p.db', 'postgresql://h/x'])(
  'DATABASE_URL may be %s',
  (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  },
);

test('DATABASE_URL may not be in memory: no other process or thread would see it', () => {
  const url = 'sqlite::memory:';
  const fault = /: should be sqlite:<path>: every process and thread needs the same file/;
  expect(faultsOf({ DATABASE_URL: url })).toMatch(fault);
  expect(faultsOf({ DATABASE_URL: url })).toMatch(/^DATABASE_URL: /);
  expect(() => findSecret(undefined, url, silent)).toThrow(fault);
});

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['mail.example.org', false],
])('HOST %s allows private hosts: %s, unless it is said', (host, allowed) => {
  expect(readConfig({ HOST: host }).allowPrivateHosts).toBe(allowed);
  const said = { HOST: host, PILLARBOX_ALLOW_PRIVATE_HOSTS: allowed ? '0' : '1' };
  expect(readConfig(said).allowPrivateHosts).toBe(!allowed);
});

test.each([
  ['http://127.0.0.1:8025', true],
  ['http://localhost', true],
  ['http://[::1]:8025/', true],
  // A proxy on this machine stands in front, and the world before it.
  ['https://mail.example.org', false],
  ['http://192.168.0.5', false],
  ['http://127.0.0.1.example.org', false],
])('on loopback, PUBLIC_URL %s allows private hosts: %s, unless it is said', (url, allowed) => {
  expect(readConfig({ PUBLIC_URL: url }).allowPrivateHosts).toBe(allowed);
  const said = { PUBLIC_URL: url, PILLARBOX_ALLOW_PRIVATE_HOSTS: allowed ? '0' : '1' };
  expect(readConfig(said).allowPrivateHosts).toBe(!allowed);
  expect(readConfig({ PUBLIC_URL: url, HOST: '0.0.0.0' }).allowPrivateHosts).toBe(false);
});

test.each([
  ['PILLARBOX_API_KEY', 24, 'should be at least 24 characters, without blanks'],
  ['PILLARBOX_ADMIN_PASSWORD', 12, 'should be at least 12 characters'],
  ['PILLARBOX_SECRET', 32, 'should be at least 32 characters'],
  ['CRON_SECRET', 16, 'should be at least 16 characters, all of them ASCII'],
])('%s has at least %i characters', (name, least, what) => {
  expect(faultsOf({ [name]: 'x'.repeat(least - 1) })).toBe(`${name}: ${what}`);
  expect(faultsOf({ [name]: 'x'.repeat(least) })).toBe('');
});

test('a password is counted in letters, and may be as long as whoever logs in may write it', () => {
  expect(faultsOf({ PILLARBOX_ADMIN_PASSWORD: '🐎'.repeat(11) })).toMatch(/at least 12 characters$/);
  expect(faultsOf({ PILLARBOX_ADMIN_PASSWORD: '🐎'.repeat(12) })).toBe('');
  expect(faultsOf({ PILLARBOX_ADMIN_PASSWORD: 'x'.repeat(1_001) })).toMatch(/at most 1000 characters$/);
});

test('a secret that is left behind may be shorter than one is today', () => {
  expect(readConfig({ PILLARBOX_SECRET_FORMER: 'old' }).formerSecret).toBe('old');
});

const PUBLIC_URL_SHOULD =
  'should be http://host or https://host, without a path: it needs a host name of its own';

const BROKER = 'should be amqp://user:password@host:port/vhost or amqps://…, with special characters as %40';

describe('a malformed value is one line that names the variable and what it should be', () => {
  test.each([
    ['DATABASE_URL', 'mysql://ada:geheim@h/x', 'should be sqlite:<path> or postgres://…'],
    ['DATABASE_URL', 'sqlite:', 'should be sqlite:<path> or postgres://…'],
    ['AMQP_URL', 'http://geheim', BROKER],
    ['AMQP_URL', 'amqp://geheim:99999/', BROKER],
    ['SMTP_URL', 'geheim.example.org', expect.stringMatching(/give smtp:\/\/user:password@host:port/)],
    ['SMTP_URL', 'smtp://ada@geheim.example.org', 'it has a user but no password'],
    ['SMTP_URL', 'smtp://ada:geheim@h:70000', expect.stringMatching(/give smtp:/)],
    ['MAIL_FROM', 'geheim', expect.stringMatching(/@/)],
    ['MAIL_FROM', 'Ada <geheim@>', expect.stringMatching(/./)],
    ['PORT', 'geheim', 'should be a whole number from 0 to 65535'],
    ['PORT', '65536', 'should be a whole number from 0 to 65535'],
    ['PORT', '-1', 'should be a whole number from 0 to 65535'],
    ['HOST', 'geheim geheim', 'should be a host name or an address'],
    ['PUBLIC_URL', 'geheim.example.org', PUBLIC_URL_SHOULD],
    ['PUBLIC_URL', 'https://mail.example.org/geheim', PUBLIC_URL_SHOULD],
    ['PUBLIC_URL', 'http://localhost:geheim@mail.example.org', PUBLIC_URL_SHOULD],
    ['PILLARBOX_API_KEY', 'geheim', 'should be at least 24 characters, without blanks'],
    ['PILLARBOX_ADMIN_EMAIL', 'geheim', expect.stringMatching(/@/)],
    ['PILLARBOX_ADMIN_PASSWORD', 'geheim', 'should be at least 12 characters'],
    ['PILLARBOX_SECRET', 'geheim', 'should be at least 32 characters'],
    ['CRON_SECRET', 'geheim', 'should be at least 16 characters, all of them ASCII'],
    ['CRON_SECRET', 'geheim, aber mit ß', 'should be at least 16 characters, all of them ASCII'],
    ['PILLARBOX_TRUSTED_PROXIES', 'geheim', expect.stringMatching(/^should be addresses or networks/)],
    ['PILLARBOX_TRUSTED_PROXIES', '10.0.0.5,', expect.stringMatching(/^should be addresses or networks/)],
    ['PILLARBOX_TRUSTED_PROXIES', '0.0.0.0/0', expect.stringMatching(/^should be addresses or networks/)],
    ['PILLARBOX_LEASE_SECONDS', '4', 'should be a whole number from 5 to 86400'],
    ['PILLARBOX_LEASE_SECONDS', '1e3', 'should be a whole number from 5 to 86400'],
    ['PILLARBOX_LEASE_SECONDS', ' 30', 'should be a whole number from 5 to 86400'],
    ['PILLARBOX_CONCURRENCY', '0', 'should be a whole number from 1 to 10000'],
    ['PILLARBOX_CONCURRENCY', '1.5', 'should be a whole number from 1 to 10000'],
    ['PILLARBOX_GRACE_SECONDS', '99999', 'should be a whole number from 0 to 3600'],
    ['PILLARBOX_CLOCK', 'geheim', expect.stringMatching(/^should be an ISO instant/)],
    ['PILLARBOX_CLOCK', '2026-11-16T09:00:00Z*0', expect.stringMatching(/^should be an ISO instant/)],
    ['PILLARBOX_DEMO', 'yes', 'should be one of 0, 1'],
    ['LOG_LEVEL', 'geheim', 'should be one of trace, debug, info, warn, error, fatal'],
  ])('%s=%s', (name, value, what) => {
    const line = faultsOf({ [name]: value });
    expect(line.split('\n')).toHaveLength(1);
    expect(line.startsWith(`${name}: `)).toBe(true);
    expect(line.slice(name.length + 2)).toEqual(what);
    expect(line).not.toContain('geheim');
  });
});

test('every fault is told at once, a line each', () => {
  const env = { PORT: 'x', LOG_LEVEL: 'loud', PILLARBOX_LEASE_SECOND: '9' };
  expect(
    faultsOf(env)
      .split('\n')
      .map((line) => line.split(':')[0]),
  ).toEqual(['PORT', 'LOG_LEVEL', 'PILLARBOX_LEASE_SECOND']);
});

test('a variable of ours that does not exist is refused, with the one that was probably meant', () => {
  expect(faultsOf({ PILLARBOX_CONCURENCY: '5' })).toBe(
    'PILLARBOX_CONCURENCY: is not a setting; did you mean PILLARBOX_CONCURRENCY?',
  );
  expect(faultsOf({ PILLARBOX_COLOUR: 'geheim' })).toMatch(
    /^PILLARBOX_COLOUR: is not a setting; there are PILLARBOX_QUEUE_TYPE, PILLARBOX_DIRECT_AFTER_SECONDS, PILLARBOX_TRUSTED_PROXIES, .*PILLARBOX_DEMO$/,
  );
  expect(faultsOf({ OTHER_COLOUR: 'red', PILLARBOXES: '3' })).toBe('');
});

test('what has to do with a broker is read, or refused by name', () => {
  expect(
    readConfig({
      AMQP_URL: 'amqp://guest:guest@localhost',
      PILLARBOX_QUEUE_TYPE: 'quorum',
      PILLARBOX_DIRECT_AFTER_SECONDS: '0',
      RETRY_INTERVAL_SECONDS: '30',
      MAX_ATTEMPTS: '3',
      BACKOFF_SCHEDULE: '1m 5m',
    }),
  ).toMatchObject({
    queueType: 'quorum',
    directAfterSeconds: 0,
    retryIntervalSeconds: 30,
    dispatcherPolicy: { maxAttempts: 3, delaysSeconds: [60, 300] },
  });
  expect(
    faultsOf({
      PILLARBOX_QUEUE_TYPE: 'stream',
      RETRY_INTERVAL_SECONDS: '0',
      MAX_ATTEMPTS: '51',
      BACKOFF_SCHEDULE: 'soon',
    })
      .split('\n')
      .map((line) => line.split(':')[0]),
  ).toEqual(['PILLARBOX_QUEUE_TYPE', 'RETRY_INTERVAL_SECONDS', 'MAX_ATTEMPTS', 'BACKOFF_SCHEDULE']);
});
