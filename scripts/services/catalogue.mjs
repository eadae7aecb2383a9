// @ts-check
import { findChromium } from './chromium.mjs';
import { findExim, findOpensmtpd, findPostfix } from './mail-servers.mjs';
import { findNode22 } from './node22.mjs';
import { findPgbouncer } from './pgbouncer.mjs';
import { startPostgres } from './start-postgres.mjs';
import { startRabbitmq } from './start-rabbitmq.mjs';
import { findAmqpTools, findCaddy, findNginx, findPromtool, findSystemd } from './tools.mjs';

/**
 * @typedef {object} StartOptions
 * @property {string} directory Empty, for this server alone, and removed with all it holds after the stop.
 * @property {boolean} durable Whether what is written must outlive a power cut: slower, for measurements.
 * @property {readonly string[]} [serverArgs] Further arguments of a private PostgreSQL; the last of a kind counts.
 * @property {(count: number) => Promise<number[]>} [takePorts]
 * @property {AbortSignal | undefined} [signal]
 * @property {(line: string) => void} log
 */

/**
 * @typedef {object} Running
 * @property {import('./start-postgres.mjs').Postgres} postgres
 * @property {import('./start-rabbitmq.mjs').Rabbitmq} rabbitmq
 * @property {import('./chromium.mjs').Chromium} chromium
 * @property {import('./pgbouncer.mjs').Pgbouncer} pgbouncer
 * @property {import('./tools.mjs').Tool} amqpTools
 * @property {import('./tools.mjs').Tool} promtool
 * @property {import('./tools.mjs').Tool} nginx
 * @property {import('./tools.mjs').Tool} caddy
 * @property {import('./tools.mjs').Tool} systemd
 * @property {import('./tools.mjs').Tool} node22
 * @property {import('./mail-servers.mjs').MailServer} postfix
 * @property {import('./mail-servers.mjs').MailServer} exim
 * @property {import('./mail-servers.mjs').MailServer} opensmtpd
 */
/** @typedef {keyof Running} ServiceName */
/** @typedef {Record<string, string | undefined>} Variables */

/**
 * Everything the product can be run and tested against. A new one is one more entry here.
 *
 * @type {{ [Name in ServiceName]: {
 *   title: string,
 *   start: (options: StartOptions) => Promise<Running[Name]>,
 *   developmentVariables: (running: Running[Name]) => Variables,
 *   testVariables: (running: Running[Name]) => Variables,
 * } }}
 */
export const CATALOGUE = {
  postgres: {
    title: 'PostgreSQL',
    start: startPostgres,
    developmentVariables: ({ url }) => ({ DATABASE_URL: url }),
    testVariables: ({ url, descriptorFile }) => ({
      TEST_POSTGRES_URL: url,
      TEST_POSTGRES_DESCRIPTOR: descriptorFile,
    }),
  },
  rabbitmq: {
    title: 'RabbitMQ',
    start: startRabbitmq,
    developmentVariables: ({ url }) => ({ AMQP_URL: url }),
    testVariables: ({ url, descriptorFile }) => ({
      TEST_AMQP_URL: url,
      TEST_RABBITMQ_DESCRIPTOR: descriptorFile,
    }),
  },
  chromium: {
    title: 'Chromium',
    start: findChromium,
    developmentVariables: () => ({}),
    testVariables: ({ program }) => ({ PILLARBOX_TEST_CHROMIUM: program }),
  },
  pgbouncer: {
    title: 'PgBouncer',
    start: findPgbouncer,
    developmentVariables: () => ({}),
    testVariables: ({ program }) => ({ PILLARBOX_TEST_PGBOUNCER: program }),
  },
  amqpTools: {
    title: 'amqp-tools',
    start: findAmqpTools,
    developmentVariables: () => ({}),
    testVariables: ({ program }) => ({ PILLARBOX_TEST_AMQP_PUBLISH: program }),
  },
  promtool: {
    title: 'promtool',
    start: findPromtool,
    developmentVariables: () => ({}),
    testVariables: ({ program }) => ({ PILLARBOX_TEST_PROMTOOL: program }),
  },
  nginx: {
    title: 'nginx',
    start: findNginx,
    developmentVariables: () => ({}),
    testVariables: ({ program }) => ({ PILLARBOX_TEST_NGINX: program }),
  },
  caddy: {
    title: 'Caddy',
    start: findCaddy,
    developmentVariables: () => ({}),
    testVariables: ({ program }) => ({ PILLARBOX_TEST_CADDY: program }),
  },
  systemd: {
    title: 'systemd',
    start: findSystemd,
    developmentVariables: () => ({}),
    testVariables: ({ program }) => ({ PILLARBOX_TEST_SYSTEMD_ANALYZE: program }),
  },
  node22: {
    title: 'Node',
    start: findNode22,
    developmentVariables: () => ({}),
    testVariables: ({ program }) => ({ PILLARBOX_TEST_NODE_22: program }),
  },
  postfix: {
    title: 'Postfix',
    start: findPostfix,
    developmentVariables: () => ({}),
    testVariables: ({ root }) => ({ PILLARBOX_TEST_POSTFIX_ROOT: root }),
  },
  exim: {
    title: 'Exim',
    start: findExim,
    developmentVariables: () => ({}),
    testVariables: ({ root }) => ({ PILLARBOX_TEST_EXIM_ROOT: root }),
  },
  opensmtpd: {
    title: 'OpenSMTPD',
    start: findOpensmtpd,
    developmentVariables: () => ({}),
    testVariables: ({ root }) => ({ PILLARBOX_TEST_OPENSMTPD_ROOT: root }),
  },
};

export const SERVICE_NAMES = /** @type {ServiceName[]} */ (Object.keys(CATALOGUE));
/** Those that something can be run with: programs are started by whoever tests with them. */
export const SERVER_NAMES = /** @type {readonly ('postgres' | 'rabbitmq')[]} */ (['postgres', 'rabbitmq']);
