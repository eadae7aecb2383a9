import { Readable } from 'node:stream';
import { canonicalAddress } from '../../core/address.js';
import { LANES } from '../../core/message.js';
import { MOST_AT_ONCE, SUPPRESSION_REASONS } from '../../core/suppression.js';
import { page } from '../../presentation/shape.js';
import {
  AddedSuppression,
  AddedSuppressions,
  ListedSuppression,
  presentAdded,
  presentAddedMany,
  presentListed,
  presentStanding,
  presentSuppression,
  presentWillingness,
  Suppression,
  SuppressionStanding,
  Willingness,
} from '../../presentation/suppression.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { document, route, type Route } from '../route.js';
import { InWorkspace } from '../where.js';

const closed = { additionalProperties: false } as const;
const LONGEST_ADDRESS = 320;
const MB = 1024 * 1024;

const WithEmail = Type.Object({ email: Type.String() });
const Filter = Type.Object(
  {
    limit: pageQuery.limit,
    cursor: Type.Optional(Type.String({ maxLength: LONGEST_ADDRESS + 20 })),
    q: Type.Optional(Type.String({ maxLength: LONGEST_ADDRESS })),
    reason: Type.Optional(Type.Enum([...SUPPRESSION_REASONS])),
    since: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })),
    order: Type.Optional(Type.Enum(['address', 'newest'])),
  },
  closed,
);
const Note = Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()]));
const NewSuppression = Type.Object(
  {
    email: Type.String({ maxLength: LONGEST_ADDRESS }),
    reason: Type.Optional(Type.Enum([...SUPPRESSION_REASONS])),
    lanes: Type.Optional(
      Type.Union([Type.Array(Type.Enum([...LANES]), { minItems: 1, uniqueItems: true }), Type.Null()]),
    ),
    note: Note,
  },
  closed,
);
const Several = Type.Object(
  {
    emails: Type.Array(Type.String({ maxLength: LONGEST_ADDRESS }), { minItems: 1, maxItems: MOST_AT_ONCE }),
    note: Note,
  },
  closed,
);
const Confirmation = Type.Object(
  { confirm: Type.Optional(Type.String({ maxLength: LONGEST_ADDRESS })) },
  closed,
);

export const suppressionRoutes: readonly Route[] = [
  route(
    'read',
    {
      method: 'GET',
      url: '/api/suppressions',
      operation: 'listSuppressions',
      summary:
        'Addresses that are not written to, in their order or the newest first; `q`: how they begin, which is looked up in their order',
      query: Filter,
      answer: page(ListedSuppression),
    },
    async ({ query: { since, ...query }, workspace }) => {
      const { items, nextCursor } = await workspace.suppressions.list({
        ...query,
        since: since === undefined ? undefined : new Date(since),
      });
      return { items: items.map(presentListed), nextCursor };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/suppressions/standing',
      operation: 'getSuppressionStanding',
      summary: 'How many addresses are not written to, by reason, in one sentence',
      answer: SuppressionStanding,
    },
    async ({ workspace }) => presentStanding(await workspace.suppressions.count()),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/suppressions/all.csv',
      operation: 'downloadSuppressions',
      summary: 'All of them as CSV; what a spreadsheet would calculate is made text',
      query: InWorkspace,
      answer: document('text/csv'),
    },
    ({ workspace, reply }) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="suppressions.csv"')
        .header('x-content-type-options', 'nosniff')
        .send(Readable.from(workspace.suppressions.csv())),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/suppressions/ask',
      operation: 'askAboutAddress',
      summary: 'Whether we would write to an address, lane by lane, and if not, why not',
      query: Type.Object({ email: Type.String({ maxLength: LONGEST_ADDRESS }) }, closed),
      answer: Willingness,
    },
    async ({ query, workspace }) => presentWillingness(await workspace.suppressions.ask(query.email)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/suppressions/:email',
      operation: 'getSuppression',
      summary: 'Why one address is not written to; 404 if it is',
      params: WithEmail,
      answer: Suppression,
    },
    async ({ params, workspace }) => presentSuppression(await workspace.suppressions.get(params.email)),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/suppressions',
      operation: 'suppress',
      summary:
        'Write to an address no more: in some lanes, or in all; what waits is cancelled, a graver reason from before stays',
      body: NewSuppression,
      example: { email: 'bob@example.org', reason: 'unsubscribed', lanes: ['campaign'] },
      answer: AddedSuppression,
    },
    async ({ body, workspace, principal }) =>
      presentAdded(await workspace.suppressions.add(body, principal.actor)),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/suppressions/several',
      operation: 'suppressSeveral',
      summary:
        'Write to up to 1,000 addresses no more, by hand and in all lanes; what is no address is named',
      body: Several,
      bodyLimit: MB,
      example: { emails: ['bob@example.org', 'carl@example.org'], note: 'asked by letter' },
      answer: AddedSuppressions,
      // Addresses of people belong here, and not into the log of what was done.
      details: false,
    },
    async ({ body: { emails, note }, workspace, principal }) =>
      presentAddedMany(await workspace.suppressions.addMany(emails, note, principal.actor)),
  ),
  route(
    'operate',
    {
      method: 'DELETE',
      url: '/api/suppressions/:email',
      operation: 'unsuppress',
      summary:
        'Write to an address again; a complaint goes only for an administrator who confirms the address',
      params: WithEmail,
      query: Confirmation,
      answer: Suppression,
      errors: ['conflict', 'invalid_config'],
    },
    async ({ params: { email }, query: { confirm }, principal, workspace }) => {
      const isConfirmed = confirm !== undefined && canonicalAddress(confirm) === canonicalAddress(email);
      const evenComplaints = isConfirmed && principal.scopes.has('admin');
      return presentSuppression(await workspace.suppressions.remove(email, { evenComplaints }));
    },
  ),
];
