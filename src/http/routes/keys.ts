import { issueKey } from '../../access/keys.js';
import { LONGEST_NAME, SCOPES } from '../../core/access.js';
import { parseId } from '../../core/ids.js';
import { PillarboxError } from '../../errors.js';
import { presentKey } from '../../presentation.js';
import { findApiKeyById, listApiKeys, revokeApiKey, type ApiKey } from '../../store/scripts/api-keys.js';
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
    ...where,
  },
  closed,
);

export const keyRoutes: readonly Route[] = [
  route(
    'admin',
    { method: 'POST', url: '/api/keys', summary: 'Make an API key, which is shown once', body: NewKey },
    async (call) => {
      const { store } = call.service.box;
      const { name, scopes } = call.body;
      const workspaceId = await workspaceMeant(call, call.body.workspaceId);
      const { key, ...issued } = await store.transaction(
        issueKey(store, { workspaceId, name, scopes }, await store.now()),
      );
      return { ...presentKey(issued), key };
    },
  ),
  route(
    'admin',
    { method: 'GET', url: '/api/keys', summary: 'Keys that are not revoked, newest first', query: Page },
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
    { method: 'GET', url: '/api/keys/:id', summary: 'One key, without itself', params: WithId, query: Where },
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
      summary: 'Revoke a key: the next request with it is refused',
      params: WithId,
      query: Where,
    },
    async (call) => {
      const { store } = call.service.box;
      const at = await workspaceMeant(call, call.query.workspaceId);
      const key = await keyOf(store, at, call.params.id);
      const now = await store.now();
      if (!(await store.transaction(revokeApiKey(store, at, key.id, now)))) throw noSuchKey();
      return presentKey(key);
    },
  ),
];

async function keyOf(store: Store, workspaceId: number, given: string): Promise<ApiKey> {
  const id = parseId('key', given);
  const key = id === undefined ? undefined : await store.read(findApiKeyById(store, id, workspaceId));
  if (!key) throw noSuchKey();
  return key;
}

const noSuchKey = (): PillarboxError =>
  new PillarboxError('not_found', 'there is no such key in this workspace, or it was revoked');
