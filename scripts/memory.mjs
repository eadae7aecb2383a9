// @ts-check
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** The type of a file system in memory, as Linux names it. */
const TMPFS = 0x0102_1994;
/** Several times what the tests ever have there at once. */
const ENOUGH = 4 * 1024 ** 3;

/**
 * Where tests keep what is gone with them. A database is made for almost each of them, of some three hundred files: on a
 * disk that takes longer than most tests, and more than half of the processor's time of them all. In memory if there is
 * plenty of it, unless somebody has said where.
 *
 * @returns {Promise<string>}
 */
export async function quickestDirectory() {
  if (process.env['TMPDIR'] !== undefined || process.availableMemory() < ENOUGH) return tmpdir();
  const room = await statfs(IN_MEMORY).catch(() => undefined);
  return room?.type === TMPFS && room.bavail * room.bsize >= ENOUGH ? IN_MEMORY : tmpdir();
}
