import type { FastifyRequest } from 'fastify';
import { parseId } from '../core/ids.js';
import { placeOfAddress } from '../core/place.js';
import { PillarboxError } from '../core/errors.js';
import { findWorkspace } from '../store/scripts/workspaces.js';
import { Type } from '../vendor/typebox.js';
import type { KnownCall } from './route.js';

/** For what a browser asks without headers of ours: a frame, a download, a stream of events. */
export const InWorkspace = Type.Object(
  { workspace: Type.Optional(Type.String({ maxLength: 40 })) },
  { additionalProperties: false },
);

/** What a browser sends of a form. */
export const FORM = 'application/x-www-form-urlencoded';

/** A form, where one of our own pages may post it to show the answer in a frame. */
export const isFramed = ({ routeOptions, headers }: FastifyRequest): boolean =>
  routeOptions.config.framed === true && headers['content-type'] === FORM;

/** The workspaces that a request names: by its header, and where it only reads, by its address. */
export function workspacesNamed(request: FastifyRequest): readonly unknown[] {
  const { method, headers, query } = request;
  const reads = method === 'GET' || method === 'HEAD' || isFramed(request);
  const named = [headers['x-workspace-id'], reads ? (query as { workspace?: unknown }).workspace : undefined];
  return [...new Set(named.filter((name) => name !== undefined))];
}

/**
 * From where it is asked, for whoever counts: the first address, from our side, that is none of a proxy that we believe.
 * If a proxy has something else to say than an address, it is the one who is counted.
 */
export const placeOf = ({ ip, socket }: FastifyRequest): string =>
  placeOfAddress(ip) ?? placeOfAddress(socket.remoteAddress ?? '') ?? 'nowhere';

/**
 * The workspace that is meant: one's own, or any that exists for an administrator of the installation. For everybody
 * else there is no other.
 */
export async function workspaceMeant(
  { principal, service, request }: KnownCall<unknown, unknown, unknown>,
  given: string | undefined,
): Promise<number> {
  if (given === undefined) return principal.workspaceId;
  const id = parseId('workspace', given);
  if (id !== undefined && id === principal.workspaceId) return id;
  const { store } = service.box;
  const mayBeMeant = id !== undefined && principal.administersInstallation;
  if (!mayBeMeant || !(await store.read(findWorkspace(store, id)))) {
    throw new PillarboxError('not_found', 'workspaceId: there is no such workspace', {
      field: 'workspaceId',
    });
  }
  request.concerns = id;
  return id;
}
