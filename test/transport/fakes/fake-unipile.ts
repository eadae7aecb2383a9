import { FakeProvider, type Reply, type Seen } from './fake-provider.js';

export interface TakenByUnipile {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly {
    readonly field: string;
    readonly name: string;
    readonly type: string;
    readonly text: string;
  }[];
}

const PATHS = ['/api/v1/emails', '/api/v1/chats', '/api/v1/users/invite'];

export const problem = (status: number, type: string, detail: string): Reply => ({
  status,
  body: { title: type, type: `errors/${type}`, status, detail },
});

/** The part of Unipile's API, version 1, that a sender needs. */
export class FakeUnipile extends FakeProvider<TakenByUnipile> {
  readonly apiKey = 'canary+unipile/key=';
  readonly accountId = 'acc-1';
  state = 'OK';

  get account() {
    return { baseUrl: this.url, apiKey: this.apiKey, accountId: this.accountId };
  }

  protected isSend({ method, path }: Pick<Seen, 'method' | 'path'>): boolean {
    return method === 'POST' && PATHS.includes(path);
  }

  protected reply(seen: Seen): Reply {
    if (seen.headers['x-api-key'] !== this.apiKey) {
      return problem(401, 'missing_credentials', `Nobody has the key ${String(seen.headers['x-api-key'])}`);
    }
    if (seen.path === `/api/v1/accounts/${this.accountId}`) {
      return { status: 200, body: { object: 'Account', sources: [{ id: 's1', status: this.state }] } };
    }
    return this.isSend(seen) ? this.#take(seen) : problem(404, 'resource_not_found', 'Account not found');
  }

  #take(seen: Seen): Reply {
    const { fields, files } = isForm(seen) ? readForm(seen) : { fields: readJson(seen), files: [] };
    if (fields['account_id'] !== this.accountId)
      return problem(404, 'resource_not_found', 'Account not found');
    this.taken.push({ path: seen.path, fields, files });
    const id = String(this.taken.length);
    switch (seen.path) {
      case '/api/v1/emails':
        return { status: 201, body: { object: 'EmailSent', tracking_id: `track-${id}`, provider_id: null } };
      case '/api/v1/chats':
        return { status: 201, body: { object: 'ChatStarted', chat_id: `chat-${id}`, message_id: `m-${id}` } };
      default:
        return { status: 200, body: { object: 'UserInvitationSent', invitation_id: `inv-${id}` } };
    }
  }
}

const isForm = ({ headers }: Seen): boolean =>
  String(headers['content-type']).startsWith('multipart/form-data');

const readJson = ({ body }: Seen) => JSON.parse(body.toString()) as Record<string, string>;

/** By hand, and not by what wrote it: a reader of its own sees what is really there. */
function readForm({ headers, body }: Seen): Pick<TakenByUnipile, 'fields' | 'files'> {
  const [, boundary] = /boundary=(\S+)/.exec(String(headers['content-type']))!;
  const parts = body.toString().split(`--${boundary}`).slice(1, -1);
  const fields: Record<string, string> = {};
  const files: TakenByUnipile['files'][number][] = [];
  for (const part of parts) {
    const [head, ...rest] = part.slice(2).split('\r\n\r\n');
    const text = rest.join('\r\n\r\n').replace(/\r\n$/, '');
    const [, field] = / name="([^"]*)"/.exec(head!)!;
    const [, name] = / filename="([^"]*)"/.exec(head!) ?? [];
    const [, type] = /^Content-Type: (.*)$/im.exec(head!) ?? [];
    if (name === undefined) fields[field!] = text;
    else files.push({ field: field!, name, type: type ?? '', text });
  }
  return { fields, files };
}
