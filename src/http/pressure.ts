import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Lag } from './lag.js';
import { limitsOf } from './limits.js';
import { busy, Load, type Write } from './load.js';
import type { Service } from './service.js';
import { StrangersSockets } from './sockets.js';
import { streamsOf } from './stream/streams.js';
import { placeOf } from './where.js';

/** Nobody is that slow who means well. */
const SILENT_SOCKET_MS = 60_000;

/** For `http.createServer`: a head must come within seconds, and that is looked at often enough to mean it. */
export const SOCKET_LIMITS = { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 };

/** How long a file may be on its way. */
export const FILE_MS = 3_600_000;
/** How long anything else may. */
const REQUEST_MS = 30_000;

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

declare module 'fastify' {
  interface FastifyRequest {
    /** What it takes of the room that there is; undefined: it only reads. */
    write?: Write | undefined;
  }
}

/** Refuses writes it could not keep up with, lets go of sockets that say nothing, and of listeners when it stops. */
export function withstand(app: FastifyInstance, service: Service): void {
  const limits = limitsOf(service.limits);
  const known = new Load(limits.known);
  const strangers = new Load(limits.strangers);
  const sockets = new StrangersSockets(limits.strangersSockets);
  const lag = new Lag();
  const stopWatching = lag.watch();
  app.server.setTimeout(SILENT_SOCKET_MS);
  app.server.on('connection', (socket) => sockets.opened(socket));
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request) && request.routeOptions.config.takes !== 'text/csv') hurry(request, reply);
    done();
  });
  // After admission and before the body: strangers take room from each other, and from nobody else.
  app.addHook('preParsing', async (request, reply) => {
    if (request.admitted) sockets.admitted(request.raw.socket);
    if (READS.has(request.method)) return;
    // Whoever hung up while he was being admitted will not do so again: nothing would end his write.
    if (reply.raw.destroyed) throw hungUp();
    if (lag.isBehind) throw busy();
    const write = beginFor(request);
    request.write = write;
    reply.raw.once('finish', write.end).once('close', write.end);
  });
  app.addHook('preClose', () => {
    streamsOf(service).close();
    stopWatching();
  });

  function beginFor(request: FastifyRequest): Write {
    if (!request.admitted) return strangers.begin(placeOf(request));
    return known.begin(request.principal?.workspaceId ?? NO_WORKSPACE);
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Whoever has not said all of it by then is hung up on, whether or not anybody reads it. */
function hurry({ raw }: FastifyRequest, reply: FastifyReply): void {
  const timer = setTimeout(() => {
    if (raw.complete) return;
    if (!reply.raw.headersSent) raw.socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
    raw.destroy();
  }, REQUEST_MS).unref();
  raw.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}

/** Whoever was admitted by a secret and not as a member of some workspace: the timer. */
const NO_WORKSPACE = 'none';

const hungUp = (): Error => Object.assign(new Error('hung up'), { statusCode: 400 });
