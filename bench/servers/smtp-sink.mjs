// @ts-check
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { unprivileged } from '../../scripts/services/account.mjs';
import { freePorts } from '../../scripts/services/ports.mjs';
import { startDaemon } from './daemon.mjs';
import { findOrInstall } from './programs.mjs';

const WAITING_CONNECTIONS = 128;
/** Room for the last of the lines that it writes, one a mail. */
const LAST_LINE_BYTES = 200;

/**
 * Where mail ends.
 *
 * @typedef {object} Sink
 * @property {{ url: string, caFile?: string, mailsInFlight?: number }} smtp How to reach it.
 * @property {() => Promise<number>} received How many mails it has accepted.
 * @property {() => Promise<void>} stop
 */

export const findSmtpSink = () => findOrInstall('smtp-sink', 'postfix');

let started = 0;

/**
 * Postfix's `smtp-sink`: takes every mail, forgets it, and counts.
 *
 * @param {string} directory
 * @returns {Promise<Sink & { port: number }>}
 */
export async function startSmtpSink(directory) {
  const command = await findSmtpSink();
  const [port = 0] = await freePorts(1);
  const logFile = join(directory, `smtp-sink-${(started += 1)}`);
  const { stop } = await startDaemon({
    command,
    args: ['-c', `127.0.0.1:${port}`, String(WAITING_CONNECTIONS)],
    logFile,
    cwd: directory,
    port,
    ...unprivileged(['nobody']),
  });
  const counters = await open(logFile);
  return {
    port,
    smtp: { url: `smtp://127.0.0.1:${port}` },
    received: async () => {
      const { size } = await counters.stat();
      const from = Math.max(0, size - LAST_LINE_BYTES);
      const { buffer, bytesRead } = await counters.read(Buffer.alloc(size - from), { position: from });
      const counts = [...buffer.toString('latin1', 0, bytesRead).matchAll(/mesg=(\d+)\r/g)];
      return Number(counts.at(-1)?.[1] ?? 0);
    },
    stop: async () => {
      await counters.close();
      await stop();
    },
  };
}
