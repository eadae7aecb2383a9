import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask, get, post, queryString } from './client';
import { outdated } from './query-client';
import type { Answers } from './types';

export interface SuppressionFilter {
  readonly q?: string | undefined;
  readonly reason?: string | undefined;
  readonly since?: string | undefined;
  readonly cursor?: string | undefined;
}

const KEY = 'suppressions';
const HOUR_MS = 3_600_000;
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 };

/** Of the whole hour, so that the same question stays the same. */
function instantOf(since: string | undefined): string | undefined {
  const days = since === undefined ? undefined : DAYS[since];
  if (days === undefined) return undefined;
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  return new Date(hour - days * 24 * HOUR_MS).toISOString();
}

export const ofSuppressions = ({ since, ...filter }: SuppressionFilter) =>
  queryOptions({
    queryKey: [KEY, 'list', { ...filter, since }],
    queryFn: ({ signal }) =>
      get<Answers['listSuppressions']>(
        `/api/suppressions${queryString({ ...filter, since: instantOf(since), order: 'newest', limit: 50 })}`,
        signal,
      ),
    placeholderData: keepPreviousData,
  });

export const ofSuppressionStanding = () =>
  queryOptions({
    queryKey: [KEY, 'standing'],
    queryFn: ({ signal }) => get<Answers['getSuppressionStanding']>('/api/suppressions/standing', signal),
  });

export const ofWillingness = (email: string) =>
  queryOptions({
    queryKey: [KEY, 'ask', email],
    queryFn: ({ signal }) =>
      get<Answers['askAboutAddress']>(`/api/suppressions/ask${queryString({ email })}`, signal),
    enabled: email !== '',
    retry: false,
    staleTime: 0,
  });

export const suppressSeveral = (emails: readonly string[], note: string) =>
  changed(
    post<Answers['suppressSeveral']>('/api/suppressions/several', {
      emails,
      ...(note !== '' && { note }),
    }),
  );

export const unsuppress = (email: string, confirmed: boolean) =>
  changed(
    ask<Answers['unsuppress']>(
      'DELETE',
      `/api/suppressions/${encodeURIComponent(email)}${queryString({ confirm: confirmed ? email : undefined })}`,
    ),
  );

const changed = <T>(answer: Promise<T>): Promise<T> => answer.finally(() => void outdated([KEY]));
