import { presentAuditEntry } from '../../presentation.js';
import { listAudit } from '../../store/scripts/audit.js';
import { Type } from '../../vendor/typebox.js';
import { NEWEST, pageById, pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const Page = Type.Object(
  { ...pageQuery, target: Type.Optional(Type.String({ maxLength: 200 })) },
  { additionalProperties: false },
);

export const auditRoutes: readonly Route[] = [
  route(
    'admin',
    {
      method: 'GET',
      url: '/api/audit',
      summary: 'Who changed what, newest first; with `target`, only what was done to that object',
      query: Page,
    },
    ({ query, principal, service: { box } }) =>
      pageById(
        'audit',
        query,
        (before = NEWEST, limit) =>
          box.store.read(listAudit(box.store, principal.workspaceId, before, limit, query.target)),
        presentAuditEntry,
      ),
  ),
];
