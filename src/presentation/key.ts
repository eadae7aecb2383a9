import { formatId } from '../core/ids.js';
import type { ApiKey as KnownKey } from '../store/scripts/api-keys.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { instant, list, nullable, text } from './shape.js';
import { ScopeWord } from './words.js';

const fields = {
  id: text('key_5'),
  workspaceId: text('wsp_1'),
  name: text('Billing'),
  scopes: list(ScopeWord),
  hint: text('pbx_3kf…', 'How it begins.'),
  createdAt: instant(),
  lastUsedAt: nullable(instant()),
  expiresAt: nullable(instant(), 'From then on it is refused. Null: never.'),
};

export const ApiKey = Type.Object(fields, { title: 'ApiKey' });
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Object(
  { ...fields, key: text('pbx_3kf9x2', 'The key itself, which is shown this once.') },
  { title: 'NewApiKey' },
);

export const presentKey = ({
  id,
  workspaceId,
  name,
  scopes,
  hint,
  createdAt,
  lastUsedAt,
  expiresAt,
}: KnownKey): ApiKey => ({
  id: formatId('key', id),
  workspaceId: formatId('workspace', workspaceId),
  name,
  scopes,
  hint,
  createdAt: iso(createdAt),
  lastUsedAt: presentInstant(lastUsedAt),
  expiresAt: presentInstant(expiresAt),
});
