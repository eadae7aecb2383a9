import { anonymousTarget } from '../../core/audit-details.js';
import type { Pillarbox } from '../../library/pillarbox.js';
import { AuditEntry, presentAuditEntry } from '../../presentation/audit-entry.js';
import { page } from '../../presentation/shape.js';
import { listAudit } from '../../store/scripts/audit.js';
import { Type } from '../../vendor/typebox.js';
import { NEWEST, pageById, pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const Page = Type.Object(
  { ...pageQuery, target: Type.Optional(Type.String({ maxLength: 200 })) },
  { additionalProperties: false },
);

async function hashedTarget({ personHash }: Pillarbox, target: string): Promise<readonly string[]> {
  const hashOf = target.includes('@') ? await personHash.tryMake() : undefined;
  return hashOf ? [anonymousTarget(target, hashOf)] : [];
}

export const auditRoutes: readonly Route[] = [
  route(
    'admin',
    {
      method: 'GET',
      url: '/api/audit',
      operation: 'listAudit',
      summary: 'Who changed what, newest first; with `target`, only what was done to that object',
      query: Page,
      answer: page(AuditEntry),
    },
    async ({ query, principal, service: { box } }) => {
      const { target } = query;
      // A person is known there by a hash; what was written down in earlier days, by the address.
      const targets = target === undefined ? undefined : [target, ...(await hashedTarget(box, target))];
      return pageById(
        'audit',
        query,
        (before = NEWEST, limit) =>
          box.store.read(listAudit(box.store, principal.workspaceId, before, limit, targets)),
        presentAuditEntry,
      );
    },
  ),
];
