// @ts-check
import { createServer } from 'node:net';

// Below 32768, where Linux begins to hand out ports to outgoing connections: a port that was free a moment ago
// stays free, because no passing socket is ever given it.
const FIRST_PORT = 20_000;
const LAST_PORT = 31_999;
const MOST_TRIES = 200;

/**
 * Distinct ports nobody listens on. They are let go before they are returned, so another process may still
 * take one first: whoever starts a server on them tries again with others.
 *
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  /** @type {Map<number, import('node:net').Server>} */
  const held = new Map();
  try {
    for (let tries = 0; held.size < count; tries += 1) {
      if (tries === MOST_TRIES) {
        throw new Error(`no free port among ${MOST_TRIES} tried between ${FIRST_PORT} and ${LAST_PORT}`);
      }
      const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1));
      const server = held.has(port) ? undefined : await listen(port);
      if (server) held.set(port, server);
    }
    return [...held.keys()];
  } finally {
    await Promise.all([...held.values()].map((server) => new Promise((closed) => server.close(closed))));
  }
}

/**
 * @param {number} port
 * @returns {Promise<import('node:net').Server | undefined>} undefined when the port is taken
 */
function listen(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => resolve(server));
  });
}
