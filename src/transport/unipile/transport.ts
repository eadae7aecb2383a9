import type { SendError, SendReport } from '../../core/report.js';
import { fieldOf, isSuccess, textIn, type ApiAnswer } from '../api/answer.js';
import { ApiClient, type ApiLimits, type ApiRequest } from '../api/client.js';
import { errorOf, failure, failureOfThrow } from '../api/report.js';
import type { HostPolicy } from '../hosts.js';
import type { Gate, Outgoing, Transport } from '../transport.js';
import { writeForm } from './form.js';
import { requestOf, type UnipileRequest } from './requests.js';

export interface UnipileTransportOptions {
  /** `https://apiN.unipile.com:port`, without `/api/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Unipile's name for the connected account. */
  readonly accountId: string;
  readonly maxConnections: number;
  readonly hosts: HostPolicy;
  readonly limits?: Partial<ApiLimits> | undefined;
}

const PROVIDER = 'unipile';

/**
 * Mail, and messages, InMails and invitations on LinkedIn, through an account that is connected at Unipile. It can't
 * be asked afterwards what it has sent, so a doubt is left to the policy of the message.
 */
export class UnipileTransport implements Transport {
  readonly kind = PROVIDER;
  readonly capacity: number;
  readonly #api: ApiClient;

  constructor(private readonly options: UnipileTransportOptions) {
    const { baseUrl, hosts, limits, maxConnections } = options;
    this.capacity = maxConnections;
    this.#api = new ApiClient({ baseUrl, hosts, limits, keptConnections: maxConnections });
  }

  async send(message: Outgoing, gate: Gate): Promise<SendReport> {
    try {
      const request = requestOf(message, this.options.accountId);
      const end = await this.#api.send(this.#encode(request, message), gate);
      if ('answer' in end && isSuccess(end.answer)) return sent(end.answer, request);
      return failure(PROVIDER, errorOf(end, this.#asked));
    } catch (error) {
      // The client does not reject, so this came before it: nothing has been offered to anybody.
      return failureOfThrow(PROVIDER, error);
    }
  }

  /** Asks for the account itself. Undefined: it is there, and connected. */
  async verify(): Promise<SendError | undefined> {
    const path = `/api/v1/accounts/${encodeURIComponent(this.options.accountId)}`;
    const end = await this.#api.ask({ method: 'GET', path, headers: this.#key });
    if (!('answer' in end) || !isSuccess(end.answer))
      return errorOf(end, { ...this.#asked, idempotent: true });
    const states = statesIn(end.answer);
    return states.length === 0 || states.includes('OK') ? undefined : disconnected(states.join(', '));
  }

  close(): Promise<void> {
    this.#api.close();
    return Promise.resolve();
  }

  #encode({ path, headers, body }: UnipileRequest, { messageId }: Outgoing): ApiRequest {
    const written =
      'form' in body
        ? writeForm(body.form, messageId)
        : { type: 'application/json', bytes: Buffer.from(JSON.stringify(body.json)) };
    const all = { ...this.#key, ...headers, 'content-type': written.type };
    return { method: 'POST', path, headers: all, body: written.bytes };
  }

  get #key(): Record<string, string> {
    return { 'x-api-key': this.options.apiKey };
  }

  get #asked() {
    return { provider: PROVIDER, secrets: [this.options.apiKey] } as const;
  }
}

function sent({ body }: ApiAnswer, { idNames, threadName }: UnipileRequest): SendReport {
  const [providerMessageId] = idNames.flatMap((name) => textIn(body, name) ?? []);
  const threadId = threadName === undefined ? undefined : textIn(body, threadName);
  return {
    status: 'sent',
    provider: PROVIDER,
    ...(providerMessageId !== undefined && { providerMessageId }),
    ...(threadId !== undefined && { threadId }),
  };
}

/** An account has one or more sources, each with a state: OK, CREDENTIALS, STOPPED, … */
function statesIn({ body }: ApiAnswer): string[] {
  const sources = fieldOf(body, 'sources');
  return Array.isArray(sources) ? sources.flatMap((source) => textIn(source, 'status') ?? []) : [];
}

const disconnected = (states: string): SendError => ({
  class: 'account',
  scope: 'account',
  code: 'disconnected_account',
  message: `the account is not connected at Unipile (${states.slice(0, 100)})`,
});
