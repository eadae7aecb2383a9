import { People } from '../../access/people.js';
import { LONGEST_PASSWORD, ROLES, SHORTEST_PASSWORD } from '../../core/access.js';
import { parseId } from '../../core/ids.js';
import { presentMember } from '../../presentation.js';
import { listMembers } from '../../store/scripts/users.js';
import { Type } from '../../vendor/typebox.js';
import { NEWEST, pageById, pageQuery } from '../paging.js';
import { route, type KnownCall, type Route } from '../route.js';
import { workspaceMeant } from '../where.js';

const closed = { additionalProperties: false } as const;
const where = { workspaceId: Type.Optional(Type.String({ maxLength: 40 })) };
export const NewPassword = Type.String({ minLength: SHORTEST_PASSWORD, maxLength: LONGEST_PASSWORD });

const WithId = Type.Object({ id: Type.String() });
const Where = Type.Object(where, closed);
const Page = Type.Object({ ...pageQuery, ...where }, closed);
const NewUser = Type.Object(
  {
    email: Type.String({ maxLength: 254 }),
    role: Type.Enum([...ROLES]),
    password: Type.Optional(NewPassword),
    ...where,
  },
  closed,
);
const Change = Type.Object(
  { role: Type.Optional(Type.Enum([...ROLES])), password: Type.Optional(NewPassword), ...where },
  { ...closed, minProperties: 1 },
);

export const userRoutes: readonly Route[] = [
  route(
    'admin',
    {
      method: 'POST',
      url: '/api/users',
      summary: 'Add a person; a password is made if none is given',
      body: NewUser,
    },
    async (call) => {
      const { workspaceId, ...newcomer } = call.body;
      const { people, at } = await peopleOf(call, workspaceId);
      const { member, password: made, knownBefore } = await people.add(newcomer);
      return { ...presentMember(member, at), knownBefore, ...(made !== undefined && { password: made }) };
    },
  ),
  route(
    'admin',
    { method: 'GET', url: '/api/users', summary: 'The people of a workspace, newest first', query: Page },
    async (call) => {
      const { store } = call.service.box;
      const at = await workspaceMeant(call, call.query.workspaceId);
      return pageById(
        'user',
        call.query,
        (before = NEWEST, limit) => store.read(listMembers(store, at, before, limit)),
        (member) => presentMember(member, at),
      );
    },
  ),
  route(
    'admin',
    { method: 'GET', url: '/api/users/:id', summary: 'One person', params: WithId, query: Where },
    async (call) => {
      const { people, at } = await peopleOf(call, call.query.workspaceId);
      return presentMember(await people.find(parseId('user', call.params.id)), at);
    },
  ),
  route(
    'admin',
    {
      method: 'PATCH',
      url: '/api/users/:id',
      summary: 'Change a role or a password; a new password ends all sessions',
      params: WithId,
      body: Change,
    },
    async (call) => {
      const { workspaceId, ...change } = call.body;
      const { people, at } = await peopleOf(call, workspaceId);
      return presentMember(await people.change(parseId('user', call.params.id), change), at);
    },
  ),
  route(
    'admin',
    {
      method: 'DELETE',
      url: '/api/users/:id',
      summary: 'Take a person out of a workspace',
      params: WithId,
      query: Where,
    },
    async (call) => {
      const { people, at } = await peopleOf(call, call.query.workspaceId);
      return presentMember(await people.remove(parseId('user', call.params.id)), at);
    },
  ),
];

async function peopleOf(call: KnownCall<unknown, unknown, unknown>, workspaceId: string | undefined) {
  const at = await workspaceMeant(call, workspaceId);
  return { people: new People(call.service.box.store, at, call.principal), at };
}
