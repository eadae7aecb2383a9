import { RANGES, readDashboard } from '../../overview/dashboard.js';
import type { State } from '../../core/lifecycle.js';
import { LANES } from '../../core/message.js';
import { PillarboxError } from '../../core/errors.js';
import { DemoReport } from '../../presentation/condition.js';
import { Dashboard, presentDashboard } from '../../presentation/dashboard.js';
import { OutboxRemoval, OutboxRow, presentOutboxRow } from '../../presentation/outbox-row.js';
import { page } from '../../presentation/shape.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const closed = { additionalProperties: false } as const;
const WithId = Type.Object({ id: Type.String() });
const OutboxFilter = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(Type.Enum(['pending', 'failed'])),
    lane: Type.Optional(Type.Enum([...LANES])),
  },
  closed,
);
const DashboardQuery = Type.Object({ range: Type.Optional(Type.Enum([...RANGES])) }, closed);

const PENDING: readonly State[] = ['scheduled', 'queued', 'sending', 'retry_scheduled'];
const FAILED: readonly State[] = ['dead', 'held'];

/** The queue as one who runs the mail sees it: what is not finished, and how things stand. */
export const adminRoutes: readonly Route[] = [
  route(
    'read',
    {
      method: 'GET',
      url: '/api/admin/outbox',
      operation: 'listOutbox',
      summary: 'What is not finished, newest first',
      query: OutboxFilter,
      answer: page(OutboxRow),
    },
    async ({ query: { status, ...filter }, workspace }) => {
      const state = status === 'pending' ? PENDING : status === 'failed' ? FAILED : [...PENDING, ...FAILED];
      const { items, nextCursor } = await workspace.messages.list({ ...filter, state });
      return { items: items.map(presentOutboxRow), nextCursor };
    },
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/admin/outbox/:id/retry',
      operation: 'retryOutboxMail',
      summary: 'Try a failed mail again; a held one may then go twice',
      params: WithId,
      answer: OutboxRow,
      errors: ['illegal_move'],
    },
    async ({ params, workspace }) => presentOutboxRow(await workspace.messages.retryFailed(params.id)),
  ),
  route(
    'operate',
    {
      method: 'DELETE',
      url: '/api/admin/outbox/:id',
      operation: 'removeOutboxMail',
      summary: 'Take a failed mail out of the list for good',
      params: WithId,
      answer: OutboxRemoval,
      errors: ['illegal_move'],
    },
    async ({ params, workspace }) => {
      const { id, state } = await workspace.messages.dismiss(params.id);
      return { id, state };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/admin/dashboard',
      operation: 'getDashboard',
      summary:
        'How things stand. The series has the last hour by minutes (`range=1h`, unless told otherwise), the last day by hours (`24h`) or the last week by hours (`7d`), in UTC; "today" is that of the time zone in the sending settings. `next` is when the next mail and the next retry may leave; `caught` is what the development inbox holds, null where there is none',
      query: DashboardQuery,
      answer: Dashboard,
    },
    async ({ query: { range = '1h' }, workspace, service: { box, inbox } }) => {
      const now = await box.store.now();
      const dashboard = await box.store.read(readDashboard(box.store, workspace.id, range, now));
      return presentDashboard(dashboard, {
        transportKindOf: (account) => workspace.accounts.transportKindOf(account),
        // There is one for all, and only the workspace that owns the installation looks into it.
        caught: inbox && workspace.id === box.home.id ? await inbox.count() : null,
      });
    },
  ),
  route(
    'admin',
    {
      method: 'POST',
      url: '/api/admin/demo',
      operation: 'loadDemo',
      summary: 'Load demo data into an empty installation; it goes on living while the service runs',
      answer: DemoReport,
      errors: ['conflict'],
      action: 'demo.load',
    },
    async ({ principal, service: { demo } }) => {
      if (!principal.administersInstallation) {
        throw new PillarboxError(
          'forbidden',
          'only an administrator of the first workspace can load the demo',
        );
      }
      if (!demo) throw new PillarboxError('conflict', 'this service has no demo data');
      return demo.load();
    },
  ),
];
