// @ts-check
import { findChromium } from './chromium.mjs';
import { startPostgres } from './start-postgres.mjs';
import { startRabbitmq } from './start-rabbitmq.mjs';

/**
 * @typedef {object} StartOptions
 * @property {string} directory Empty, for this server alone, and removed with all it holds after the stop.
 * @property {boolean} durable Whether what is written must outlive a power cut: slower, for measurements.
 * @property {(count: number) => Promise<number[]>} [takePorts]
 * @property {AbortSignal | undefined} [signal]
 * @property {(line: string) => void} log
 */

/**
 * @typedef {object} Running
 * @property {import('./start-postgres.mjs').Postgres} postgres
 * @property {import('./start-rabbitmq.mjs').Rabbitmq} rabbitmq
 * @property {import('./chromium.mjs').Chromium} chromium
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
    testVariables: ({ url }) => ({ TEST_AMQP_URL: url }),
  },
  chromium: {
    title: 'Chromium',
    start: findChromium,
    developmentVariables: () => ({}),
    testVariables: ({ program }) => ({ PILLARBOX_TEST_CHROMIUM: program }),
  },
};

export const SERVICE_NAMES = /** @type {ServiceName[]} */ (Object.keys(CATALOGUE));
/** Those that something can be run with: a browser comes by itself. */
export const SERVER_NAMES = SERVICE_NAMES.filter((name) => name !== 'chromium');
