import type { Principal } from '../../access/gatekeeper.js';
import { AccountPatch, NewAccountInput } from '../../accounts/input.js';
import { readAccountsStanding } from '../../overview/accounts-standing.js';
import { PillarboxError } from '../../core/errors.js';
import { readRest } from '../../accounts/rest.js';
import { Account, presentAccount, Verification } from '../../presentation/account.js';
import { AccountsStanding, presentAccountsStanding } from '../../presentation/accounts-standing.js';
import { Activity, presentActivity } from '../../presentation/activity.js';
import { page, text } from '../../presentation/shape.js';
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
    {
      method: 'POST',
      url: '/api/accounts',
      operation: 'createAccount',
      summary: 'Set up an account',
      body: NewAccountInput,
      example: {
        name: 'Bookings',
        emailAddress: 'bookings@example.org',
        transport: { kind: 'smtp', url: 'smtps://bookings:secret@mail.example.org' },
      },
      answer: Account,
      errors: ['conflict', 'invalid_config'],
    },
    async ({ body, workspace, principal }) => {
      if (body.transport.kind === 'file') refuseTenant(principal);
      return presentAccount(await workspace.accounts.create(body));
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/accounts',
      operation: 'listAccounts',
      summary: 'Accounts, the oldest first',
      query: PageQuery,
      answer: page(Account),
    },
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
      operation: 'getAccountsStanding',
      summary:
        'Who may send now, who rests and who is paused, in words; of each account what it did today (in the time zone of the sending settings), its last try and how many mails wait for it, counted up to 10,001',
      answer: AccountsStanding,
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
    {
      method: 'GET',
      url: '/api/accounts/:id',
      operation: 'getAccount',
      summary: 'One account, without its secrets',
      params: WithId,
      answer: Account,
    },
    async ({ params, workspace }) => presentAccount(await workspace.accounts.get(params.id)),
  ),
  route(
    'operate',
    {
      method: 'PATCH',
      url: '/api/accounts/:id',
      operation: 'updateAccount',
      summary: 'Change, pause or resume an account',
      params: WithId,
      body: AccountPatch,
      example: { status: 'paused', pauseReason: 'the provider asked us to slow down' },
      answer: Account,
      errors: ['conflict', 'invalid_config'],
    },
    async ({ params, body, workspace, principal }) => {
      if (Object.keys(body).some((field) => !OF_OPERATORS.has(field))) {
        if (!principal.scopes.has('admin')) throw new PillarboxError('forbidden', ONLY_ADMINS);
        const { transport } = await workspace.accounts.get(params.id);
        if (transport.kind === 'file' || body.transport?.kind === 'file') refuseTenant(principal);
      }
      return presentAccount(await workspace.accounts.update(params.id, body));
    },
  ),
  route(
    'admin',
    {
      method: 'DELETE',
      url: '/api/accounts/:id',
      operation: 'deleteAccount',
      summary:
        'Remove an account. What waits for it ends (`rest=end`), or goes on from another one as a new thread (`rest=reassign:acc_1`); 409 with the number that waits if neither is said',
      params: WithId,
      query: Type.Object(
        { rest: Type.Optional(Type.String({ maxLength: 60 })) },
        { additionalProperties: false },
      ),
      answer: Type.Object({ id: text('acc_1') }),
      errors: ['conflict'],
    },
    async ({ params, query: { rest }, workspace }) => {
      await workspace.accounts.remove(params.id, rest === undefined ? undefined : readRest(rest));
      return { id: params.id };
    },
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/accounts/:id/verify',
      operation: 'verifyAccount',
      summary: 'Connect and log in without sending',
      errors: ['invalid_config'],
      params: WithId,
      answer: Verification,
    },
    async ({ params, workspace }) => workspace.accounts.verify(params.id),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/accounts/:id/activity',
      operation: 'listActivity',
      summary: 'Its tries, newest first',
      params: WithId,
      query: PageQuery,
      answer: page(Activity),
    },
    async ({ params, query, workspace }) => {
      const { items, nextCursor } = await workspace.accounts.activity(params.id, query);
      return { items: items.map(presentActivity), nextCursor };
    },
  ),
];

const ONLY_ADMINS = 'only an administrator may change more than status and pauseReason';

/** A workspace is somebody's; the disk belongs to whoever runs the machine. */
function refuseTenant({ administersInstallation }: Principal): void {
  if (administersInstallation) return;
  throw new PillarboxError(
    'forbidden',
    'transport.kind: an account that writes files on the machine of this installation can only be made or changed by an administrator of the installation',
    { field: 'transport.kind' },
  );
}
