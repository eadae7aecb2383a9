import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Deadlines, Watched } from '../smtp/deadlines.js';
import type { Gate } from '../transport.js';
import { parseBody, type ApiEnd, type ApiFault } from './answer.js';

interface ExchangeLimits {
  readonly connectMs: number;
  readonly answerMs: number;
}

/** No provider has this much to say about one mail. */
const LARGEST_ANSWER_BYTES = 256 * 1024;

const WORDS: Record<ApiFault['phase'], string> = {
  connect: 'no connection could be made',
  tls: 'no secure connection could be made',
  gate: 'the connection ended before anything was sent',
  reply: 'no whole answer came back',
};

/**
 * One request, of which nothing leaves before the connection stands and the gate has opened: between its yes and
 * the first byte there is no wait. The end is told only after the gate has answered.
 */
export class ApiExchange implements Watched {
  #phase: ApiFault['phase'] = 'connect';
  #left = false;
  #end: ApiEnd | undefined;
  #head: IncomingMessage | undefined;
  #size = 0;
  readonly #chunks: Buffer[] = [];
  #tellEnd: (end: ApiEnd) => void = () => undefined;
  readonly #ended = new Promise<ApiEnd>((resolve) => {
    this.#tellEnd = resolve;
  });
  #tellReady: () => void = () => undefined;
  readonly #ready = new Promise<void>((resolve) => {
    this.#tellReady = resolve;
  });

  constructor(
    private readonly request: ClientRequest,
    private readonly deadlines: Deadlines,
    private readonly limits: ExchangeLimits,
  ) {
    deadlines.arm(this, limits.connectMs);
    request.on('socket', (socket) => this.#watch(socket));
    request.on('response', (head) => this.#read(head));
    request.on('error', (error: Error & { code?: string; told?: string }) => this.#fail(error));
    // Without an answer and without an error it is over as well.
    request.on('close', () => this.#fail({ code: 'ECLOSED' }));
  }

  async run(body: Buffer | string | undefined, gate: Gate | undefined): Promise<ApiEnd> {
    const early = await Promise.race([this.#ready, this.#ended]);
    if (early) return early;
    this.#phase = 'gate';
    this.deadlines.forget(this);
    if (gate && !(await opens(gate))) this.#fail({ code: 'EGATE', told: 'the gate did not open' });
    // It may also have broken while the gate was asked.
    if (!this.#end) this.#letGo(body);
    return this.#ended;
  }

  #letGo(body: Buffer | string | undefined): void {
    this.#phase = 'reply';
    this.#left = true;
    this.deadlines.arm(this, this.limits.answerMs);
    this.request.end(body);
  }

  expire(): void {
    this.#fail({ code: 'ETIMEDOUT' });
  }

  #watch(socket: Socket): void {
    if (this.request.reusedSocket) return this.#tellReady();
    socket.once('connect', () => {
      if ('encrypted' in socket) this.#phase = 'tls';
      else this.#tellReady();
    });
    socket.once('secureConnect', () => this.#tellReady());
  }

  #read(head: IncomingMessage): void {
    // Nothing was asked yet: whatever this answers, it is not our mail.
    if (!this.#left) return this.#fail({ code: 'EPROTOCOL' });
    this.#head = head;
    head.on('data', (chunk: Buffer) => {
      this.#size += chunk.length;
      if (this.#size > LARGEST_ANSWER_BYTES) this.#answer(head, false);
      else this.#chunks.push(chunk);
    });
    head.on('end', () => this.#answer(head, true));
    head.on('error', () => this.#answer(head, false));
    head.on('close', () => this.#answer(head, false));
  }

  #answer(head: IncomingMessage, whole: boolean): void {
    if (this.#end) return;
    const headers = Object.entries(head.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value[0] : value,
    ]);
    const answer = {
      status: head.statusCode ?? 0,
      headers: Object.fromEntries(headers) as Record<string, string | undefined>,
      body: parseBody(Buffer.concat(this.#chunks)),
      whole,
    };
    this.#over({ answer });
    // What was read to its end leaves a connection that can be used again.
    if (!whole) this.request.destroy();
  }

  /** Once there is a status, that is the answer, whatever happens to the rest. */
  #fail({ code = 'ECLOSED', told }: { code?: string; told?: string }): void {
    if (this.#end) return;
    if (this.#head) return this.#answer(this.#head, false);
    const phase = this.#phase;
    this.#over({ fault: { phase, code, detail: told ?? WORDS[phase], left: this.#left } });
    this.request.destroy();
  }

  #over(end: ApiEnd): void {
    this.#end = end;
    this.deadlines.forget(this);
    this.#tellEnd(end);
  }
}

const opens = (gate: Gate): Promise<boolean> => gate().catch(() => false);
