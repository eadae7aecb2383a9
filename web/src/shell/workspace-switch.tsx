import { DropdownMenu } from 'radix-ui';
import { Check, ChevronsUpDown } from 'lucide-react';
import { Menu, MenuItem } from '../parts/menu';
import { enterWorkspace, useMe, useWorkspaces } from '../session';
import { useWorkspaceName } from '../workspace-name';

export function WorkspaceSwitch() {
  const { workspaceId } = useMe();
  const workspaces = useWorkspaces();
  const here = useWorkspaceName();
  const look =
    'flex w-full items-center gap-2 rounded-control border border-line bg-surface px-2 py-1.5 text-table font-semibold';
  if (workspaces.length < 2) return <div className={`${look} max-xl:sr-only`}>{here || 'Workspace'}</div>;
  return (
    <Menu
      trigger={
        <button type="button" className={`${look} hover:bg-hover max-xl:justify-center`}>
          <span className="flex-1 truncate text-left max-xl:sr-only">{here || 'Workspace'}</span>
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
