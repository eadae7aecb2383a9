import type { FastifyRequest } from 'fastify';
import type { Person } from '../../access/gatekeeper.js';
import type { OwnSessions } from '../../access/own-sessions.js';
import { LONGEST_PASSWORD } from '../../core/access.js';
import { formatId } from '../../core/ids.js';
import { PillarboxError } from '../../errors.js';
import { presentOwnSession } from '../../presentation.js';
import { Type } from '../../vendor/typebox.js';
import { clearSession, sessionOf, setSession } from '../cookie.js';
import { isOwnOrigin } from '../guard.js';
import { installationOf } from '../installation.js';
import { CROSS_SITE, FORBIDDEN, sendFailure, UNAUTHORIZED } from '../answers.js';
import { openRoute, route, type KnownCall, type Route } from '../route.js';
import type { Service } from '../service.js';
import { NewPassword } from './users.js';

const Credentials = Type.Object(
  {
    email: Type.String({ maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: LONGEST_PASSWORD }),
  },
  { additionalProperties: false },
);
const PasswordChange = Type.Object(
  { current: Type.String({ minLength: 1, maxLength: LONGEST_PASSWORD }), password: NewPassword },
  { additionalProperties: false },
);
const WithId = Type.Object({ id: Type.String() });

export const authRoutes: readonly Route[] = [
  openRoute(
    'anyone',
    {
      method: 'POST',
      url: '/api/auth/login',
      summary: 'Start a session',
      body: Credentials,
      action: 'auth.login',
    },
    async ({ body, service, request, reply }) => {
      // A page of another site must not log anybody in, not even as itself.
      if (request.headers.origin !== undefined && !isOwnOrigin(service, request))
        return sendFailure(reply, CROSS_SITE);
      const token = await service.gatekeeper.logIn(body.email, body.password, request.ip);
      const principal = await service.gatekeeper.ofSession(token);
      if (!principal?.person) return sendFailure(reply, UNAUTHORIZED);
      await endOldSession(service, request);
      setSession(service, reply, token);
      request.principal = principal;
      return presentPerson(principal.person);
    },
  ),
  route(
    'known',
    { method: 'POST', url: '/api/auth/logout', summary: 'End this session', action: 'auth.logout' },
    async ({ service, request, reply }) => {
      await endOldSession(service, request);
      clearSession(service, reply);
      return {};
    },
  ),
  route(
    'known',
    { method: 'GET', url: '/api/auth/me', summary: 'Who this is, and where' },
    async ({ principal, service }) => ({
      workspaceId: formatId('workspace', principal.workspaceId),
      scopes: [...principal.scopes],
      administersInstallation: principal.administersInstallation,
      ...(principal.person ? presentPerson(principal.person) : { user: null, key: principal.actor }),
      installation: await installationOf(service, principal.workspaceId),
    }),
  ),
  route(
    'person',
    {
      method: 'POST',
      url: '/api/auth/password',
      summary: 'Change one’s own password; all other sessions end',
      body: PasswordChange,
      action: 'auth.password',
    },
    async (call) => {
      const { service, request, body } = call;
      const { person, token } = ownOf(call);
      await service.gatekeeper.changeOwnPassword(person, body, token, request.ip);
      return {};
    },
  ),
  route(
    'person',
    { method: 'GET', url: '/api/auth/sessions', summary: 'Where one is logged in, last used first' },
    async (call) => ({ items: (await ownSessions(call).list()).map(presentOwnSession), nextCursor: null }),
  ),
  route(
    'person',
    {
      method: 'DELETE',
      url: '/api/auth/sessions/:id',
      summary: 'End one of one’s own sessions',
      params: WithId,
      action: 'auth.session.delete',
    },
    async (call) => {
      await ownSessions(call).end(call.params.id);
      return { id: call.params.id };
    },
  ),
];

type AnyCall = KnownCall<unknown, unknown, unknown>;

/** Of a call that the rule let through: a person, by his session. */
function ownOf({ principal: { person }, service, request }: AnyCall): { person: Person; token: string } {
  const token = sessionOf(service, request);
  if (!person || token === undefined) throw new PillarboxError('forbidden', FORBIDDEN.message);
  return { person, token };
}

function ownSessions(call: AnyCall): OwnSessions {
  const { person, token } = ownOf(call);
  return call.service.gatekeeper.sessionsOf(person, token);
}

/** The one that this browser had: nobody uses it again. */
async function endOldSession(service: Service, request: FastifyRequest): Promise<void> {
  const token = sessionOf(service, request);
  if (token !== undefined) await service.gatekeeper.logOut(token);
}

const presentPerson = ({ userId, email, role, memberships, csrfToken }: Person) => ({
  user: { id: formatId('user', userId), email, role },
  workspaces: memberships.map((membership) => ({
    id: formatId('workspace', membership.workspaceId),
    name: membership.workspaceName,
    role: membership.role,
  })),
  csrfToken,
});
