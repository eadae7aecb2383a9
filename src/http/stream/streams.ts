import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { PillarboxError } from '../../core/errors.js';
import { admit } from '../admission.js';
import { perService } from '../per-service.js';
import type { Service } from '../service.js';
import { Watch, type StreamEvent } from './watch.js';

/** Each costs a socket and a look at its key now and then. */
const LISTENERS = 200;
const LISTENERS_OF_WORKSPACE = 100;
const HEARTBEAT_MS = 15_000;
/** How soon a revoked key or an ended session hears nothing more. */
const ADMIT_AGAIN_MS = 2_000;
/** A listener that does not read is let go; it comes back and gets a snapshot. */
const UNREAD_BYTES = 256 * 1024;
const COME_BACK_MS = 2_000;

interface Listener {
  readonly request: FastifyRequest;
  readonly response: ServerResponse;
  readonly workspaceId: number;
}

export const streamsOf = perService((service) => new Streams(service));

/** Everybody who listens to this process. */
class Streams {
  readonly #watches = new Map<number, Watch>();
  readonly #listeners = new Set<Listener>();
  #coming = 0;
  #timers: NodeJS.Timeout[] = [];
  #admitting = false;
  #closed = false;

  constructor(private readonly service: Service) {}

  /** How things stand, for someone about to listen. Throws `busy` when there are too many already. */
  async join(workspaceId: number): Promise<{ readonly watch: Watch; readonly snapshot: StreamEvent }> {
    if (this.#closed) throw new PillarboxError('stopped', 'the service is stopping');
    const watch = this.#watchOf(workspaceId);
    if (
      this.#listeners.size + this.#coming >= LISTENERS ||
      watch.listeners + this.#coming >= LISTENERS_OF_WORKSPACE
    ) {
      throw new PillarboxError('busy', 'too many are listening', { retryAfterSeconds: 10 });
    }
    this.#coming += 1;
    try {
      return { watch, snapshot: await watch.snapshot() };
    } finally {
      this.#coming -= 1;
    }
  }

  /** From here on the response is ours. It ends when the client goes, is no longer admitted, or the server stops. */
  serve(listener: Listener, watch: Watch, snapshot: StreamEvent): void {
    const { request, response, workspaceId } = listener;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // Nothing follows on it: where it ends, it may be hung up.
      connection: 'close',
    });
    response.write(`retry: ${COME_BACK_MS}\n\n`);
    if (request.headers['last-event-id'] !== snapshot.id) response.write(textOf(snapshot));
    if (this.#closed || response.destroyed) {
      response.end();
      return;
    }
    const leave = watch.listen((event) => tell(response, textOf(event)));
    this.#listeners.add(listener);
    this.#keepAlive();
    response.once('close', () => {
      leave();
      this.#listeners.delete(listener);
      if (watch.listeners === 0 && this.#watches.get(workspaceId) === watch) {
        this.#watches.delete(workspaceId);
      }
      if (this.#listeners.size === 0) this.#rest();
    });
  }

  /** Every response ends, so that the server can. */
  close(): void {
    this.#closed = true;
    for (const { response } of this.#listeners) response.end();
  }

  #watchOf(workspaceId: number): Watch {
    const known = this.#watches.get(workspaceId);
    if (known) return known;
    const { box, log } = this.service;
    const watch = new Watch(box.store, workspaceId, log, async (most) =>
      (await box.workspace(workspaceId)).events.moving(most),
    );
    this.#watches.set(workspaceId, watch);
    return watch;
  }

  #keepAlive(): void {
    if (this.#timers.length > 0) return;
    this.#timers = [
      setInterval(() => {
        for (const { response } of this.#listeners) tell(response, ': still here\n\n');
      }, HEARTBEAT_MS).unref(),
      setInterval(() => void this.#admitAgain(), ADMIT_AGAIN_MS).unref(),
    ];
  }

  #rest(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  async #admitAgain(): Promise<void> {
    if (this.#admitting) return;
    this.#admitting = true;
    for (const listener of [...this.#listeners]) {
      // A database that does not answer has revoked nothing.
      if (await this.#isAdmitted(listener).catch(() => true)) continue;
      listener.response.end('event: end\ndata: {"reason":"no longer admitted"}\n\n');
    }
    this.#admitting = false;
  }

  async #isAdmitted({ request, workspaceId }: Listener): Promise<boolean> {
    const admitted = await admit(this.service, 'read', request, false);
    return 'principal' in admitted && admitted.principal.workspaceId === workspaceId;
  }
}

function tell(response: ServerResponse, text: string): void {
  if (response.writableLength > UNREAD_BYTES) response.destroy();
  else response.write(text);
}

const textOf = ({ id, event, data }: StreamEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
