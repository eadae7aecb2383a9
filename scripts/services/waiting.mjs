// @ts-check
import { setTimeout as pause } from 'node:timers/promises';

/** Waiting for this is pointless: `until` passes it on at once instead of asking again. */
export class Hopeless extends Error {}

/**
 * Asks again and again until `probe` answers instead of throwing.
 *
 * @template T
 * @param {string} what What is awaited, for the error.
 * @param {() => T | Promise<T>} probe
 * @param {{ timeoutMs: number, everyMs?: number, signal?: AbortSignal | undefined }} limits
 * @returns {Promise<T>}
 */
export async function until(what, probe, { timeoutMs, everyMs = 50, signal }) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await probe();
    } catch (error) {
      if (error instanceof Hopeless) throw error;
      if (performance.now() > deadline) {
        throw new Error(`${what}: not within ${timeoutMs / 1000} s; last answer: ${reason(error)}`, {
          cause: error,
        });
      }
    }
    await pause(everyMs, undefined, signal ? { signal } : {});
  }
}

/**
 * An error in one line. A refused connection to `localhost` is an AggregateError with an empty message, hence
 * the code.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function reason(error) {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return (error.message || code).replaceAll(/\s*\n\s*/g, ' | ').trim();
}
