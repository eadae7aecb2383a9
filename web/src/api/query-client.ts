import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError, isOffline } from './client';

const TRIES = 2;

/** The stream says when something changed, so nothing is asked for only because it is old. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < TRIES && (isOffline(error) || (error instanceof ApiError && error.status >= 500)),
      retryDelay: (failure) => 500 * 2 ** failure,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/**
 * What the pages know under these keys is old, and is asked for again. A first answer that is on its way may have been
 * read before the change, and would be taken for new when it comes: it is asked for once more behind it. Not instead of
 * it, or news that come faster than answers would keep a page empty.
 */
export async function outdated(...keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(
    keys.map(async (queryKey) => {
      const early = queryClient
        .getQueryCache()
        .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
      await queryClient.invalidateQueries({ queryKey });
      await Promise.all(
        early.map((each) => queryClient.invalidateQueries({ queryKey: each.queryKey, exact: true })),
      );
    }),
  );
}
