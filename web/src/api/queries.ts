import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get, queryString } from './client';
import type { Answers } from './types';

/**
 * One entry for each thing that can be asked, by the first word of its key. What the stream tells is matched by that
 * word (`live.ts`): `dashboard`, `dead-groups` and `inbox` follow the counts, `messages` and `message` the messages.
 */
export type Range = '1h' | '24h' | '7d';

export const ofDashboard = (range: Range = '1h') =>
  queryOptions({
    queryKey: ['dashboard', range],
    queryFn: ({ signal }) =>
      get<Answers['getDashboard']>(`/api/admin/dashboard${queryString({ range })}`, signal),
    placeholderData: keepPreviousData,
  });

/** The same names in the address of a page, in the API and in `curl`. */
export interface MessageFilter {
  readonly state?: string | undefined;
  readonly lane?: string | undefined;
  readonly accountId?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** Of an event: why they ended, as its `reasons` name it. */
  readonly reason?: string | undefined;
  /** Of a campaign: a number, and a local date of the account or two of them, `2026-11-16/2026-11-22`. */
  readonly step?: string | undefined;
  readonly day?: string | undefined;
  readonly to?: string | undefined;
  readonly q?: string | undefined;
  /** Those that died of one cause. */
  readonly fingerprint?: string | undefined;
}

export const ofMessages = (filter: MessageFilter & { readonly cursor?: string | undefined }, limit = 50) =>
  queryOptions({
    queryKey: ['messages', filter, limit],
    queryFn: ({ signal }) =>
      get<Answers['listMessages']>(`/api/messages${queryString({ ...filter, limit })}`, signal),
    placeholderData: keepPreviousData,
  });

export const ofMessage = (id: string) =>
  queryOptions({
    queryKey: ['message', id],
    queryFn: ({ signal }) => get<Answers['getMessage']>(`/api/messages/${encodeURIComponent(id)}`, signal),
  });

export const ofExplanation = (id: string) =>
  queryOptions({
    queryKey: ['message', id, 'explain'],
    queryFn: ({ signal }) =>
      get<Answers['explainMessage']>(`/api/messages/${encodeURIComponent(id)}/explain`, signal),
  });

/** Frozen when it was accepted: it never changes. */
export const ofContent = (id: string) =>
  queryOptions({
    queryKey: ['content', id],
    queryFn: ({ signal }) =>
      get<Answers['getContent']>(`/api/messages/${encodeURIComponent(id)}/content`, signal),
    staleTime: Infinity,
  });

/** What people did to one thing. Only for those who may read the audit log. */
export const ofEntriesAbout = (target: string) =>
  queryOptions({
    queryKey: ['message', target, 'audit'],
    queryFn: ({ signal }) => get<Answers['listAudit']>(`/api/audit${queryString({ target })}`, signal),
  });

export const ofAccounts = () =>
  queryOptions({
    queryKey: ['accounts'],
    queryFn: ({ signal }) =>
      get<Answers['listAccounts']>(`/api/accounts${queryString({ limit: 200 })}`, signal),
  });

export interface DeadFilter {
  readonly transport?: string | undefined;
  readonly class?: string | undefined;
  readonly since?: string | undefined;
}

export const ofDeadGroups = (filter: DeadFilter = {}) =>
  queryOptions({
    queryKey: ['dead-groups', filter],
    queryFn: ({ signal }) =>
      get<Answers['listDeadGroups']>(`/api/messages/dead-groups${queryString({ ...filter })}`, signal),
    placeholderData: keepPreviousData,
  });

/** Mail of other programs comes without news on the stream, so it is asked for while somebody looks. */
const INBOX_MS = 4_000;

export const ofInbox = (cursor?: string) =>
  queryOptions({
    queryKey: ['inbox', cursor ?? null],
    queryFn: ({ signal }) =>
      get<Answers['listCaught']>(`/api/inbox${queryString({ cursor, limit: 50 })}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: INBOX_MS,
  });

/** As it came: it never changes. */
export const ofCaught = (id: string) =>
  queryOptions({
    queryKey: ['caught', id],
    queryFn: ({ signal }) => get<Answers['getCaught']>(`/api/inbox/${encodeURIComponent(id)}`, signal),
    staleTime: Infinity,
  });

export const ofSending = () =>
  queryOptions({
    queryKey: ['settings', 'sending'],
    queryFn: ({ signal }) => get<Answers['getSending']>('/api/settings/sending', signal),
    staleTime: 60_000,
  });
