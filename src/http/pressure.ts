import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PillarboxError } from '../errors.js';
import type { Service } from './service.js';
import { streamsOf } from './stream/streams.js';

/** What may be going on at once; more is told to come back, before its body is read. */
const WRITES_AT_ONCE = 1_000;
const BYTES_AT_ONCE = 256 * 1024 * 1024;
/** A process that stands still for so long does not keep up with what it has been given. */
const LAG_MS = 2_000;
const LAG_LOOK_MS = 500;
/** What a body without a length may turn out to be. */
const UNKNOWN_BYTES = 1024 * 1024;
/** What is larger is refused for its size. */
const LARGEST_BYTES = 50 * 1024 * 1024;
/** Nobody is that slow who means well. */
const SILENT_SOCKET_MS = 60_000;
const RETRY_SECONDS = 2;

/** For `http.createServer`: a head must come within seconds, and that is looked at often enough to mean it. */
export const SOCKET_LIMITS = { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 };

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses writes it could not keep up with, lets go of sockets that say nothing, and of listeners when it stops. */
export function withstand(app: FastifyInstance, service: Service): void {
  const load = new Load();
  app.server.setTimeout(SILENT_SOCKET_MS);
  // After admission and before the body: a stranger takes nobody's place.
  app.addHook('preParsing', async (request, reply) => {
    if (READS.has(request.method)) return;
    const release = load.take(announcedBytes(request));
    reply.raw.once('finish', release).once('close', release);
  });
  app.addHook('preClose', () => {
    streamsOf(service).close();
    load.close();
  });
}

class Load {
  #writes = 0;
  #bytes = 0;
  #lagMs = 0;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    let expected = performance.now() + LAG_LOOK_MS;
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#lagMs = Math.max(0, now - expected);
      expected = now + LAG_LOOK_MS;
    }, LAG_LOOK_MS).unref();
  }

  /** Answers what to call when it is over. Throws `busy` if there is no room. */
  take(bytes: number): () => void {
    const full =
      this.#writes >= WRITES_AT_ONCE ||
      (this.#bytes > 0 && this.#bytes + bytes > BYTES_AT_ONCE) ||
      this.#lagMs > LAG_MS;
    if (full) {
      throw new PillarboxError('busy', 'more comes in than can be written down; try again in a moment', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    this.#writes += 1;
    this.#bytes += bytes;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#writes -= 1;
      this.#bytes -= bytes;
    };
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function announcedBytes({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length']);
  return Number.isFinite(length) ? Math.min(length, LARGEST_BYTES) : UNKNOWN_BYTES;
}
