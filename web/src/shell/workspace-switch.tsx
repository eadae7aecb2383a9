import { lazy, Suspense } from 'react';
import { useWorkspaces } from '../session';
import { useWorkspaceName } from '../workspace-name';

const WorkspaceMenu = lazy(async () => ({ default: (await import('./workspace-menu')).WorkspaceMenu }));

const LOOK =
  'flex w-full items-center gap-2 rounded-control border border-line bg-surface px-2 py-1.5 text-table font-semibold';

export function WorkspaceSwitch() {
  const several = useWorkspaces().length > 1;
  const here = useWorkspaceName() || 'Workspace';
  const plain = <div className={`${LOOK} max-xl:sr-only`}>{here}</div>;
  if (!several) return plain;
  return (
    <Suspense fallback={plain}>
      <WorkspaceMenu here={here} look={LOOK} />
    </Suspense>
  );
}
