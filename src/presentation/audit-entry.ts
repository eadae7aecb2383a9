import { formatId } from '../core/ids.js';
import type { AuditEntry as KnownEntry } from '../store/scripts/audit.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso } from './instant.js';
import { instant, nullable, text } from './shape.js';

export const AuditEntry = Type.Object(
  {
    id: text('aud_7c'),
    at: instant(),
    actor: text('ada@example.org', 'A person, or a key by its name.'),
    action: text('account.update'),
    target: nullable(Type.String(), undefined, 'acc_1'),
    details: Type.Unknown({
      description: 'What was said and what changed, without secrets; null: nothing of it is kept.',
      examples: [{ changed: { status: { from: 'active', to: 'paused' } } }],
    }),
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const presentAuditEntry = ({ id, at, ...entry }: KnownEntry): AuditEntry => ({
  id: formatId('audit', id),
  at: iso(at),
  ...entry,
});
