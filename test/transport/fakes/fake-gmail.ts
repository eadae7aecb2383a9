import { FakeProvider, type Reply, type Seen } from './fake-provider.js';

export interface TakenByGmail {
  readonly id: string;
  readonly threadId: string;
  readonly raw: string;
}

const error = (status: number, reason: string, message: string): Reply => ({
  status,
  body: { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } },
});

/** Google's token endpoint and the part of the Gmail API that a sender needs, on one host. */
export class FakeGmail extends FakeProvider<TakenByGmail> {
  readonly clientId = 'client-1';
  readonly clientSecret: string = 'canary/client-secret';
  refreshToken = '1//canary-refresh-token';
  expiresInSeconds = 3_600;
  scope = 'https://mail.google.com/';
  /** What the token endpoint answers instead. */
  tokenTrouble: Reply | undefined;
  /** Gmail writes a Message-ID of its own over the one that it was given. */
  rewritesMessageIds = false;
  refreshes = 0;
  /** Threads that the owner of the mailbox has deleted for good. */
  readonly deletedThreads = new Set<string>();
  readonly #valid = new Set<string>();

  get account() {
    const { clientId, clientSecret, refreshToken, url: baseUrl } = this;
    return { clientId, clientSecret, refreshToken, baseUrl };
  }

  /** What was given out so far is good for nothing any more. */
  revokeTokens(): void {
    this.#valid.clear();
  }

  get tokens(): string[] {
    return [...this.#valid];
  }

  protected isSend({ method, path }: Pick<Seen, 'method' | 'path'>): boolean {
    return method === 'POST' && path === '/gmail/v1/users/me/messages/send';
  }

  protected reply(seen: Seen): Reply {
    if (seen.path === '/token') return this.#grant(seen);
    if (!this.#valid.has(String(seen.headers.authorization).replace(/^Bearer /, ''))) {
      return error(401, 'authError', 'Invalid Credentials');
    }
    if (this.isSend(seen)) return this.#take(seen);
    if (!this.scope.includes('mail.google.com'))
      return error(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.');
    if (seen.path === '/gmail/v1/users/me/profile')
      return { status: 200, body: { emailAddress: 'ada@example.org' } };
    if (seen.path === '/gmail/v1/users/me/messages') return this.#search(seen.query.get('q') ?? '');
    return error(404, 'notFound', 'Requested entity was not found.');
  }

  #grant(seen: Seen): Reply {
    this.refreshes += 1;
    if (this.tokenTrouble) return this.tokenTrouble;
    const form = new URLSearchParams(seen.body.toString());
    if (form.get('client_id') !== this.clientId || form.get('client_secret') !== this.clientSecret) {
      return { status: 401, body: { error: 'invalid_client', error_description: 'Unauthorized' } };
    }
    if (form.get('refresh_token') !== this.refreshToken || form.get('grant_type') !== 'refresh_token') {
      return {
        status: 400,
        // More than Google says; others are less careful.
        body: {
          error: 'invalid_grant',
          error_description: `Token ${form.get('refresh_token')} was revoked.`,
        },
      };
    }
    const token = `ya29.canary-access-${this.refreshes}`;
    this.#valid.add(token);
    const { expiresInSeconds, scope } = this;
    return {
      status: 200,
      body: { access_token: token, expires_in: expiresInSeconds, scope, token_type: 'Bearer' },
    };
  }

  #take(seen: Seen): Reply {
    const { raw: encoded, threadId } = JSON.parse(seen.body.toString()) as { raw: string; threadId?: string };
    const raw = Buffer.from(encoded, 'base64url').toString();
    if (!/^To: \S/m.test(raw)) return error(400, 'invalidArgument', 'Recipient address required');
    // Gmail's ids are numbers in hexadecimal; ours here may say what they are.
    if (threadId !== undefined && /\s/.test(threadId))
      return error(400, 'invalidArgument', 'Invalid thread_id value');
    if (threadId !== undefined && this.deletedThreads.has(threadId))
      return error(404, 'notFound', 'Requested entity was not found.');
    const id = `g${this.taken.length + 1}`;
    const taken = {
      id,
      threadId: threadId ?? `t${id}`,
      raw: this.rewritesMessageIds ? rewritten(raw, id) : raw,
    };
    this.taken.push(taken);
    return { status: 200, body: { id, threadId: taken.threadId, labelIds: ['SENT'] } };
  }

  /** The little of Gmail's search language that is used. */
  #search(query: string): Reply {
    const [, id] = /rfc822msgid:(\S+)/.exec(query) ?? [];
    const [, to] = / to:(\S+)/.exec(query) ?? [];
    const found = this.taken.filter(
      ({ raw }) =>
        (id === undefined || raw.includes(`Message-ID: <${id}>`)) &&
        (to === undefined || new RegExp(`^To: .*${to}`, 'm').test(raw)),
    );
    const messages = found.map((taken) => ({ id: taken.id, threadId: taken.threadId }));
    return {
      status: 200,
      body: { ...(messages.length > 0 && { messages }), resultSizeEstimate: messages.length },
    };
  }
}

const rewritten = (raw: string, id: string): string =>
  raw.replace(/^Message-ID: .*$/m, `Message-ID: <${id}@mail.gmail.com>`);
