import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Person } from '../../access/gatekeeper.js';
import type { OwnSessions } from '../../access/own-sessions.js';
import { LONGEST_PASSWORD } from '../../core/access.js';
import { formatId } from '../../core/ids.js';
import { PillarboxError } from '../../core/errors.js';
import { iso } from '../../presentation/instant.js';
import {
  Invited,
  Me,
  OwnSession,
  presentOwnSession,
  presentSession,
  Session,
} from '../../presentation/session.js';
import { page, text } from '../../presentation/shape.js';
import type { Invitation } from '../../store/scripts/invitations.js';
import { Type } from '../../vendor/typebox.js';
import { clearSession, sessionOf, setSession } from '../cookie.js';
import { bearerOf, isOwnOrigin } from '../admission.js';
import { installationOf } from '../installation.js';
import { CROSS_SITE, FORBIDDEN, sendFailure, UNAUTHORIZED, UNINVITED } from '../answers.js';
import { openRoute, route, type KnownCall, type Route } from '../route.js';
import type { Service } from '../service.js';
import { placeOf } from '../where.js';
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
const Acceptance = Type.Object({ password: NewPassword }, { additionalProperties: false });
const WithId = Type.Object({ id: Type.String() });
/** There is nothing to tell but that it was done. */
const Nothing = Type.Object({});

export const authRoutes: readonly Route[] = [
  openRoute(
    'anyone',
    {
      method: 'POST',
      url: '/api/auth/login',
      operation: 'logIn',
      summary: 'Start a session',
      body: Credentials,
      example: { email: 'ada@example.org', password: 'correct horse battery staple' },
      answer: Session,
      errors: ['wrong_credentials', 'unauthorized', 'cross_site', 'too_many_attempts', 'store_unavailable'],
      action: 'auth.login',
    },
    async ({ body, service, request, reply }) => {
      // A page of another site must not log anybody in, not even as itself.
      if (request.headers.origin !== undefined && !isOwnOrigin(service, request))
        return sendFailure(reply, CROSS_SITE);
      const token = await service.gatekeeper.logIn(body.email, body.password, placeOf(request));
      return beginSession({ service, request, reply }, token);
    },
  ),
  openRoute(
    'invited',
    {
      method: 'GET',
      url: '/api/auth/invitation',
      operation: 'getInvitation',
      summary: 'Whom an invitation is for; its token is the bearer token',
      answer: Invited,
    },
    ({ request }) => {
      const { email, expiresAt } = invitationOf(request);
      return { email, expiresAt: iso(expiresAt) };
    },
  ),
  openRoute(
    'invited',
    {
      method: 'POST',
      url: '/api/auth/invitation',
      operation: 'acceptInvitation',
      summary: 'Choose one’s password with an invitation, which is used up, and start a session',
      body: Acceptance,
      example: { password: 'correct horse battery staple' },
      answer: Session,
      errors: ['unauthorized', 'cross_site'],
      action: 'auth.invitation',
    },
    async ({ body, service, request, reply }) => {
      if (request.headers.origin !== undefined && !isOwnOrigin(service, request))
        return sendFailure(reply, CROSS_SITE);
      const { invitations } = service.gatekeeper;
      const token = await invitations.accept(invitationOf(request), bearerOf(request) ?? '', body.password);
      return token === undefined
        ? sendFailure(reply, UNINVITED)
        : beginSession({ service, request, reply }, token);
    },
  ),
  route(
    'known',
    {
      method: 'POST',
      url: '/api/auth/logout',
      operation: 'logOut',
      summary: 'End this session',
      answer: Nothing,
      action: 'auth.logout',
    },
    async ({ service, request, reply }) => {
      await endOldSession(service, request);
      clearSession(service, reply);
      return {};
    },
  ),
  route(
    'known',
    {
      method: 'GET',
      url: '/api/auth/me',
      operation: 'getMe',
      summary: 'Who this is, and where',
      answer: Me,
    },
    async ({ principal, service }) => ({
      workspaceId: formatId('workspace', principal.workspaceId),
      scopes: [...principal.scopes],
      administersInstallation: principal.administersInstallation,
      ...(principal.person ? presentSession(principal.person) : { user: null, key: principal.actor }),
      installation: await installationOf(service, principal.workspaceId),
    }),
  ),
  route(
    'person',
    {
      method: 'POST',
      url: '/api/auth/password',
      operation: 'changeOwnPassword',
      summary: 'Change one’s own password; all other sessions end',
      body: PasswordChange,
      example: { current: 'correct horse battery staple', password: 'another horse, another staple' },
      answer: Nothing,
      errors: ['wrong_credentials', 'too_many_attempts'],
      action: 'auth.password',
    },
    async (call) => {
      const { service, request, body } = call;
      const { person, token } = ownOf(call);
      await service.gatekeeper.changeOwnPassword(person, body, token, placeOf(request));
      return {};
    },
  ),
  route(
    'person',
    {
      method: 'GET',
      url: '/api/auth/sessions',
      operation: 'listOwnSessions',
      summary: 'Where one is logged in, last used first',
      answer: page(OwnSession),
    },
    async (call) => ({ items: (await ownSessions(call).list()).map(presentOwnSession), nextCursor: null }),
  ),
  route(
    'person',
    {
      method: 'DELETE',
      url: '/api/auth/sessions/:id',
      operation: 'endOwnSession',
      summary: 'End one of one’s own sessions',
      params: WithId,
      answer: Type.Object({ id: text('ses_2k4') }),
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

/** Of a call that the rule let through. */
function invitationOf({ invitation }: FastifyRequest): Invitation {
  if (!invitation) throw new PillarboxError('forbidden', UNINVITED.message);
  return invitation;
}

/** Who has just come in, in place of whoever this browser had before. */
async function beginSession(
  { service, request, reply }: Pick<AnyCall, 'service' | 'request' | 'reply'>,
  token: string,
): Promise<Session | FastifyReply> {
  const principal = await service.gatekeeper.ofSession(token);
  if (!principal?.person) return sendFailure(reply, UNAUTHORIZED);
  await endOldSession(service, request);
  setSession(service, reply, token);
  request.principal = principal;
  return presentSession(principal.person);
}

/** The one that this browser had: nobody uses it again. */
async function endOldSession(service: Service, request: FastifyRequest): Promise<void> {
  const token = sessionOf(service, request);
  if (token !== undefined) await service.gatekeeper.logOut(token);
}
