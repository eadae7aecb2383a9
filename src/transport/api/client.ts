import { Agent as PlainAgent, request as plainRequest, type ClientRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { resolveHost, type HostPolicy } from '../hosts.js';
import { Deadlines } from '../smtp/deadlines.js';
import type { Gate } from '../transport.js';
import type { ApiEnd, ApiFault } from './answer.js';
import { ApiExchange } from './exchange.js';

/** The longest each part of a request may take. */
export interface ApiLimits {
  /** Name, connection and TLS together. */
  readonly connectMs: number;
  /** For a request that sends mail, from its first byte to the whole answer. Short limits here make doubts. */
  readonly sendMs: number;
  /** For questions that can be asked again: tokens, searches, verification. */
  readonly askMs: number;
}

export const API_LIMITS: ApiLimits = { connectMs: 30_000, sendMs: 300_000, askMs: 30_000 };

export interface ApiClientOptions {
  /** `https://host`, with a path before all others if the provider has one. */
  readonly baseUrl: string;
  readonly hosts: HostPolicy;
  /** How many connections are kept for the next request. */
  readonly keptConnections?: number;
  readonly limits?: Partial<ApiLimits> | undefined;
  /** Certificate authorities to trust instead of the system's, in PEM. */
  readonly ca?: string | undefined;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Shorter than any server's: a connection that is about to be closed over there must not be given a mail. */
const IDLE_MS = 10_000;
const CLEAR: ApiFault = {
  phase: 'connect',
  code: 'EHOST_REFUSED',
  detail: 'the address is not https, which PILLARBOX_ALLOW_PRIVATE_HOSTS does not allow',
  left: false,
};

/**
 * Requests to one provider over kept connections. Every new connection is held to the host rules, by the very
 * addresses that were checked; redirects are answers like others, because credentials are not carried to where
 * somebody points.
 */
export class ApiClient {
  readonly #base: URL;
  readonly #limits: ApiLimits;
  readonly #agent: PlainAgent | TlsAgent;
  readonly #deadlines: Deadlines;

  constructor(private readonly options: ApiClientOptions) {
    this.#base = new URL(options.baseUrl);
    this.#limits = { ...API_LIMITS, ...options.limits };
    const kept = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: options.keptConnections ?? 1 };
    const { ca } = options;
    this.#agent = this.#isTls
      ? new TlsAgent({ ...kept, ...(ca !== undefined && { ca }) })
      : new PlainAgent(kept);
    const { connectMs, sendMs, askMs } = this.#limits;
    const shortest = Math.min(connectMs, sendMs, askMs);
    this.#deadlines = new Deadlines(Math.min(250, Math.ceil(shortest / 4)));
  }

  /** For what can be asked again without harm. Never rejects. */
  ask(request: ApiRequest): Promise<ApiEnd> {
    return this.#exchange(request, this.#limits.askMs);
  }

  /** For the one request that sends: it is let go when the connection stands and the gate has opened. Never rejects. */
  send(request: ApiRequest, gate: Gate): Promise<ApiEnd> {
    return this.#exchange(request, this.#limits.sendMs, gate);
  }

  close(): void {
    this.#agent.destroy();
  }

  get #isTls(): boolean {
    return this.#base.protocol === 'https:';
  }

  async #exchange(request: ApiRequest, answerMs: number, gate?: Gate): Promise<ApiEnd> {
    const fault = await this.#refusal();
    if (fault) return { fault };
    const { connectMs } = this.#limits;
    const exchange = new ApiExchange(this.#open(request), this.#deadlines, { connectMs, answerMs });
    return exchange.run(request.body, gate);
  }

  /** What no connection is needed for to be refused, also one that is kept. A name is checked when it is dialled. */
  async #refusal(): Promise<ApiFault | undefined> {
    const { hosts } = this.options;
    if (!this.#isTls && !hosts.allowPrivate) return CLEAR;
    const host = this.#host;
    if (isIP(host) === 0 && hosts.onlyLoopback === undefined) return undefined;
    const answer = await resolveHost(host, hosts);
    return 'code' in answer ? { phase: 'connect', ...answer, left: false } : undefined;
  }

  get #host(): string {
    return this.#base.hostname.replace(/^\[(.*)\]$/, '$1');
  }

  #open({ method, path, headers, body }: ApiRequest): ClientRequest {
    const { port, pathname } = this.#base;
    const open = this.#isTls ? tlsRequest : plainRequest;
    return open({
      method,
      host: this.#host,
      ...(port !== '' && { port }),
      path: pathname.replace(/\/$/, '') + path,
      agent: this.#agent,
      lookup: this.#lookup,
      headers: {
        accept: 'application/json',
        'user-agent': 'pillarbox',
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
  }

  readonly #lookup: LookupFunction = (name, options, answer) => {
    void resolveHost(name, this.options.hosts).then((found) => {
      if ('addresses' in found) found.lookup(name, options, answer);
      else answer(Object.assign(new Error(found.detail), { code: found.code, told: found.detail }), []);
    });
  };
}
