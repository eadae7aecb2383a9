import { canonicalAddress } from '../../core/address.js';
import { LANES } from '../../core/message.js';
import { SUPPRESSION_REASONS } from '../../core/suppression.js';
import { page } from '../../presentation/shape.js';
import {
  presentSuppression,
  presentWillingness,
  Suppression,
  Willingness,
} from '../../presentation/suppression.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const closed = { additionalProperties: false } as const;
const LONGEST_ADDRESS = 320;

const WithEmail = Type.Object({ email: Type.String() });
const Filter = Type.Object(
  {
    limit: pageQuery.limit,
    // The last address of the page before.
    cursor: Type.Optional(Type.String({ maxLength: LONGEST_ADDRESS })),
    q: Type.Optional(Type.String({ maxLength: LONGEST_ADDRESS })),
    reason: Type.Optional(Type.Enum([...SUPPRESSION_REASONS])),
  },
  closed,
);
const NewSuppression = Type.Object(
  {
    email: Type.String({ maxLength: LONGEST_ADDRESS }),
    reason: Type.Optional(Type.Enum([...SUPPRESSION_REASONS])),
    lanes: Type.Optional(
      Type.Union([Type.Array(Type.Enum([...LANES]), { minItems: 1, uniqueItems: true }), Type.Null()]),
    ),
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
      summary: 'Addresses that are not written to, in the order of the addresses; `q`: how they begin',
      query: Filter,
      answer: page(Suppression),
    },
    async ({ query, workspace }) => {
      const { items, nextCursor } = await workspace.suppressions.list(query);
      return { items: items.map(presentSuppression), nextCursor };
    },
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
      summary: 'Write to an address no more: in some lanes, or in all; a graver reason from before stays',
      body: NewSuppression,
      example: { email: 'bob@example.org', reason: 'unsubscribed', lanes: ['campaign'] },
      answer: Suppression,
    },
    async ({ body, workspace }) => presentSuppression(await workspace.suppressions.add(body)),
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
