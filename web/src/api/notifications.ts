import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, ApiError, ask, get, post, queryString, signature } from './client';
import { outdated } from './query-client';
import type { Answers, SubscriptionImport } from './types';

/** What people and programs decide moves no mail, so no news tells of it: it is asked for while somebody looks. */
const LOOKED_AT_MS = 4_000;
/** While one is told. Its cells move at most this often. */
const TELLING_MS = 500;

/** The same names in the address of the page, in the API and in `curl`. */
export interface EventFilter {
  readonly topic?: string | undefined;
  readonly type?: string | undefined;
  readonly q?: string | undefined;
}

const eventAt = (id: string) => `/api/events/${encodeURIComponent(id)}`;
const subscriptionAt = (id: string) => `/api/subscriptions/${encodeURIComponent(id)}`;

export const ofEvents = (filter: EventFilter & { readonly cursor?: string | undefined }) =>
  queryOptions({
    queryKey: ['events', 'list', filter],
    queryFn: ({ signal }) =>
      get<Answers['listEvents']>(`/api/events${queryString({ ...filter, limit: 50 })}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: LOOKED_AT_MS,
  });

export const ofEventsStanding = () =>
  queryOptions({
    queryKey: ['events', 'standing'],
    queryFn: ({ signal }) => get<Answers['getEventsStanding']>('/api/events/standing', signal),
  });

export const ofEvent = (id: string) =>
  queryOptions({
    queryKey: ['events', 'one', id],
    queryFn: ({ signal }) => get<Answers['getEvent']>(eventAt(id), signal),
    refetchInterval: ({ state: { data } }) => (data?.progress.done === false ? TELLING_MS : LOOKED_AT_MS),
  });

export const cancelEvent = (id: string) => changed(post<Answers['cancelEvent']>(`${eventAt(id)}/cancel`));
/** All of them, or those that died of one cause, as the event's `reasons` name it. */
export const retryDead = (eventId: string, reason?: string) =>
  changed(
    post<Answers['decideMessages']>('/api/messages/bulk', {
      ...{ action: 'retry', filter: { eventId, state: 'dead', reason } },
    }),
  );

export interface SubscriptionFilter {
  readonly topic?: string | undefined;
  readonly status?: string | undefined;
  readonly q?: string | undefined;
}

export const ofSubscriptions = (filter: SubscriptionFilter & { readonly cursor?: string | undefined }) =>
  queryOptions({
    queryKey: ['subscriptions', 'list', filter],
    queryFn: ({ signal }) =>
      get<Answers['listSubscriptions']>(`/api/subscriptions${queryString({ ...filter, limit: 50 })}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: LOOKED_AT_MS,
  });

export const ofSubscriptionsStanding = () =>
  queryOptions({
    queryKey: ['subscriptions', 'standing'],
    queryFn: ({ signal }) => get<Answers['getSubscriptionsStanding']>('/api/subscriptions/standing', signal),
  });

export const ofSubscription = (id: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'one', id],
    queryFn: ({ signal }) => get<Answers['getSubscription']>(subscriptionAt(id), signal),
    refetchInterval: LOOKED_AT_MS,
  });

export const ofSubscriptionHistory = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['subscriptions', 'history', id, limit],
    queryFn: ({ signal }) =>
      get<Answers['getSubscriptionHistory']>(
        `${subscriptionAt(id)}/history${queryString({ limit })}`,
        signal,
      ),
    placeholderData: keepPreviousData,
  });

export const changeSubscription = (id: string, change: object) =>
  changed(ask<Answers['updateSubscription']>('PATCH', subscriptionAt(id), change));
/** Those who have to agree themselves are left as they are. */
export const changeSubscriptions = (ids: readonly string[], status: 'active' | 'paused' | 'unsubscribed') =>
  changed(post<Answers['changeSubscriptions']>('/api/subscriptions/bulk', { ids, status }));
export const takeManageLink = (id: string) =>
  post<Answers['takeManageLink']>(`${subscriptionAt(id)}/manage-link`);

export const exportHref = (workspaceId: string, topic: string | undefined): string =>
  `/api/subscriptions/export${queryString({ topic, workspace: workspaceId })}`;

/** The answer comes when all of it is in. */
export const importSubscriptions = async (
  file: File,
  topic: string | undefined,
): Promise<SubscriptionImport> => {
  const response = await fetch(`/api/subscriptions/import${queryString({ topic })}`, {
    method: 'POST',
    headers: { ...signature(), accept: 'application/json', 'content-type': 'text/csv' },
    credentials: 'same-origin',
    body: file,
  }).catch(() => {
    throw new ApiError(0, 'offline', 'The connection was lost. Lines that are in stay in; import it again.');
  });
  return changed(answerOf<SubscriptionImport>(response));
};

/** What the pages know is old, whether or not it was done: a refusal has its reason. */
const changed = <T>(answer: Promise<T>): Promise<T> =>
  answer.finally(() => void outdated(['events'], ['subscriptions'], ['messages'], ['message']));
