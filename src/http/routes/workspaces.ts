import type { Principal } from '../../access/gatekeeper.js';
import { LONGEST_NAME, nameFault } from '../../core/access.js';
import { invalidInput, PillarboxError } from '../../core/errors.js';
import { page } from '../../presentation/shape.js';
import { presentWorkspace, Workspace } from '../../presentation/workspace.js';
import { addWorkspace, listWorkspaces } from '../../store/scripts/workspaces.js';
import { Type } from '../../vendor/typebox.js';
import { pageById, pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const closed = { additionalProperties: false } as const;
const Page = Type.Object(pageQuery, closed);
const NewWorkspace = Type.Object({ name: Type.String({ minLength: 1, maxLength: LONGEST_NAME }) }, closed);

export const workspaceRoutes: readonly Route[] = [
  route(
    'admin',
    {
      method: 'POST',
      url: '/api/workspaces',
      operation: 'createWorkspace',
      summary: 'Make a workspace',
      body: NewWorkspace,
      example: { name: 'Harbour Rooms' },
      answer: Workspace,
      errors: ['conflict'],
    },
    async ({ body: { name }, principal, service: { box } }) => {
      if (!principal.administersInstallation) {
        throw new PillarboxError('forbidden', 'only an administrator of the first workspace can make others');
      }
      const fault = nameFault(name);
      if (fault !== undefined) throw invalidInput('name', fault);
      const now = await box.now();
      const made = await box.store.transaction(() => addWorkspace(box.store, name, now));
      if (!made) throw new PillarboxError('conflict', `there is a workspace ${name} already`);
      return presentWorkspace(made);
    },
  ),
  route(
    'known',
    {
      method: 'GET',
      url: '/api/workspaces',
      operation: 'listWorkspaces',
      summary: 'Workspaces to work in, oldest first',
      query: Page,
      answer: page(Workspace),
    },
    ({ query, principal, service: { box } }) =>
      pageById(
        'workspace',
        query,
        (after = 0, limit) =>
          box.store.read(listWorkspaces(box.store, { only: openTo(principal), after, limit })),
        presentWorkspace,
      ),
  ),
];

/** Undefined: all there are. */
function openTo({ administersInstallation, person, workspaceId }: Principal): readonly number[] | undefined {
  if (administersInstallation) return undefined;
  return person ? person.memberships.map((membership) => membership.workspaceId) : [workspaceId];
}
