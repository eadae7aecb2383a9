// @ts-check
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATALOGUE, SERVICE_NAMES } from './catalogue.mjs';
import { postGuard } from './guard.mjs';
import { reason } from './waiting.mjs';

/** @typedef {import('./catalogue.mjs').Running} Running */
/** @typedef {import('./catalogue.mjs').ServiceName} ServiceName */
/** @typedef {{ unavailable: string }} Unavailable Why it is not there, and what to do about it. */
/** @typedef {{ [Name in ServiceName]?: Running[Name] | Unavailable }} Started */

/**
 * Starts the wanted servers side by side. It does not throw for one that cannot be had: that one says why.
 *
 * @param {{
 *   want?: readonly ServiceName[],
 *   durable?: boolean,
 *   serverArgs?: readonly string[],
 *   takePorts?: (count: number) => Promise<number[]>,
 *   signal?: AbortSignal,
 *   log?: (line: string) => void,
 * }} [options]
 * @returns {Promise<Started & { directory: string, stop: () => Promise<void> }>} the directory goes with them
 */
export async function startServices(options = {}) {
  const { want = SERVICE_NAMES, durable = false, log = () => {}, ...rest } = options;
  const directory = await mkdtemp(join(tmpdir(), 'pillarbox-services-'));
  const guard = postGuard(directory);
  await chmod(directory, 0o755); // the servers run as other users
  const entries = await Promise.all(
    want.map(async (name) => {
      const room = join(directory, name);
      await mkdir(room);
      await chmod(room, 0o755);
      const started = CATALOGUE[name].start({ directory: room, durable, log, ...rest });
      return [name, await started.catch((/** @type {unknown} */ error) => ({ unavailable: reason(error) }))];
    }),
  );
  /** @type {Started} */
  const started = Object.fromEntries(entries);
  const stop = async () => {
    const stops = Object.values(started).map(async (server) => {
      if ('stop' in server) await server.stop();
    });
    const failures = (await Promise.allSettled(stops)).flatMap((it) =>
      it.status === 'rejected' ? it.reason : [],
    );
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    await guard.dismiss();
    if (failures.length > 0) throw new AggregateError(failures, failures.map(reason).join('; '));
  };
  return { ...started, directory, stop };
}

/**
 * One line per server, as a person wants to read it.
 *
 * @param {Started} started
 * @returns {{ present: boolean, line: string }[]}
 */
export function statusOf(started) {
  return SERVICE_NAMES.flatMap((name) => {
    const server = started[name];
    const { title } = CATALOGUE[name];
    if (!server) return [];
    if ('unavailable' in server) return { present: false, line: `without ${title}: ${server.unavailable}` };
    return { present: true, line: `with ${title} ${server.version}` };
  });
}

/**
 * The environment in which a program finds the servers.
 *
 * @param {Started} started
 * @param {'developmentVariables' | 'testVariables'} kind
 * @returns {import('./catalogue.mjs').Variables}
 */
export function variablesOf(started, kind) {
  return Object.assign({}, ...SERVICE_NAMES.map((name) => variablesOfOne(name, started[name], kind)));
}

/**
 * @template {ServiceName} Name
 * @param {Name} name
 * @param {Running[Name] | Unavailable | undefined} server
 * @param {'developmentVariables' | 'testVariables'} kind
 */
function variablesOfOne(name, server, kind) {
  return server && !('unavailable' in server) ? CATALOGUE[name][kind](server) : {};
}
