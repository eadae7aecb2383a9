// @ts-check
import { readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, untilGone } from './processes.mjs';

const PATIENCE_MS = 10_000;
/** A server may start one more process while the others are ended. */
const MOST_ROUNDS = 10;

/**
 * How the rooms of this process begin: directories that servers have as their root. By its number they are known to be
 * left over when it is gone.
 *
 * @param {string} directory
 */
export const roomPrefix = (directory) => join(directory, `room-${process.pid}-`);

/**
 * Removes the rooms of processes that are gone, and ends the servers in them: tests that were killed can't.
 *
 * @param {string} directory
 */
export async function sweepRooms(directory) {
  const names = await readdir(directory).catch(() => /** @type {string[]} */ ([]));
  for (const name of names) {
    const owner = /^room-(\d+)-/.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const room = join(directory, name);
    await endAllIn(room);
    // Others may be sweeping too.
    await rm(room, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** @param {string} room */
async function endAllIn(room) {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const inside = await processesIn(room);
    if (inside.length === 0) return;
    for (const pid of inside) kill(pid);
    await Promise.all(inside.map((pid) => untilGone(pid, PATIENCE_MS)));
  }
}

/**
 * Whoever has a root directory in there, and nobody else.
 *
 * @param {string} room
 * @returns {Promise<number[]>}
 */
async function processesIn(room) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const roots = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/root`).catch(() => '')));
  return pids.filter((pid, index) => roots[index]?.startsWith(`${room}/`) && isAlive(pid));
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}
