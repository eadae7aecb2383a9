// @ts-check
import { Child } from '../children.mjs';

/**
 * The same sink, so many milliseconds away: there and back.
 *
 * @template {import('./smtp-sink.mjs').Sink & { port: number }} T
 * @param {T} sink
 * @param {number} roundTripMs
 * @returns {Promise<T>}
 */
export async function farAway(sink, roundTripMs) {
  const line = new Child('far-line', { port: sink.port, oneWayMs: roundTripMs / 2 });
  const { port } = await line.heard('listening');
  return {
    ...sink,
    port,
    smtp: { ...sink.smtp, url: `smtp://127.0.0.1:${port}` },
    stop: async () => {
      await line.end();
      await sink.stop();
    },
  };
}
