import { createHash } from 'node:crypto';
import type { SendError, SendReport } from '../../core/report.js';
import { codeOf, isSuccess, textIn, type ApiEnd } from '../api/answer.js';
import { ApiClient, type ApiLimits } from '../api/client.js';
import { refuseOtherActions } from '../api/email-only.js';
import { errorOf, failure, failureOfThrow, type Asked } from '../api/report.js';
import type { HostPolicy } from '../hosts.js';
import type { Gate, LookupAnswer, Outgoing, Transport } from '../transport.js';
import { payloadOf } from './payload.js';

export interface HttpTransportOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly maxConnections: number;
  readonly hosts: HostPolicy;
  readonly limits?: Partial<ApiLimits> | undefined;
}

const PROVIDER = 'http';
/** Resend forgets a key after 24 hours; an hour is left for clocks and for the way there. */
const KEY_LIFE_SECONDS = 23 * 3_600;
const LONGEST_KEY = 255;

/**
 * Mail through a provider that takes an idempotency key, Resend for example: while the key is known there, sending
 * again is how to ask what became of a mail, and never a second one.
 */
export class HttpTransport implements Transport {
  readonly kind = PROVIDER;
  readonly capacity: number;
  readonly #api: ApiClient;
  readonly #apiKey: string;

  constructor({ baseUrl, apiKey, maxConnections, hosts, limits }: HttpTransportOptions) {
    this.capacity = maxConnections;
    this.#apiKey = apiKey;
    this.#api = new ApiClient({ baseUrl, hosts, limits, keptConnections: maxConnections });
  }

  async send(message: Outgoing, gate: Gate): Promise<SendReport> {
    try {
      refuseOtherActions(message);
      const body = payloadOf(message);
      const headers = {
        ...this.#bearer,
        'content-type': 'application/json',
        'idempotency-key': keyOf(message),
      };
      const end = await this.#api.send({ method: 'POST', path: '/emails', headers, body }, gate);
      if ('answer' in end && isSuccess(end.answer)) return sent(textIn(end.answer.body, 'id'));
      return failure(PROVIDER, this.#errorOf(end));
    } catch (error) {
      // The client does not reject, so this came before it: nothing has been offered to anybody.
      return failureOfThrow(PROVIDER, error);
    }
  }

  lookup(): Promise<LookupAnswer> {
    return Promise.resolve({ keyLifeSeconds: KEY_LIFE_SECONDS });
  }

  /** Asks for what costs nothing. A key that may only send is refused that, and is good all the same. */
  async verify(): Promise<SendError | undefined> {
    const end = await this.#api.ask({ method: 'GET', path: '/domains', headers: this.#bearer });
    if ('answer' in end) {
      const { answer } = end;
      // Who does not know the question has at least been reached, and found nothing wrong with the key.
      if (isSuccess(answer) || answer.status === 404 || answer.status === 405) return undefined;
      if (codeOf(answer).endsWith('restricted_api_key')) return undefined;
    }
    return errorOf(end, this.#asked(true));
  }

  close(): Promise<void> {
    this.#api.close();
    return Promise.resolve();
  }

  /** What would be a doubt without a key may be tried again with it, while it is known. */
  #errorOf(end: ApiEnd): SendError {
    const error = errorOf(end, this.#asked(true));
    const isOpen = isInProgress(end) || errorOf(end, this.#asked(false)).class === 'in_doubt';
    return isOpen && error.class === 'retryable' ? { ...error, keyLifeSeconds: KEY_LIFE_SECONDS } : error;
  }

  #asked(idempotent: boolean): Asked {
    return { provider: PROVIDER, secrets: [this.#apiKey], idempotent };
  }

  get #bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.#apiKey}` };
  }
}

const sent = (id: string | undefined): SendReport => ({
  status: 'sent',
  provider: PROVIDER,
  ...(id !== undefined && { providerMessageId: id }),
});

/** The first request with this key is still being worked on. */
const isInProgress = (end: ApiEnd): boolean =>
  'answer' in end && end.answer.status === 409 && codeOf(end.answer).includes('concurrent');

/** Keys of callers are texts; what a header can't hold is stood for by its hash. */
function keyOf({ dedupeKey }: Outgoing): string {
  if (dedupeKey.length <= LONGEST_KEY && /^[!-~](?:[ -~]*[!-~])?$/.test(dedupeKey)) return dedupeKey;
  return createHash('sha256').update(dedupeKey).digest('hex');
}
