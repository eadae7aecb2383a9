import type { FastifyRequest } from 'fastify';
import type { Principal } from '../access/gatekeeper.js';
import type { Invitation } from '../store/scripts/invitations.js';
import { sameSecret } from '../access/token.js';
import { parseId } from '../core/ids.js';
import { CROSS_SITE, FORBIDDEN, NO_WORKSPACE, UNAUTHORIZED, UNINVITED, type Failure } from './answers.js';
import { sessionOf } from './cookie.js';
import type { OpenRule, Rule } from './route.js';
import type { Service } from './service.js';
import { isFramed, placeOf, workspacesNamed } from './where.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const changesNothing = (method: string): boolean => READS.has(method);

/**
 * Runs before the body is read: a stranger's is never looked at. Answers who is asking, or why he may not. `attended`:
 * whether it may be a person who asks, and not a page that was left open.
 */
export async function admit(
  service: Service,
  rule: Rule,
  request: FastifyRequest,
  attended = true,
): Promise<{ readonly principal?: Principal; readonly invitation?: Invitation } | Failure> {
  if (rule === 'anyone') return {};
  if (rule === 'cron') return admitCron(service, request);
  if (rule === 'invited') return admitInvited(service, request);
  const key = bearerOf(request);
  const known =
    key === undefined ? await ofSession(service, request, attended) : await service.gatekeeper.ofKey(key);
  if (!known) return UNAUTHORIZED;
  const principal = await whereAsked(service, request, known);
  if (!principal) return NO_WORKSPACE;
  if (!isEnough(rule, principal)) return FORBIDDEN;
  if (
    principal.person &&
    !changesNothing(request.method) &&
    !(isFramed(request)
      ? isOwnOrigin(service, request)
      : isOwnWrite(service, request, principal.person.csrfToken))
  ) {
    return CROSS_SITE;
  }
  return { principal };
}

function isEnough(rule: Exclude<Rule, OpenRule>, { scopes, person }: Principal): boolean {
  if (rule === 'known') return true;
  return rule === 'person' ? person !== undefined : scopes.has(rule);
}

/** Without a secret there is no such route. */
function admitCron({ cronSecret }: Service, request: FastifyRequest): { principal?: Principal } | Failure {
  if (cronSecret === undefined) return { status: 404, code: 'not_found', message: 'CRON_SECRET is not set' };
  const given = bearerOf(request);
  return given !== undefined && sameSecret(given, cronSecret) ? {} : UNAUTHORIZED;
}

/** The token in the head, as a key: the address is in logs, and the body is not read yet. */
async function admitInvited(
  { gatekeeper }: Service,
  request: FastifyRequest,
): Promise<{ invitation: Invitation } | Failure> {
  const token = bearerOf(request);
  const invitation =
    token === undefined ? undefined : await gatekeeper.invitations.find(token, placeOf(request));
  return invitation ? { invitation } : UNINVITED;
}

/** A secret that somebody made up may have blanks. */
export const bearerOf = (request: FastifyRequest): string | undefined =>
  /^Bearer ([ -~]+)$/i.exec(request.headers.authorization ?? '')?.[1];

async function ofSession(
  service: Service,
  request: FastifyRequest,
  attended: boolean,
): Promise<Principal | undefined> {
  const token = sessionOf(service, request);
  if (token === undefined) return undefined;
  return service.gatekeeper.ofSession(token, attended && request.headers[UNATTENDED] === undefined);
}

/** Our pages say so when they ask by themselves, and nobody has touched them for a while. */
const UNATTENDED = 'x-unattended';

/** Nobody's wish for a workspace is passed over: what was meant for one must not happen in another. */
async function whereAsked(
  { gatekeeper }: Service,
  request: FastifyRequest,
  known: Principal,
): Promise<Principal | undefined> {
  const [wanted, another] = workspacesNamed(request);
  if (wanted === undefined) return known;
  const id = typeof wanted === 'string' && another === undefined ? parseId('workspace', wanted) : undefined;
  return id === undefined ? undefined : gatekeeper.inWorkspace(known, id);
}

/** A browser sends cookies along with whatever another site makes it send; only our own pages know the token. */
function isOwnWrite(service: Service, request: FastifyRequest, csrfToken: string): boolean {
  const given = request.headers['x-csrf-token'];
  return typeof given === 'string' && sameSecret(given, csrfToken) && isOwnOrigin(service, request);
}

export function isOwnOrigin({ publicUrl }: Service, { headers, host }: FastifyRequest): boolean {
  const { origin } = headers;
  // Our pages tell nobody where they are, so that of a form is `null`; no other site can say that it is ours.
  if (origin === undefined || origin === 'null') return headers['sec-fetch-site'] === 'same-origin';
  return origin === new URL(publicUrl).origin || origin === `http://${host}` || origin === `https://${host}`;
}
