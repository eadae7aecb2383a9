import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get, queryString } from './client';
import type { Answers } from './types';

export type BrokerRange = '1h' | '24h';

/** Nobody tells when a worker falls silent: it is asked for while somebody looks. */
const LOOKS_AGAIN_MS = 2_000;

export const ofWorkers = (range: BrokerRange = '1h') =>
  queryOptions({
    queryKey: ['workers', range],
    queryFn: ({ signal }) => get<Answers['listWorkers']>(`/api/workers${queryString({ range })}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: LOOKS_AGAIN_MS,
  });
