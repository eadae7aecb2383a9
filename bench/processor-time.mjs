// @ts-check
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const TICK_MICROSECONDS = 10_000;

/**
 * @param {number} pid
 * @returns {{ parent: number, microseconds: number } | undefined} undefined: it is gone
 */
function look(pid) {
  try {
    // The name stands in brackets and may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [, parent, , , , , , , , , , user, system] = fields;
    return { parent: Number(parent), microseconds: (Number(user) + Number(system)) * TICK_MICROSECONDS };
  } catch {
    return undefined;
  }
}

/**
 * What a process and those that it has started have used so far. What they have used that are gone is not in it.
 *
 * @param {number} root
 * @returns {number} in µs
 */
export function processorTime(root) {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), look(Number(name))]),
  );
  const isOurs = (/** @type {number} */ pid) => {
    for (let each = pid; each > 1; each = all.get(each)?.parent ?? 0) if (each === root) return true;
    return false;
  };
  return [...all].reduce((sum, [pid, seen]) => sum + (seen && isOurs(pid) ? seen.microseconds : 0), 0);
}
