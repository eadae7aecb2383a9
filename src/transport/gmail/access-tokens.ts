import type { SendError } from '../../core/report.js';
import { fieldOf, isSuccess, textIn, type ApiAnswer, type ApiEnd } from '../api/answer.js';
import type { ApiClient } from '../api/client.js';
import { errorOf, type Asked } from '../api/report.js';

export interface GoogleGrant {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}

export interface AccessToken {
  readonly value: string;
  /** What it may be used for, as Google says it; empty if it does not say. */
  readonly scope: string;
  /** It was taken at least once: if it is refused after that, it has run out. */
  proven: boolean;
}

/** An hour is usual; one that says nothing is not trusted for long. */
const USUAL_SECONDS = 300;
/** A request that starts with a token must also arrive with it. */
const MARGIN_SECONDS = 60;

/** The access token of one account, kept until shortly before it runs out. Never more than one refresh at a time. */
export class AccessTokens {
  #token: { readonly token: AccessToken; readonly usableUntil: number } | undefined;
  #refreshing: Promise<AccessToken | SendError> | undefined;

  constructor(
    private readonly api: ApiClient,
    private readonly grant: GoogleGrant,
  ) {}

  /** Or why there is none. */
  current(): Promise<AccessToken | SendError> {
    if (this.#token && performance.now() < this.#token.usableUntil) return Promise.resolve(this.#token.token);
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  drop(token: AccessToken): void {
    if (this.#token?.token === token) this.#token = undefined;
  }

  async #refresh(): Promise<AccessToken | SendError> {
    const { clientId, clientSecret, refreshToken } = this.grant;
    const asked = performance.now();
    const end = await this.api.ask({
      method: 'POST',
      path: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: clientId,
        client_secret: clientSecret,
        refresh_token: refreshToken,
      }).toString(),
    });
    if (!('answer' in end) || !isSuccess(end.answer)) return this.#failed(end);
    const value = textIn(end.answer.body, 'access_token');
    // It goes into a header as it is.
    if (value === undefined || !/^[!-~]+$/.test(value)) return this.#failed(UNREADABLE);
    const token = { value, scope: textIn(end.answer.body, 'scope') ?? '', proven: false };
    this.#token = { token, usableUntil: asked + usableMs(end.answer) };
    return token;
  }

  /** Nothing that is wrong here is the fault of a mail: what would end one pauses the account. */
  #failed(end: ApiEnd): SendError {
    const { clientSecret, refreshToken } = this.grant;
    const asked: Asked = { provider: 'gmail', secrets: [clientSecret, refreshToken], idempotent: true };
    const error = errorOf(end, asked);
    return error.class === 'permanent' ? { ...error, class: 'account', scope: 'account' } : error;
  }
}

const UNREADABLE: ApiEnd = {
  fault: { phase: 'reply', code: 'EPROTOCOL', detail: 'the answer holds no access token', left: false },
};

function usableMs({ body }: ApiAnswer): number {
  const said = Number(fieldOf(body, 'expires_in'));
  const seconds = said > 0 ? said : USUAL_SECONDS;
  return Math.max(seconds - MARGIN_SECONDS, seconds / 2) * 1_000;
}
