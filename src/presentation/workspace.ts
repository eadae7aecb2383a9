import { formatId } from '../core/ids.js';
import type { WorkspaceRow } from '../store/scripts/workspaces.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso } from './instant.js';
import { instant, text } from './shape.js';

export const Workspace = Type.Object(
  { id: text('wsp_2'), name: text('Harbour Rooms'), createdAt: instant() },
  { title: 'Workspace' },
);
export type Workspace = Static<typeof Workspace>;

export const presentWorkspace = ({ id, name, createdAt }: WorkspaceRow): Workspace => ({
  id: formatId('workspace', id),
  name,
  createdAt: iso(createdAt),
});
