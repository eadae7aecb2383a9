import { FakeProvider, type Reply, type Seen } from './fake-provider.js';

export interface TakenByResend {
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const named = (statusCode: number, name: string, message: string): Reply => ({
  status: statusCode,
  body: { statusCode, name, message },
});

/** A provider that takes idempotency keys, as Resend documents them. */
export class FakeResend extends FakeProvider<TakenByResend> {
  readonly apiKey = 're_canary_http_key';
  /** As a key that was made for sending alone. */
  mayOnlySend = false;
  readonly #answers = new Map<string, { body: string; reply: Reply }>();

  get account() {
    return { baseUrl: this.url, apiKey: this.apiKey };
  }

  forgetKeys(): void {
    this.#answers.clear();
  }

  protected isSend({ method, path }: Pick<Seen, 'method' | 'path'>): boolean {
    return method === 'POST' && path === '/emails';
  }

  protected reply(seen: Seen): Reply {
    const given = String(seen.headers.authorization).replace(/^Bearer /, '');
    if (given !== this.apiKey) return named(403, 'invalid_api_key', `API key ${given} is invalid`);
    if (this.isSend(seen)) return this.#take(seen);
    if (this.mayOnlySend)
      return named(401, 'restricted_api_key', 'This API key is restricted to only send emails.');
    if (seen.path === '/domains') return { status: 200, body: { data: [] } };
    return named(404, 'not_found', 'The requested endpoint does not exist.');
  }

  #take(seen: Seen): Reply {
    const key = String(seen.headers['idempotency-key']);
    const body = seen.body.toString();
    const known = this.#answers.get(key);
    if (known && known.body !== body) {
      return named(
        409,
        'invalid_idempotent_request',
        'Same idempotency key used with a different request payload.',
      );
    }
    if (known) return known.reply;
    this.taken.push({ key, payload: JSON.parse(body) as TakenByResend['payload'] });
    const reply = { status: 200, body: { id: `email-${this.taken.length}` } };
    this.#answers.set(key, { body, reply });
    return reply;
  }
}
