// @ts-check
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { greet } from './amqp.mjs';
import { end, launch, run } from './processes.mjs';
import { readDescriptor } from './rabbitmq.mjs';
import { Hopeless, reason, until } from './waiting.mjs';

const COMMAND_TIMEOUT_MS = 120_000;
const READY_TIMEOUT_MS = 120_000;
const END_TIMEOUT_MS = 20_000;

/**
 * Commands to a private broker, for tests that do to it what happens to brokers.
 *
 * @typedef {object} RabbitmqControl
 * @property {string} url
 * @property {(...args: string[]) => Promise<string>} command As `rabbitmqctl` takes them.
 * @property {(expression: string) => Promise<string>} evaluate Erlang, in the broker itself.
 * @property {() => Promise<string>} virtualHost A new one, for one test alone; answers its URL.
 * @property {() => Promise<void>} kill With SIGKILL.
 * @property {() => Promise<void>} start After a kill.
 */

/**
 * @param {string} descriptorFile
 * @returns {Promise<RabbitmqControl>}
 */
export async function controlRabbitmq(descriptorFile) {
  const descriptor = await readDescriptor(descriptorFile);
  const how = descriptor.launch;
  if (!how) throw new Error('only a private RabbitMQ can be commanded');
  const { program, url, logFile, ...account } = how;
  // What the broker itself must not read from a terminal is no matter to its commands.
  const env = { ...account.env };
  delete env['RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS'];
  const command = (/** @type {string[]} */ ...args) =>
    run(join(dirname(program), 'rabbitmqctl'), ['-q', ...args], {
      ...account,
      env,
      timeoutMs: COMMAND_TIMEOUT_MS,
    });
  // Not by a command: each starts a machine of its own, which takes a hundred times as long.
  const evaluate = async (/** @type {string} */ expression) => {
    const args = ['-sname', String(env['RABBITMQ_NODENAME']), '-e'];
    const settings = { ...account, env, input: `${expression}\n`, timeoutMs: COMMAND_TIMEOUT_MS };
    const ask = async () => {
      try {
        return await run('erl_call', args, settings);
      } catch (error) {
        // A broker that is busy lets nobody in for a while. Whatever else failed may have been begun.
        if (reason(error).includes('failed to connect')) throw error;
        throw new Hopeless(reason(error), { cause: error });
      }
    };
    const answer = await until('a word with the broker', ask, { timeoutMs: COMMAND_TIMEOUT_MS });
    if (!answer.startsWith('{ok,')) throw new Error(`the broker answered ${answer} to ${expression}`);
    return answer;
  };
  return {
    url,
    command,
    evaluate,
    virtualHost: async () => {
      const name = `t${randomBytes(6).toString('hex')}`;
      await evaluate(
        `ok = rabbit_vhost:add(<<"${name}">>, <<"test">>), ` +
          `rabbit_auth_backend_internal:set_permissions(<<"guest">>, <<"${name}">>, <<".*">>, <<".*">>, <<".*">>, <<"test">>).`,
      );
      return `${url}/${name}`;
    },
    kill: () => end(descriptor.brokerPid ?? 0, ['SIGKILL'], END_TIMEOUT_MS),
    start: async () => {
      const broker = await launch(program, [], { ...account, logFile });
      descriptor.brokerPid = broker.pid;
      await writeFile(descriptorFile, JSON.stringify(descriptor, undefined, 2));
      await until('RabbitMQ, started again', () => greet(url), { timeoutMs: READY_TIMEOUT_MS });
    },
  };
}
