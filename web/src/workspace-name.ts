import { useQuery } from '@tanstack/react-query';
import { ofProfile } from './api/settings';
import { useMe, useWorkspaces } from './session';

/** What people call the workspace that they are in. Commands know it by the name that it was made with. */
export function useWorkspaceName(): string {
  const { workspaceId } = useMe();
  const workspaces = useWorkspaces();
  const { data, isPending } = useQuery({ ...ofProfile(), staleTime: Infinity });
  if (data) return data.name;
  // Not one name first and another a moment later.
  return isPending ? '' : (workspaces.find(({ id }) => id === workspaceId)?.name ?? '');
}
