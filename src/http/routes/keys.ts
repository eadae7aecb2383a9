import { issueKey } from '../../access/keys.js';
import { LONGEST_NAME, SCOPES } from '../../core/access.js';
import { parseId } from '../../core/ids.js';
import { parseInstant } from '../../core/instant.js';
import { invalidInput, PillarboxError } from '../../core/errors.js';
import { ApiKey, NewApiKey, presentKey } from '../../presentation/key.js';
import { page } from '../../presentation/shape.js';
import {
  findApiKeyById,
  listApiKeys,
  revokeApiKey,
  type ApiKey as KnownKey,
} from '../../store/scripts/api-keys.js';
import type { Store } from '../../store/store.js';
import { Type } from '../../vendor/typebox.js';
import { NEWEST, pageById, pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';
import { workspaceMeant } from '../where.js';

const closed = { additionalProperties: false } as const;
const where = { workspaceId: Type.Optional(Type.String({ maxLength: 40 })) };

const WithId = Type.Object({ id: Type.String() });
const Where = Type.Object(where, closed);
const Page = Type.Object({ ...pageQuery, ...where }, closed);
const NewKey = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: LONGEST_NAME }),
    scopes: Type.Array(Type.Enum([...SCOPES]), { minItems: 1, uniqueItems: true }),
    /** An ISO 8601 instant from which on it is refused; without it, it is good until it is revoked. */
    expiresAt: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Null()])),
    ...where,
  },
  closed,
);

export const keyRoutes: readonly Route[] = [
  route(
    'admin',
    {
      method: 'POST',
      url: '/api/keys',
      operation: 'createKey',
      summary: 'Make an API key, which is shown once',
      body: NewKey,
      example: { name: 'Billing', scopes: ['send', 'read'] },
      answer: NewApiKey,
    },
    async (call) => {
      const { store } = call.service.box;
      const { name, scopes } = call.body;
      const expiresAt = instantGiven(call.body.expiresAt);
      const workspaceId = await workspaceMeant(call, call.body.workspaceId);
      const now = await store.now();
      const { key, ...issued } = await store.transaction(() =>
        issueKey(store, { workspaceId, name, scopes, expiresAt }, now),
      );
      return { ...presentKey(issued), key };
    },
  ),
  route(
    'admin',
    {
      method: 'GET',
      url: '/api/keys',
      operation: 'listKeys',
      summary: 'Keys that are not revoked, newest first',
      query: Page,
      answer: page(ApiKey),
    },
    async (call) => {
      const { store } = call.service.box;
      const at = await workspaceMeant(call, call.query.workspaceId);
      return pageById(
        'key',
        call.query,
        (before = NEWEST, limit) => store.read(listApiKeys(store, at, before, limit)),
        presentKey,
      );
    },
  ),
  route(
    'admin',
    {
      method: 'GET',
      url: '/api/keys/:id',
      operation: 'getKey',
      summary: 'One key, without itself',
      params: WithId,
      query: Where,
      answer: ApiKey,
    },
    async (call) => {
      const at = await workspaceMeant(call, call.query.workspaceId);
      return presentKey(await keyOf(call.service.box.store, at, call.params.id));
    },
  ),
  route(
    'admin',
    {
      method: 'DELETE',
      url: '/api/keys/:id',
      operation: 'revokeKey',
      summary: 'Revoke a key: the next request with it is refused',
      params: WithId,
      query: Where,
      answer: ApiKey,
    },
    async (call) => {
      const { store } = call.service.box;
      const at = await workspaceMeant(call, call.query.workspaceId);
      const key = await keyOf(store, at, call.params.id);
      const now = await store.now();
      if (!(await store.transaction(() => revokeApiKey(store, at, key.id, now)))) throw noSuchKey();
      return presentKey(key);
    },
  ),
];

function instantGiven(text: string | null | undefined): number | undefined {
  if (text === undefined || text === null) return undefined;
  const parsed = parseInstant(text);
  if ('fault' in parsed) throw invalidInput('expiresAt', parsed.fault);
  return parsed.instant;
}

async function keyOf(store: Store, workspaceId: number, given: string): Promise<KnownKey> {
  const id = parseId('key', given);
  const key = id === undefined ? undefined : await store.read(findApiKeyById(store, id, workspaceId));
  if (!key) throw noSuchKey();
  return key;
}

const noSuchKey = (): PillarboxError =>
  new PillarboxError('not_found', 'there is no such key in this workspace, or it was revoked');
