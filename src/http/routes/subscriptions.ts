import { Readable } from 'node:stream';
import { invalidInput } from '../../core/errors.js';
import { SUBSCRIPTION_STATES } from '../../core/subscription-words.js';
import type { Workspace } from '../../library/workspace.js';
import type { Subscription as KnownSubscription } from '../../store/scripts/subscriptions.js';
import { SubscriptionInput, SubscriptionPatch } from '../../notifications/input.js';
import { BULK_STATUSES } from '../../notifications/subscriptions.js';
import { StatusReport } from '../../presentation/bulk-report.js';
import { page } from '../../presentation/shape.js';
import {
  ImportReport,
  ManageLink,
  presentHappening,
  presentSubscription,
  presentSubscriptionsStanding,
  Subscription,
  SubscriptionHappening,
  SubscriptionsStanding,
} from '../../presentation/subscription.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { document, route, type Route } from '../route.js';

const closed = { additionalProperties: false } as const;
const LONGEST_NAME = 200;
const LONGEST_ADDRESS = 320;
const LARGEST_FILE_BYTES = 1024 * 1024 * 1024;

const OfTopic = Type.Object(
  { topic: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_NAME })) },
  closed,
);

/** More would take longer than a request should. */
const IDS_AT_ONCE = 1_000;
const Bulk = Type.Object(
  {
    ids: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: IDS_AT_ONCE }),
    status: Type.Enum([...BULK_STATUSES]),
  },
  closed,
);
const WithId = Type.Object({ id: Type.String() });
const Filter = Type.Object(
  {
    ...pageQuery,
    topic: Type.Optional(Type.String({ maxLength: LONGEST_NAME })),
    status: Type.Optional(Type.Enum([...SUBSCRIPTION_STATES])),
    q: Type.Optional(Type.String({ maxLength: LONGEST_ADDRESS })),
  },
  closed,
);

/** With what became of it so far. */
async function viewed(
  { subscriptions }: Workspace,
  known: readonly KnownSubscription[],
): Promise<readonly Subscription[]> {
  return (await subscriptions.views(known)).map(presentSubscription);
}

async function viewedOne(workspace: Workspace, known: KnownSubscription): Promise<Subscription> {
  const [view] = await viewed(workspace, [known]);
  if (!view) throw new Error('a subscription was not shown');
  return view;
}

export const subscriptionRoutes: readonly Route[] = [
  route(
    'send',
    {
      method: 'POST',
      url: '/api/subscriptions',
      operation: 'subscribe',
      summary:
        'Somebody wants to be told of a topic; a known topic and contact is updated and keeps its id, one that was ended becomes `pending` only',
      body: SubscriptionInput,
      example: {
        topic: 'section:09214',
        contactType: 'email',
        contactValue: 'ada@example.org',
        locale: 'en',
        timezone: 'America/New_York',
        preferences: { notifyOn: ['Open'], maxNotifications: 5 },
      },
      answer: Subscription,
      errors: ['invalid_config'],
    },
    async ({ body, workspace, principal }) =>
      viewedOne(workspace, await workspace.subscriptions.add(body, principal.actor)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/subscriptions',
      operation: 'listSubscriptions',
      summary:
        'Who wants to be told of what, newest first; `q`: how the address begins; `status` may be `snoozed`',
      query: Filter,
      answer: page(Subscription),
    },
    async ({ query, workspace }) => {
      const { items, nextCursor } = await workspace.subscriptions.list(query);
      return { items: await viewed(workspace, items), nextCursor };
    },
  ),
  route(
    'send',
    {
      method: 'POST',
      url: '/api/subscriptions/bulk',
      operation: 'changeSubscriptions',
      summary:
        'One status for up to 1,000 subscriptions; who has ended his, or has not confirmed it, is left as he is',
      body: Bulk,
      example: { ids: ['sub_3k'], status: 'paused' },
      answer: StatusReport,
      action: 'subscriptions.bulk',
    },
    ({ body: { ids, status }, workspace, principal }) =>
      workspace.subscriptions.updateMany(ids, status, principal.actor),
  ),
  route(
    'send',
    {
      method: 'POST',
      url: '/api/subscriptions/import',
      operation: 'importSubscriptions',
      summary:
        'Import a CSV file with the columns topic and email (or contactValue), and wait for it; bad lines are left out and told',
      takes: 'text/csv',
      example: 'topic,email,locale\r\nsection:09214,ada@example.org,en\r\n',
      query: OfTopic,
      answer: ImportReport,
      errors: ['invalid_config'],
      bodyLimit: LARGEST_FILE_BYTES,
      action: 'subscriptions.import',
      details: false,
    },
    ({ request: { file }, query, workspace, principal }) => {
      if (!file) throw invalidInput('body', 'should be a CSV file, sent as text/csv');
      return workspace.subscriptions.import(file, query, principal.actor);
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/subscriptions/export',
      operation: 'exportSubscriptions',
      summary: 'All subscriptions, or those of a topic, as CSV that can be imported again',
      query: OfTopic,
      answer: document('text/csv'),
    },
    ({ query, workspace, reply }) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="subscriptions.csv"')
        .header('x-content-type-options', 'nosniff')
        .send(Readable.from(workspace.subscriptions.export(query))),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/subscriptions/standing',
      operation: 'getSubscriptionsStanding',
      summary: 'How many are told when something happens, and of which topics',
      answer: SubscriptionsStanding,
    },
    async ({ workspace }) => presentSubscriptionsStanding(await workspace.subscriptions.standing()),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/subscriptions/:id/manage-link',
      operation: 'takeManageLink',
      summary: 'Where the person manages a subscription: whoever has it decides in his place',
      params: WithId,
      answer: ManageLink,
      details: false,
      errors: ['invalid_config'],
    },
    async ({ params, workspace }) => ({ manageUrl: await workspace.subscriptions.manageUrl(params.id) }),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/subscriptions/:id',
      operation: 'getSubscription',
      summary: 'One subscription, and whether it is told of anything',
      params: WithId,
      answer: Subscription,
    },
    async ({ params, workspace }) => viewedOne(workspace, await workspace.subscriptions.get(params.id)),
  ),
  route(
    'send',
    {
      method: 'PATCH',
      url: '/api/subscriptions/:id',
      operation: 'updateSubscription',
      summary: 'Change a subscription: what is not given stays, null takes it away',
      params: WithId,
      body: SubscriptionPatch,
      example: {
        status: 'paused',
        preferences: { deliveryWindow: { startMinutes: 480, endMinutes: 1_320 } },
      },
      answer: Subscription,
      errors: ['invalid_config'],
    },
    async ({ params, body, workspace, principal }) =>
      viewedOne(workspace, await workspace.subscriptions.update(params.id, body, principal.actor)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/subscriptions/:id/history',
      operation: 'getSubscriptionHistory',
      summary: 'What happened to a subscription, newest first: what was told, who changed what',
      params: WithId,
      query: Type.Object(pageQuery, closed),
      answer: page(SubscriptionHappening),
    },
    async ({ params, query, workspace }) => {
      const { items, nextCursor } = await workspace.subscriptions.history(params.id, query);
      return { items: items.map(presentHappening), nextCursor };
    },
  ),
];
