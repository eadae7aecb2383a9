import { AccountPatch, NewAccountInput } from '../../account-input.js';
import { readAccountsStanding } from '../../accounts-standing.js';
import { PillarboxError } from '../../errors.js';
import { presentAccount, presentAccountsStanding, presentActivity } from '../../presentation.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const WithId = Type.Object({ id: Type.String() });
const PageQuery = Type.Object(pageQuery, { additionalProperties: false });
/** What whoever runs the day may decide; the rest decides where credentials go. */
const OF_OPERATORS = new Set(['status', 'pauseReason']);

export const accountRoutes: readonly Route[] = [
  route(
    'admin',
    { method: 'POST', url: '/api/accounts', summary: 'Set up an account', body: NewAccountInput },
    async ({ body, workspace }) => presentAccount(await workspace.accounts.create(body)),
  ),
  route(
    'read',
    { method: 'GET', url: '/api/accounts', summary: 'Accounts, the oldest first', query: PageQuery },
    async ({ query, workspace }) => {
      const { items, nextCursor } = await workspace.accounts.list(query);
      return { items: items.map(presentAccount), nextCursor };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/accounts/standing',
      summary:
        'Who may send now, who rests and who is paused, in words; of each account what it did today (in the time zone of the sending settings), its last try and how many mails wait for it, counted up to 10,001',
    },
    async ({ workspace, service: { box } }) => {
      const now = await box.store.now();
      return presentAccountsStanding(
        await box.store.read(readAccountsStanding(box.store, workspace.id, now)),
      );
    },
  ),
  route(
    'read',
    { method: 'GET', url: '/api/accounts/:id', summary: 'One account, without its secrets', params: WithId },
    async ({ params, workspace }) => presentAccount(await workspace.accounts.get(params.id)),
  ),
  route(
    'operate',
    {
      method: 'PATCH',
      url: '/api/accounts/:id',
      summary: 'Change, pause or resume an account',
      params: WithId,
      body: AccountPatch,
    },
    async ({ params, body, workspace, principal }) => {
      if (!principal.scopes.has('admin') && Object.keys(body).some((field) => !OF_OPERATORS.has(field))) {
        throw new PillarboxError(
          'forbidden',
          'only an administrator may change more than status and pauseReason',
        );
      }
      return presentAccount(await workspace.accounts.update(params.id, body));
    },
  ),
  route(
    'admin',
    {
      method: 'DELETE',
      url: '/api/accounts/:id',
      summary: 'Remove an account that has nothing to do',
      params: WithId,
    },
    async ({ params, workspace }) => {
      await workspace.accounts.remove(params.id);
      return { id: params.id };
    },
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/accounts/:id/verify',
      summary: 'Connect and log in without sending',
      params: WithId,
    },
    async ({ params, workspace }) => workspace.accounts.verify(params.id),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/accounts/:id/activity',
      summary: 'Its tries, newest first',
      params: WithId,
      query: PageQuery,
    },
    async ({ params, query, workspace }) => {
      const { items, nextCursor } = await workspace.accounts.activity(params.id, query);
      return { items: items.map(presentActivity), nextCursor };
    },
  ),
];
