import { parseId } from '../core/ids.js';
import { PillarboxError } from '../errors.js';
import { findWorkspace } from '../store/scripts/workspaces.js';
import type { KnownCall } from './route.js';

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
