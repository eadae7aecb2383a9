import {
  ActionOfAccount,
  Capacity,
  Fixed,
  LimitsCheck,
  presentCapacity,
  presentCheck,
  Quota,
} from '../../presentation/limits.js';
import { AccountPace, Nearness, presentNearness, presentPace } from '../../presentation/pace.js';
import { presentPreview, SendingPreview } from '../../presentation/sending-preview.js';
import { SendingInput } from '../../settings/input.js';
import { Type } from '../../vendor/typebox.js';
import { route, type Route } from '../route.js';

const Day = Type.Optional(Type.String({ maxLength: 10 }));
const Action = Type.Optional(ActionOfAccount);
const closed = { additionalProperties: false } as const;

export const limitRoutes: readonly Route[] = [
  route(
    'read',
    {
      method: 'GET',
      url: '/api/quota',
      operation: 'getQuota',
      summary: 'What an account, or the whole workspace, may send on a date and has sent',
      query: Type.Object(
        { date: Day, accountId: Type.Optional(Type.String({ maxLength: 64 })), action: Action },
        closed,
      ),
      answer: Quota,
      errors: ['not_found'],
    },
    ({ query, workspace }) => workspace.guard.quota(query),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/accounts/:id/capacity',
      operation: 'getCapacity',
      summary: 'What an account may do on a date, and what binds it',
      params: Type.Object({ id: Type.String() }),
      query: Type.Object({ date: Day, action: Action }, closed),
      answer: Capacity,
    },
    async ({ params, query, workspace }) => presentCapacity(await workspace.guard.capacity(params.id, query)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/accounts/:id/pace',
      operation: 'getPace',
      summary: 'An account day by day and today mail by mail: what left, what would, and what it may',
      params: Type.Object({ id: Type.String() }),
      query: Type.Object({ action: Action }, closed),
      answer: AccountPace,
    },
    async ({ params, query, workspace }) => presentPace(await workspace.guard.pace(params.id, query.action)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/limits/near',
      operation: 'getNearness',
      summary: 'How near each account is to its limits, and what all of them have planned by day',
      answer: Nearness,
    },
    async ({ workspace }) => presentNearness(await workspace.guard.nearness()),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/limits/check',
      operation: 'checkLimits',
      summary: 'What is planned against a limit and where it would go, and what has left against one',
      answer: LimitsCheck,
    },
    async ({ workspace }) => presentCheck(await workspace.guard.check(), await workspace.guard.activity()),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/limits/fix',
      operation: 'fixLimits',
      summary: 'Move what is planned against a limit to the first times that are free',
      body: Type.Object(
        { ids: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1_000 })) },
        closed,
      ),
      example: {},
      answer: Fixed,
    },
    ({ body, workspace }) => workspace.guard.fix(body.ids),
  ),
  route(
    'read',
    {
      method: 'POST',
      url: '/api/settings/sending/preview',
      operation: 'previewSending',
      summary: 'What a change of the sending settings would do to what waits',
      body: SendingInput,
      example: { startHour: 8, endHour: 17 },
      answer: SendingPreview,
    },
    async ({ body, workspace }) => presentPreview(await workspace.guard.preview(body)),
  ),
];
