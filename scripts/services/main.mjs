// @ts-check
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { SERVER_NAMES } from './catalogue.mjs';
import { runInForeground, watchInterrupts } from './foreground.mjs';
import { startServices, statusOf, variablesOf } from './index.mjs';

const USAGE = `Starts the servers Pillarbox can run with, privately, and stops them when it ends.

  node scripts/services/main.mjs [--only ${SERVER_NAMES.join(',')}] [--durable]
      prints the variables to set and stays until Ctrl-C
  node scripts/services/main.mjs [--only …] [--durable] --for <command> [argument…]
      runs a command with the variables set, and exits with its code

DATABASE_URL (PostgreSQL) and AMQP_URL, when set, are used instead and left running.`;

/** @typedef {import('./catalogue.mjs').ServiceName} ServiceName */

/** @param {readonly string[]} argv */
function readArguments(argv) {
  const split = argv.indexOf('--for');
  const command = split < 0 ? [] : argv.slice(split + 1);
  if (split >= 0 && command.length === 0) throw new Error('--for needs a command');
  const { values } = parseArgs({
    args: split < 0 ? [...argv] : argv.slice(0, split),
    options: {
      only: { type: 'string' },
      durable: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const want = (values.only?.split(',') ?? SERVER_NAMES).map((word) => {
    const name = SERVER_NAMES.find((known) => known === word);
    if (!name) throw new Error(`"${word}" is none of ${SERVER_NAMES.join(', ')}`);
    return name;
  });
  return { want, command, durable: values.durable ?? false, help: values.help ?? false };
}

/**
 * @param {{ want: ServiceName[], command: string[], durable: boolean }} request
 * @returns {Promise<number>} the exit code
 */
async function serve({ want, command: [command, ...args], durable }) {
  const interrupts = watchInterrupts();
  const { signal } = interrupts;
  const services = await startServices({ want, durable, signal, log: console.error });
  try {
    if (signal.aborted) return interrupts.exitCode() ?? 1;
    const lines = statusOf(services);
    for (const { line } of lines) console.error(line);
    if (lines.some(({ present }) => !present)) return 1;
    const variables = variablesOf(services, 'developmentVariables');
    if (command) {
      const code = await runInForeground(command, args, { env: { ...process.env, ...variables }, signal });
      return interrupts.exitCode() ?? code;
    }
    for (const [name, value] of Object.entries(variables)) console.log(`${name}=${value}`);
    console.error('Ctrl-C stops them.');
    const stay = setInterval(() => {}, 2 ** 30);
    if (!signal.aborted) await once(signal, 'abort');
    clearInterval(stay);
    return 0;
  } finally {
    await services.stop();
  }
}

try {
  const request = readArguments(process.argv.slice(2));
  if (request.help) console.log(USAGE);
  else process.exitCode = await serve(request);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
