import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { PillarboxError } from '../core/errors.js';

/** How long requests that are under way may take to end when the server stops. */
const CLOSE_MS = 10_000;
const LOOK_MS = 50;

/** A server that can be reached. */
export interface Listening {
  /** With the port that it really got. */
  readonly url: string;
  /** Takes no more requests, waits for those under way, and hangs up on those that take too long. */
  readonly close: () => Promise<void>;
}

export async function listen(app: FastifyInstance, host: string, port: number): Promise<Listening> {
  let underWay = 0;
  app.server.on('request', (_request, response) => {
    underWay += 1;
    response.once('close', () => (underWay -= 1));
  });
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw new PillarboxError('invalid_config', whyNot(host, port, error as Error), { cause: error });
  }
  const { port: taken } = app.server.address() as AddressInfo;
  const close = async () => {
    const deadline = performance.now() + CLOSE_MS;
    // A browser opens connections ahead and says nothing on them; a server that waited for those would wait long.
    const hangUp = setInterval(() => {
      if (underWay === 0 || performance.now() > deadline) app.server.closeAllConnections();
    }, LOOK_MS);
    await app.close();
    clearInterval(hangUp);
  };
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`, close };
}

function whyNot(host: string, port: number, error: Error): string {
  switch ((error as { code?: string }).code) {
    case 'EADDRINUSE':
      return `PORT: ${port} is in use on ${host}; set another`;
    case 'EACCES':
      return `PORT: ${port} may not be used by this account; set one above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: ${host} is not an address of this machine`;
    default:
      return `HOST, PORT: cannot listen on ${host}:${port}: ${error.message}`;
  }
}
