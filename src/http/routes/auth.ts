import Type from 'typebox';
import { formatId } from '../../core/ids.js';
import { clearSession, sessionOf, setSession } from '../cookie.js';
import { isOwnOrigin } from '../guard.js';
import { CROSS_SITE, sendFailure } from '../answers.js';
import { openRoute, route, type Route } from '../route.js';

const Credentials = Type.Object(
  { email: Type.String({ maxLength: 254 }), password: Type.String({ minLength: 1, maxLength: 1_000 }) },
  { additionalProperties: false },
);

export const authRoutes: readonly Route[] = [
  openRoute(
    'anyone',
    { method: 'POST', url: '/api/auth/login', summary: 'Start a session', body: Credentials },
    async ({ body, service, request, reply }) => {
      // A page of another site must not log anybody in, not even as itself.
      if (request.headers.origin !== undefined && !isOwnOrigin(service, request))
        return sendFailure(reply, CROSS_SITE);
      const token = await service.gatekeeper.logIn(body.email, body.password, request.ip);
      setSession(service, reply, token);
      const principal = await service.gatekeeper.ofSession(token);
      return principal?.person ? presentPerson(principal.person) : null;
    },
  ),
  route(
    'known',
    { method: 'POST', url: '/api/auth/logout', summary: 'End this session' },
    async ({ service, request, reply }) => {
      const token = sessionOf(service, request);
      if (token !== undefined) await service.gatekeeper.logOut(token);
      clearSession(service, reply);
      return {};
    },
  ),
  route('known', { method: 'GET', url: '/api/auth/me', summary: 'Who this is' }, ({ principal }) => ({
    workspaceId: formatId('workspace', principal.workspaceId),
    scopes: [...principal.scopes],
    ...(principal.person ? presentPerson(principal.person) : { user: null, key: principal.actor }),
  })),
];

interface PresentedPerson {
  readonly userId: number;
  readonly email: string;
  readonly role: string;
  readonly memberships: readonly {
    readonly workspaceId: number;
    readonly workspaceName: string;
    readonly role: string;
  }[];
  readonly csrfToken: string;
}

const presentPerson = ({ userId, email, role, memberships, csrfToken }: PresentedPerson) => ({
  user: { id: formatId('user', userId), email, role },
  workspaces: memberships.map((membership) => ({
    id: formatId('workspace', membership.workspaceId),
    name: membership.workspaceName,
    role: membership.role,
  })),
  csrfToken,
});
