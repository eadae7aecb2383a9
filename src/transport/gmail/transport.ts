import type { SendError, SendReport } from '../../core/report.js';
import { isSuccess, textIn, type ApiAnswer, type ApiEnd } from '../api/answer.js';
import { ApiClient, type ApiLimits } from '../api/client.js';
import { refuseOtherActions } from '../api/email-only.js';
import { errorOf, failure, failureOfThrow } from '../api/report.js';
import type { HostPolicy } from '../hosts.js';
import type { Gate, LookupAnswer, Outgoing, Transport } from '../transport.js';
import { AccessTokens, type AccessToken, type GoogleGrant } from './access-tokens.js';
import { GoneThreads, saysThreadIsGone } from './gone-threads.js';
import { gmailBody } from './raw.js';
import { countOf, searchSent } from './sent-search.js';

export interface GmailTransportOptions extends GoogleGrant {
  /** Stands for both of Google's hosts, in tests. */
  readonly baseUrl?: string | undefined;
  readonly maxConnections: number;
  readonly hosts: HostPolicy;
  readonly limits?: Partial<ApiLimits> | undefined;
  /** How long to wait between searches for a mail in doubt. */
  readonly searchWaitsMs?: readonly number[];
}

const PROVIDER = 'gmail';
const API = 'https://gmail.googleapis.com';
const TOKENS = 'https://oauth2.googleapis.com';
const USER = '/gmail/v1/users/me';
const SEARCH_WAITS_MS = [1_000, 2_000, 4_000];

/** Mail through the Gmail API, as the owner of a mailbox who has granted it. */
export class GmailTransport implements Transport {
  readonly kind = PROVIDER;
  readonly capacity: number;
  readonly #api: ApiClient;
  readonly #tokenApi: ApiClient;
  readonly #tokens: AccessTokens;
  readonly #searchWaitsMs: readonly number[];
  readonly #goneThreads = new GoneThreads();
  readonly #closing = new AbortController();

  constructor(options: GmailTransportOptions) {
    const { baseUrl, hosts, limits, maxConnections } = options;
    this.capacity = maxConnections;
    this.#api = new ApiClient({ baseUrl: baseUrl ?? API, hosts, limits, keptConnections: maxConnections });
    this.#tokenApi = new ApiClient({ baseUrl: baseUrl ?? TOKENS, hosts, limits });
    this.#tokens = new AccessTokens(this.#tokenApi, options);
    this.#searchWaitsMs = options.searchWaitsMs ?? SEARCH_WAITS_MS;
  }

  async send(message: Outgoing, gate: Gate): Promise<SendReport> {
    try {
      refuseOtherActions(message);
      const threadId = this.#goneThreads.among(message.threadId);
      const body = gmailBody(message, threadId);
      const token = await this.#tokens.current();
      if (!('value' in token)) return failure(PROVIDER, token);
      const headers = { ...bearer(token), 'content-type': 'application/json' };
      const path = `${USER}/messages/send`;
      const end = await this.#api.send({ method: 'POST', path, headers, body }, gate);
      if (threadId !== undefined && saysThreadIsGone(end)) {
        this.#goneThreads.add(threadId);
        return failure(PROVIDER, THREAD_GONE);
      }
      return this.#reportOf(end, token);
    } catch (error) {
      // Neither client rejects, so this came before them: nothing has been offered to anybody.
      return failureOfThrow(PROVIDER, error);
    }
  }

  /** Needs a grant that may read the mailbox; without it, or on any other fault, it can't tell. */
  async lookup(message: Outgoing): Promise<LookupAnswer> {
    const search = async (query: string): Promise<number | undefined> => {
      const parameters = new URLSearchParams({ q: query, maxResults: '1' });
      const end = await this.#ask(`/messages?${parameters.toString()}`);
      return 'class' in end ? undefined : countOf(end);
    };
    const { signal } = this.#closing;
    try {
      return await searchSent(message, search, { waitsMs: this.#searchWaitsMs, signal });
    } catch {
      // Closed while it waited to ask again.
      return 'unknown';
    }
  }

  /** Asks who the mailbox belongs to: what a send needs, without sending. Undefined: all is well. */
  async verify(): Promise<SendError | undefined> {
    const token = await this.#tokens.current();
    if (!('value' in token)) return token;
    const end = await this.#ask('/profile');
    if ('class' in end) return end;
    if ('answer' in end && (isSuccess(end.answer) || mayOnlySend(end.answer, token))) return undefined;
    return errorOf(end, { provider: PROVIDER, secrets: [token.value], idempotent: true });
  }

  close(): Promise<void> {
    this.#closing.abort();
    this.#api.close();
    this.#tokenApi.close();
    return Promise.resolve();
  }

  #reportOf(end: ApiEnd, token: AccessToken): SendReport {
    if (this.#hasRunOut(end, token)) return failure(PROVIDER, RUN_OUT);
    if (!('answer' in end) || !isSuccess(end.answer)) {
      return failure(PROVIDER, errorOf(end, { provider: PROVIDER, secrets: [token.value] }));
    }
    const { body } = end.answer;
    const providerMessageId = textIn(body, 'id');
    const threadId = textIn(body, 'threadId');
    return {
      status: 'sent',
      provider: PROVIDER,
      ...(providerMessageId !== undefined && { providerMessageId }),
      ...(threadId !== undefined && { threadId }),
    };
  }

  /** Whether the token was good before and is not any more. Then a new one is all it takes, and nobody is at fault. */
  #hasRunOut(end: ApiEnd, token: AccessToken): boolean {
    if (!('answer' in end)) return false;
    if (end.answer.status !== 401) {
      token.proven = true;
      return false;
    }
    this.#tokens.drop(token);
    return token.proven;
  }

  async #ask(path: string): Promise<ApiEnd | SendError> {
    const token = await this.#tokens.current();
    if (!('value' in token)) return token;
    const end = await this.#api.ask({ method: 'GET', path: USER + path, headers: bearer(token) });
    this.#hasRunOut(end, token);
    return end;
  }
}

const bearer = ({ value }: AccessToken): Record<string, string> => ({ authorization: `Bearer ${value}` });

/** A grant for sending alone may not ask for the profile; it is all that a send needs. */
const mayOnlySend = ({ status }: ApiAnswer, { scope }: AccessToken): boolean =>
  status === 403 && scope.includes('/auth/gmail.send');

/**
 * A definite answer, so nothing left. It is not sent again from here with a new token: the gate's mark would by
 * then be as old as the refresh takes. The message goes back and comes again, through a gate of its own.
 */
const RUN_OUT: SendError = {
  class: 'retryable',
  scope: 'account',
  code: 'token_expired',
  message: 'the access token had run out; the next try has a new one',
  attempted: false,
  retryAfterSeconds: 0,
};

/** As above: it comes again through a gate of its own, and then names no thread. */
const THREAD_GONE: SendError = {
  class: 'retryable',
  scope: 'message',
  code: 'thread_gone',
  message: 'the thread that it continues is in the mailbox no longer; the next try begins a new one there',
  attempted: false,
  retryAfterSeconds: 0,
};
