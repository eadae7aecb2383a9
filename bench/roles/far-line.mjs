// @ts-check
import { connect, createServer } from 'node:net';

/**
 * A line to a server that is not next door: whatever is said arrives this much later, in both directions. Bytes are
 * passed on as they came, so that one write is one turn.
 *
 * @param {{ port: number, oneWayMs: number }} args of the server
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ port, oneWayMs }, parent) {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true });
    carry(near, far, oneWayMs);
    carry(far, near, oneWayMs);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  parent.tell({ kind: 'listening', port: address.port });
}

/**
 * @param {import('node:net').Socket} from
 * @param {import('node:net').Socket} to
 * @param {number} ms
 */
function carry(from, to, ms) {
  from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), ms));
  from.on('end', () => setTimeout(() => to.end(), ms));
  from.on('error', () => to.destroy());
}
