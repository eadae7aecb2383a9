import { queryOptions } from '@tanstack/react-query';
import { get, post } from './client';
import { serviceNow } from '../time/clock';
import { outdated } from './query-client';
import type { Answers } from './types';

/** Plans move without news of their own, so this is asked again while somebody looks. */
const CHECKED_MS = 60_000;

export const ofLimits = () =>
  queryOptions({
    queryKey: ['limits', 'check'],
    queryFn: async ({ signal }) => ({
      check: await get<Answers['checkLimits']>('/api/limits/check', signal),
      at: serviceNow(),
    }),
    refetchInterval: CHECKED_MS,
  });

export const ofNearness = () =>
  queryOptions({
    queryKey: ['limits', 'near'],
    queryFn: ({ signal }) => get<Answers['getNearness']>('/api/limits/near', signal),
    refetchInterval: CHECKED_MS,
  });

/** Of these violations. What the pages know of plans is old, whether or not it was done. */
export const fixLimits = (ids: readonly string[]) =>
  post<Answers['fixLimits']>('/api/limits/fix', { ids }).finally(
    () => void outdated(['limits'], ['accounts'], ['messages']),
  );
