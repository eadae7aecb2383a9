import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Person } from '../../access/gatekeeper.js';
import { formatId } from '../../core/ids.js';
import { clearSession, sessionOf, setSession } from '../cookie.js';
import { isOwnOrigin } from '../guard.js';
import { installationOf } from '../installation.js';
import { CROSS_SITE, sendFailure, UNAUTHORIZED } from '../answers.js';
import { openRoute, route, type Route } from '../route.js';
import type { Service } from '../service.js';

const Credentials = Type.Object(
  { email: Type.String({ maxLength: 254 }), password: Type.String({ minLength: 1, maxLength: 1_000 }) },
  { additionalProperties: false },
);

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
];

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
