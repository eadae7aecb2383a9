import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { Gatekeeper } from '#pillarbox/access/gatekeeper';
import { Passwords } from '#pillarbox/access/password';
import { hashToken, hintOf, makeApiKey } from '#pillarbox/access/token';
import type { Role, Scope } from '#pillarbox/core/access';
import { buildServer } from '#pillarbox/http/server';
import type { Service } from '#pillarbox/http/service';
import { silent } from '#pillarbox/log/log';
import type { PillarboxOptions } from '#pillarbox/library/options';
import { createPillarbox, type Pillarbox } from '#pillarbox/library/pillarbox';
import { ensureWorkspace } from '#pillarbox/store/scripts/accounts';
import { addApiKey } from '#pillarbox/store/scripts/api-keys';
import { addMember } from '#pillarbox/store/scripts/users';
import { Carrier } from '../engine/carrier.js';
import type { Place } from '../engine/posts.js';
import { watchAnswers } from './as-documented.js';

export const PUBLIC_URL = 'http://127.0.0.1:8025';
export const PASSWORD = 'correct horse battery staple';

/** Those of tests are not worth guessing. */
export const CHEAP = new Passwords({ N: 2, r: 8, p: 1 });
export const PASSWORD_HASH = await CHEAP.hash(PASSWORD);

/** Someone with a key, or with a session. */
export interface Caller {
  readonly headers: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: LightMyRequestResponse['headers'];
  readonly text: string;
  /** `data` of a success. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: { readonly field: string };
  };
}

interface OfficeOptions extends Partial<PillarboxOptions & Service> {
  readonly carrier?: Carrier;
  /** By which sessions and invitations end. */
  readonly now?: () => number;
}

const OF_SERVICE = new Set([
  'publicUrl',
  'cronSecret',
  'metrics',
  'inbox',
  'demo',
  'limits',
  'starting',
  'trustedProxies',
  'webDirectory',
]);

/** What of it concerns the library, which refuses all else. */
const ofBox = (options: object): Partial<PillarboxOptions> =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !OF_SERVICE.has(name)));

/** A whole service without a socket: every request takes the way of a real one. */
export class Office {
  private constructor(
    readonly box: Pillarbox,
    readonly app: FastifyInstance,
    readonly carrier: Carrier,
    /** May do everything in the default workspace. */
    readonly admin: Caller,
    /** Answers that the documentation knows nothing of. */
    private readonly surprises: readonly string[],
  ) {}

  static async open(
    place: Place,
    { carrier = new Carrier(), now, ...over }: OfficeOptions = {},
  ): Promise<Office> {
    const box = await createPillarbox({
      ...{ from: 'box@example.org', transport: carrier, graceSeconds: 1, inlineSeconds: 30 },
      publicUrl: over.publicUrl ?? PUBLIC_URL,
      ...ofBox(over),
      ...place,
    });
    const gatekeeper = new Gatekeeper(box.store, box.home.id, now, CHEAP);
    const app = await buildServer({
      ...{ box, gatekeeper, publicUrl: PUBLIC_URL, cronSecret: undefined, log: silent },
      ...over,
    });
    const surprises = watchAnswers(app);
    const admin = await keyFor(box, box.home.id, ['admin']);
    return new Office(box, app, carrier, admin, surprises);
  }

  key(scopes: readonly Scope[], workspaceId = this.box.home.id): Promise<Caller> {
    return keyFor(this.box, workspaceId, scopes);
  }

  async workspace(name: string): Promise<number> {
    const { store } = this.box;
    return store.transaction(ensureWorkspace(store, name, await store.now()));
  }

  /** A person who has logged in, with all that his browser would send along. */
  async person(role: Role, workspaceId = this.box.home.id): Promise<Caller> {
    const { store } = this.box;
    const email = `${role}@workspace-${String(workspaceId)}.example`;
    const person = { email, role, password: PASSWORD_HASH };
    await store.transaction(addMember(store, workspaceId, person, await store.now()));
    return this.logIn(email);
  }

  async logIn(email: string, password = PASSWORD): Promise<Caller> {
    return callerOf(await this.call({ headers: {} }, 'POST', '/api/auth/login', { email, password }));
  }

  /** As the page does behind the link. */
  async accept(token: string, password = PASSWORD): Promise<Caller> {
    const headers = { authorization: `Bearer ${token}`, origin: PUBLIC_URL };
    return callerOf(await this.call({ headers }, 'POST', '/api/auth/invitation', { password }));
  }

  async call(
    { headers }: Caller,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
  ): Promise<Reply> {
    const reply = await this.app.inject({
      method,
      url,
      headers: { ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
    const json = isJson(reply) ? reply.json<Partial<Pick<Reply, 'data' | 'error'>>>() : {};
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text: reply.body,
      data: json.data ?? {},
      error: json.error ?? { code: '', message: '' },
    };
  }

  /** Throws if anything was answered that is not documented so. */
  async close(): Promise<void> {
    await this.app.close();
    await this.box.stop();
    if (this.surprises.length > 0) throw new Error([...new Set(this.surprises)].slice(0, 20).join('\n'));
  }
}

/** With all that his browser would send along from now on. */
function callerOf({ headers, data }: Reply): Caller {
  const cookie = String(headers['set-cookie']).split(';')[0]!;
  return { headers: { cookie, origin: PUBLIC_URL, 'x-csrf-token': String(data['csrfToken']) } };
}

/** Of the link that whoever has just added or invited somebody was shown. */
export const tokenOf = ({ data }: Reply): string =>
  (data['invitation'] as { readonly url: string }).url.split('#')[1]!;

export const STRANGER: Caller = { headers: {} };

const isJson = (reply: LightMyRequestResponse): boolean =>
  String(reply.headers['content-type']).startsWith('application/json');

async function keyFor(box: Pillarbox, workspaceId: number, scopes: readonly Scope[]): Promise<Caller> {
  const { store } = box;
  const key = makeApiKey();
  const stored = { workspaceId, name: scopes.join('+'), scopes, hash: hashToken(key), hint: hintOf(key) };
  await store.transaction(addApiKey(store, stored, await store.now()));
  return { headers: { authorization: `Bearer ${key}` } };
}
