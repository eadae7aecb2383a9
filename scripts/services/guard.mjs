// @ts-check
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Watches over the servers in a directory: should this process die without stopping them, even by SIGKILL,
 * the guard does. It notices by the pipe between them, which closes with whoever holds its other end.
 *
 * @param {string} directory
 * @returns {{ dismiss: () => Promise<void> }}
 */
export function postGuard(directory) {
  const guard = spawn(process.execPath, [fileURLToPath(import.meta.url), directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = once(guard, 'exit').catch(() => {});
  guard.unref();
  guard.stdin.on('error', () => {});
  return {
    dismiss: async () => {
      guard.ref();
      guard.stdin.end();
      await gone;
    },
  };
}

/** @param {string} directory */
async function clearUp(directory) {
  const [postgres, rabbitmq] = await Promise.all([import('./postgres.mjs'), import('./rabbitmq.mjs')]);
  await Promise.allSettled([
    postgres
      .readDescriptor(join(directory, 'postgres/descriptor.json'))
      .then((it) => postgres.stopPostgres(it, 'immediate')),
    rabbitmq
      .readDescriptor(join(directory, 'rabbitmq/descriptor.json'))
      .then((it) => rabbitmq.stopRabbitmq(it)),
  ]);
  await rm(directory, { recursive: true, force: true });
}

const [, program, directory] = process.argv;
if (program === fileURLToPath(import.meta.url) && directory) {
  process.stdin.resume();
  await once(process.stdin, 'close');
  await clearUp(directory);
}
