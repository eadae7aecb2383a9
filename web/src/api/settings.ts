import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask, get, post, queryString } from './client';
import { queryClient } from './query-client';
import type { Instant, Lane, Page, Role, Scope, SendingSettings } from './types';

export interface WorkspaceProfile {
  readonly name: string;
  readonly postalAddress: string | null;
  readonly defaultLocale: string;
}

export interface RetryWaits {
  readonly maxAttempts: number;
  readonly delaysSeconds: readonly number[];
}

export interface NamedPolicy extends RetryWaits {
  readonly name: string;
}

export type OnDoubt = 'hold' | 'resend' | 'assume_sent';

export interface LaneDelivery {
  readonly retryPolicy: string | RetryWaits;
  readonly onDoubt: OnDoubt;
  readonly expirySeconds: number | null;
  readonly guarded: boolean;
}

export interface DeliverySettings {
  readonly lanes: Readonly<Record<Lane, LaneDelivery>>;
  readonly health: {
    readonly bouncePercent: number;
    readonly complaintPercent: number;
    readonly atLeast: number;
    readonly minSends: number;
    readonly days: number;
  };
  readonly retentionDays: number;
}

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Instant;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly hint: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: Instant;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly details?: unknown;
}

export interface OwnSession {
  readonly id: string;
  readonly createdAt: Instant;
  readonly lastSeenAt: Instant;
  readonly current: boolean;
}

export const ofProfile = () =>
  queryOptions({
    queryKey: ['settings', 'workspace'],
    queryFn: ({ signal }) => get<WorkspaceProfile>('/api/settings/workspace', signal),
  });

export const ofDelivery = () =>
  queryOptions({
    queryKey: ['settings', 'delivery'],
    queryFn: ({ signal }) => get<DeliverySettings>('/api/settings/delivery', signal),
  });

/** They come with the program. */
export const ofRetryPolicies = () =>
  queryOptions({
    queryKey: ['retry-policies'],
    queryFn: ({ signal }) => get<Page<NamedPolicy>>('/api/settings/retry-policies', signal),
    staleTime: Infinity,
  });

type Changes<T> = { readonly [Name in keyof T]?: unknown };

export const saveProfile = (change: Changes<WorkspaceProfile>) => save('workspace', change);
export const saveDelivery = (change: Changes<DeliverySettings>) => save('delivery', change);
export const saveSending = (change: Changes<SendingSettings>) => save('sending', change);

async function save(page: string, change: object): Promise<void> {
  const saved = await ask<unknown>('PUT', `/api/settings/${page}`, change);
  queryClient.setQueryData(['settings', page], saved);
}

const LARGEST_PAGE = 200;

export const ofPeople = (cursor?: string) =>
  queryOptions({
    queryKey: ['people', cursor],
    queryFn: ({ signal }) =>
      get<Page<Member>>(`/api/users${queryString({ limit: LARGEST_PAGE, cursor })}`, signal),
    placeholderData: keepPreviousData,
  });

/** `password`: made by the server, and shown this once. `knownBefore`: goes on signing in as before. */
export type NewMember = Member & { readonly password?: string; readonly knownBefore: boolean };

export const addPerson = (person: { readonly email: string; readonly role: Role }) =>
  then('people', post<NewMember>('/api/users', person));
export const changePerson = (id: string, change: { readonly role?: Role; readonly password?: string }) =>
  then('people', ask<Member>('PATCH', `/api/users/${encodeURIComponent(id)}`, change));
export const removePerson = (id: string) =>
  then('people', ask<Member>('DELETE', `/api/users/${encodeURIComponent(id)}`));

export const ofKeys = (cursor?: string) =>
  queryOptions({
    queryKey: ['keys', cursor],
    queryFn: ({ signal }) =>
      get<Page<ApiKey>>(`/api/keys${queryString({ limit: LARGEST_PAGE, cursor })}`, signal),
    placeholderData: keepPreviousData,
  });

export const createKey = (key: { readonly name: string; readonly scopes: readonly Scope[] }) =>
  then('keys', post<ApiKey & { readonly key: string }>('/api/keys', key));
export const revokeKey = (id: string) =>
  then('keys', ask<ApiKey>('DELETE', `/api/keys/${encodeURIComponent(id)}`));

export const ofAudit = (cursor?: string) =>
  queryOptions({
    queryKey: ['audit', cursor],
    queryFn: ({ signal }) => get<Page<AuditEntry>>(`/api/audit${queryString({ cursor })}`, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const ofSessions = () =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => get<Page<OwnSession>>('/api/auth/sessions', signal),
  });

export const endOwnSession = (id: string) =>
  then('sessions', ask<{ readonly id: string }>('DELETE', `/api/auth/sessions/${encodeURIComponent(id)}`));
export const changeOwnPassword = (passwords: { readonly current: string; readonly password: string }) =>
  then('sessions', post('/api/auth/password', passwords));

/** What the page knows is old, whether or not it was done: a refusal has its reason. */
const then = <T>(name: string, answer: Promise<T>): Promise<T> =>
  answer.finally(() => void queryClient.invalidateQueries({ queryKey: [name] }));
