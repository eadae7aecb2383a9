import { People, type MadeInvitation } from '../../access/people.js';
import { LONGEST_PASSWORD, ROLES, SHORTEST_PASSWORD } from '../../core/access.js';
import { parseId } from '../../core/ids.js';
import { iso } from '../../presentation/instant.js';
import { AddedMember, InvitedMember, Member, presentMember } from '../../presentation/member.js';
import { page } from '../../presentation/shape.js';
import { listMembers } from '../../store/scripts/users.js';
import { Type } from '../../vendor/typebox.js';
import { NEWEST, pageById, pageQuery } from '../paging.js';
import { route, type KnownCall, type Route } from '../route.js';
import type { Service } from '../service.js';
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
      operation: 'addPerson',
      summary: 'Add a person; without a password there is an invitation, a link that is shown once',
      body: NewUser,
      example: { email: 'grace@example.org', role: 'operator' },
      answer: AddedMember,
      errors: ['conflict'],
    },
    async (call) => {
      const { workspaceId, ...newcomer } = call.body;
      const { people, at } = await peopleOf(call, workspaceId);
      const { member, invitation, knownBefore } = await people.add(newcomer);
      return {
        ...presentMember(member, at),
        knownBefore,
        invitation: invitation ? presentInvitation(call.service, invitation) : null,
      };
    },
  ),
  route(
    'admin',
    {
      method: 'POST',
      url: '/api/users/:id/invitation',
      operation: 'invitePerson',
      summary:
        'Invite a person anew: password, sessions and the invitation of before end; the link is shown once',
      params: WithId,
      query: Where,
      answer: InvitedMember,
      errors: ['conflict'],
    },
    async (call) => {
      const { people, at } = await peopleOf(call, call.query.workspaceId);
      const { member, invitation } = await people.invite(parseId('user', call.params.id));
      return { ...presentMember(member, at), invitation: presentInvitation(call.service, invitation) };
    },
  ),
  route(
    'admin',
    {
      method: 'GET',
      url: '/api/users',
      operation: 'listPeople',
      summary: 'The people of a workspace, newest first',
      query: Page,
      answer: page(Member),
    },
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
    {
      method: 'GET',
      url: '/api/users/:id',
      operation: 'getPerson',
      summary: 'One person',
      params: WithId,
      query: Where,
      answer: Member,
    },
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
      operation: 'updatePerson',
      summary: 'Change a role or a password; a new password ends all sessions',
      params: WithId,
      body: Change,
      example: { role: 'admin' },
      answer: Member,
      errors: ['conflict'],
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
      operation: 'removePerson',
      summary: 'Take a person out of a workspace',
      params: WithId,
      query: Where,
      answer: Member,
      errors: ['conflict'],
    },
    async (call) => {
      const { people, at } = await peopleOf(call, call.query.workspaceId);
      return presentMember(await people.remove(parseId('user', call.params.id)), at);
    },
  ),
];

async function peopleOf(call: KnownCall<unknown, unknown, unknown>, workspaceId: string | undefined) {
  const at = await workspaceMeant(call, workspaceId);
  const { box, gatekeeper } = call.service;
  const people = new People(box.store, at, call.principal, box.home.id, gatekeeper.passwords);
  return { people, at };
}

/** Behind the `#`, which browsers keep to themselves: it stands in no log and is told to no other site. */
const presentInvitation = ({ publicUrl }: Service, { token, expiresAt }: MadeInvitation) => ({
  url: `${publicUrl.replace(/\/$/, '')}/invitation#${token}`,
  expiresAt: iso(expiresAt),
});
