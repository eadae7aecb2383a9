import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from './service.js';

const LONGEST_SECONDS = 14 * 24 * 3_600;

/** A browser keeps a `__Host-` cookie to this very host and to TLS; without TLS it would not take it at all. */
export const SESSION_COOKIES = { secure: '__Host-pillarbox', plain: 'pillarbox_session' };

const nameOf = ({ publicUrl }: Service): string =>
  isSecure(publicUrl) ? SESSION_COOKIES.secure : SESSION_COOKIES.plain;

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');

export const sessionOf = (service: Service, request: FastifyRequest): string | undefined =>
  request.cookies[nameOf(service)];

export function setSession(service: Service, reply: FastifyReply, token: string): void {
  void reply.setCookie(nameOf(service), token, { ...attributes(service), maxAge: LONGEST_SECONDS });
}

export function clearSession(service: Service, reply: FastifyReply): void {
  void reply.clearCookie(nameOf(service), attributes(service));
}

const attributes = ({ publicUrl }: Service) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(publicUrl) }) as const;
