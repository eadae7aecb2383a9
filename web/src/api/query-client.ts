import { QueryClient } from '@tanstack/react-query';
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
