import { DropdownMenu } from 'radix-ui';
import { Check, ChevronsUpDown } from 'lucide-react';
import { Menu, MenuItem } from '../parts/menu';
import { enterWorkspace, useMe, useWorkspaces } from '../session';

/** For who belongs to several; others do not load it. */
export function WorkspaceMenu({ here, look }: { readonly here: string; readonly look: string }) {
  const { workspaceId } = useMe();
  const workspaces = useWorkspaces();
  return (
    <Menu
      trigger={
        <button type="button" className={`${look} hover:bg-hover max-xl:justify-center`}>
          <span className="flex-1 truncate text-left max-xl:sr-only">{here}</span>
          <ChevronsUpDown size={14} aria-hidden />
        </button>
      }
    >
      <DropdownMenu.Label className="px-2.5 py-1 text-note text-ink-2">Workspace</DropdownMenu.Label>
      {workspaces.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => enterWorkspace(id)}>
          <Check size={14} aria-hidden className={id === workspaceId ? '' : 'invisible'} />
          {id === workspaceId ? here : name}
        </MenuItem>
      ))}
    </Menu>
  );
}
