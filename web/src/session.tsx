import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext, type ReactNode } from 'react';
import { ApiError, get, signRequestsWith } from './api/client';
import { queryClient } from './api/query-client';
import type { Answers, Me, Scope } from './api/types';
import { createKeptStore } from './store';
import { setClock } from './time/clock';

const isChoice = (value: unknown): value is string | null => value === null || typeof value === 'string';
/** The workspace that this browser was in last. */
const chosen = createKeptStore<string | null>('pillarbox.workspace', null, isChoice);

const Session = createContext<Me | undefined>(undefined);

/** Who is signed in. Only below the shell. */
export function useMe(): Me {
  const me = useContext(Session);
  if (!me) throw new Error('nobody is signed in here');
  return me;
}

/** What the role forbids is absent, not grey. */
export const useMay = (scope: Scope): boolean => useMe().scopes.includes(scope);

export const SessionProvider = ({ me, children }: { readonly me: Me; readonly children: ReactNode }) => (
  <Session value={me}>{children}</Session>
);

/** Asks who this is, and lets every later request say so. */
export async function startSession(): Promise<Me> {
  const workspaceId = chosen.get() ?? undefined;
  signRequestsWith({ workspaceId });
  const me = await get<Answers['getMe']>('/api/auth/me').catch((error: unknown) => {
    // The workspace of last time is gone, or closed to this person.
    if (workspaceId === undefined || !isGone(error)) throw error;
    chosen.set(null);
    signRequestsWith({});
    return get<Answers['getMe']>('/api/auth/me');
  });
  signRequestsWith({ csrfToken: me.csrfToken, workspaceId: me.workspaceId });
  setClock(me.installation.clock.now, me.installation.clock.speed);
  return me;
}

/**
 * Those that this person may enter: whoever administers the installation, each of them, also those that he is not a
 * member of.
 */
export function useWorkspaces(): readonly { readonly id: string; readonly name: string }[] {
  const { workspaces = [], administersInstallation } = useMe();
  const { data } = useQuery({
    queryKey: ['workspaces'],
    queryFn: ({ signal }) => get<Answers['listWorkspaces']>('/api/workspaces?limit=200', signal),
    enabled: administersInstallation,
    staleTime: Infinity,
  });
  return data?.items ?? workspaces;
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const ME = ['me'];

export const ofSession = queryOptions({
  queryKey: ME,
  queryFn: startSession,
  staleTime: Infinity,
  retry: false,
});

export const useSession = () => useQuery(ofSession);

/** Forgets who was here: the next page asks anew. */
export const forgetSession = (): Promise<void> => queryClient.resetQueries({ queryKey: ME });

/** Everything on the page is of one workspace: another one is another page. */
export function enterWorkspace(id: string): void {
  chosen.set(id);
  location.assign('/');
}
