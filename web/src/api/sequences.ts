import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask, get, post, queryString } from './client';
import { outdated, queryClient } from './query-client';
import type { Answers, SequenceStep } from './types';

export const sequenceAt = (id: string) => `/api/sequences/${encodeURIComponent(id)}`;

export const ofSequences = (filter: {
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
}) =>
  queryOptions({
    queryKey: ['sequences', 'list', filter],
    queryFn: ({ signal }) =>
      get<Answers['listSequences']>(`/api/sequences${queryString({ ...filter, limit: 50 })}`, signal),
    placeholderData: keepPreviousData,
  });

/** What of people's own they say. */
export const ofAttributesInUse = () =>
  queryOptions({
    queryKey: ['sequences', 'attributes'],
    queryFn: ({ signal }) => get<Answers['listAttributesInUse']>('/api/sequences/attributes', signal),
  });

export const ofSequence = (id: string) =>
  queryOptions({
    queryKey: ['sequences', 'one', id],
    queryFn: ({ signal }) => get<Answers['getSequence']>(sequenceAt(id), signal),
    // What somebody else saved comes when this is left, or when saving says so: not under the hands of who writes.
    refetchOnWindowFocus: false,
  });

export const ofVersions = (id: string) =>
  queryOptions({
    queryKey: ['sequences', 'versions', id],
    queryFn: ({ signal }) => get<Answers['listVersions']>(`${sequenceAt(id)}/versions?limit=50`, signal),
  });

export const readVersion = (id: string, version: number) =>
  get<Answers['getVersion']>(`${sequenceAt(id)}/versions/${version}`);

export const ofCheck = (steps: readonly SequenceStep[]) =>
  queryOptions({
    queryKey: ['sequence-check', steps],
    queryFn: ({ signal }) => post<Answers['checkSequence']>('/api/sequences/check', { steps }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });

export interface WhatToShow {
  readonly step: number;
  readonly contactId: string;
  readonly accountId?: string | undefined;
  readonly steps: readonly SequenceStep[];
}

export const ofStepPreview = (id: string, what: WhatToShow | undefined) =>
  queryOptions({
    queryKey: ['sequence-preview', id, what],
    queryFn: ({ signal }) => post<Answers['previewStep']>(`${sequenceAt(id)}/preview`, what, { signal }),
    enabled: what !== undefined,
    retry: false,
    gcTime: 60_000,
  });

export const createSequence = (sequence: object) =>
  changed(post<Answers['createSequence']>('/api/sequences', sequence));
export const saveSequence = async (id: string, sequence: object) => {
  const saved = await changed(ask<Answers['saveSequence']>('PUT', sequenceAt(id), sequence));
  queryClient.setQueryData(['sequences', 'one', id], saved);
  return saved;
};
/** Its page still shows it: whoever leaves that page says what changed. */
export const deleteSequence = (id: string) => ask<Answers['deleteSequence']>('DELETE', sequenceAt(id));
export const testStep = (
  id: string,
  test: WhatToShow & { readonly accountId: string; readonly to: string },
) => post<Answers['testStep']>(`${sequenceAt(id)}/test`, test);

const changed = <T>(answer: Promise<T>): Promise<T> => answer.finally(sequencesChanged);

export const sequencesChanged = (): void => void outdated(['sequences', 'list'], ['sequences', 'versions']);
