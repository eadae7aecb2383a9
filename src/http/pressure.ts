import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Load, LOAD_LIMITS } from './load.js';
import type { Service } from './service.js';
import { streamsOf } from './stream/streams.js';

const LAG_LOOK_MS = 500;
/** What a body without a length may turn out to be. */
const UNKNOWN_BYTES = 1024 * 1024;
/** What is larger is refused for its size. */
const LARGEST_BYTES = 50 * 1024 * 1024;
/** Nobody is that slow who means well. */
const SILENT_SOCKET_MS = 60_000;

/** For `http.createServer`: a head must come within seconds, and that is looked at often enough to mean it. */
export const SOCKET_LIMITS = { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 };

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses writes it could not keep up with, lets go of sockets that say nothing, and of listeners when it stops. */
export function withstand(app: FastifyInstance, service: Service): void {
  const load = new Load({ ...LOAD_LIMITS, ...service.limits });
  const stopLooking = lookAtClock(load);
  app.server.setTimeout(SILENT_SOCKET_MS);
  // After admission and before the body: a stranger takes nobody's place.
  app.addHook('preParsing', async (request, reply) => {
    if (READS.has(request.method)) return;
    const release = load.take(announcedBytes(request));
    reply.raw.once('finish', release).once('close', release);
  });
  app.addHook('preClose', () => {
    streamsOf(service).close();
    stopLooking();
  });
}

function lookAtClock(load: Load): () => void {
  let expected = performance.now() + LAG_LOOK_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    load.looked(Math.max(0, now - expected));
    expected = now + LAG_LOOK_MS;
  }, LAG_LOOK_MS).unref();
  return () => clearInterval(timer);
}

function announcedBytes({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length']);
  return Number.isFinite(length) ? Math.min(length, LARGEST_BYTES) : UNKNOWN_BYTES;
}
