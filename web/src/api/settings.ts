import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask, get, post, queryString } from './client';
import { outdated, queryClient } from './query-client';
import type { Answers, DeliverySettings, Role, Scope, WorkspaceProfile } from './types';

export const ofProfile = () =>
  queryOptions({
    queryKey: ['settings', 'workspace'],
    queryFn: ({ signal }) => get<Answers['getProfile']>('/api/settings/workspace', signal),
  });

export const ofDelivery = () =>
  queryOptions({
    queryKey: ['settings', 'delivery'],
    queryFn: ({ signal }) => get<Answers['getDelivery']>('/api/settings/delivery', signal),
  });

/** They come with the program. */
export const ofRetryPolicies = () =>
  queryOptions({
    queryKey: ['retry-policies'],
    queryFn: ({ signal }) => get<Answers['listRetryPolicies']>('/api/settings/retry-policies', signal),
    staleTime: Infinity,
  });

export type Changes<T> = { readonly [Name in keyof T]?: unknown };

export const saveProfile = (change: Changes<WorkspaceProfile>) => save('workspace', change);
export const saveDelivery = (change: Changes<DeliverySettings>) => save('delivery', change);

export async function save(page: string, change: object): Promise<void> {
  const saved = await ask<unknown>('PUT', `/api/settings/${page}`, change);
  queryClient.setQueryData(['settings', page], saved);
}

const LARGEST_PAGE = 200;

export const ofPeople = (cursor?: string) =>
  queryOptions({
    queryKey: ['people', cursor],
    queryFn: ({ signal }) =>
      get<Answers['listPeople']>(`/api/users${queryString({ limit: LARGEST_PAGE, cursor })}`, signal),
    placeholderData: keepPreviousData,
  });

export const addPerson = (person: { readonly email: string; readonly role: Role }) =>
  then('people', post<Answers['addPerson']>('/api/users', person));
export const invitePerson = (id: string) =>
  then('people', post<Answers['invitePerson']>(`/api/users/${encodeURIComponent(id)}/invitation`));
export const changePerson = (id: string, change: { readonly role: Role }) =>
  then('people', ask<Answers['updatePerson']>('PATCH', `/api/users/${encodeURIComponent(id)}`, change));
export const removePerson = (id: string) =>
  then('people', ask<Answers['removePerson']>('DELETE', `/api/users/${encodeURIComponent(id)}`));

export const ofKeys = (cursor?: string) =>
  queryOptions({
    queryKey: ['keys', cursor],
    queryFn: ({ signal }) =>
      get<Answers['listKeys']>(`/api/keys${queryString({ limit: LARGEST_PAGE, cursor })}`, signal),
    placeholderData: keepPreviousData,
  });

export const createKey = (key: {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}) => then('keys', post<Answers['createKey']>('/api/keys', key));
export const revokeKey = (id: string) =>
  then('keys', ask<Answers['revokeKey']>('DELETE', `/api/keys/${encodeURIComponent(id)}`));

export const ofAudit = (cursor?: string) =>
  queryOptions({
    queryKey: ['audit', cursor],
    queryFn: ({ signal }) => get<Answers['listAudit']>(`/api/audit${queryString({ cursor })}`, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const ofSessions = () =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => get<Answers['listOwnSessions']>('/api/auth/sessions', signal),
  });

export const endOwnSession = (id: string) =>
  then('sessions', ask<Answers['endOwnSession']>('DELETE', `/api/auth/sessions/${encodeURIComponent(id)}`));
export const changeOwnPassword = (passwords: { readonly current: string; readonly password: string }) =>
  then('sessions', post<Answers['changeOwnPassword']>('/api/auth/password', passwords));

/** What the page knows is old, whether or not it was done: a refusal has its reason. */
const then = <T>(name: string, answer: Promise<T>): Promise<T> => answer.finally(() => void outdated([name]));
