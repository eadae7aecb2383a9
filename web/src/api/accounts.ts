import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask, get, post, queryString } from './client';
import { outdated } from './query-client';
import type { AccountAction, Answers } from './types';

/** `waiting` of an account is counted so far, and one more. */
export const MOST_WAITING = 10_000;

const at = (id: string) => `/api/accounts/${encodeURIComponent(id)}`;
const LARGEST_PAGE = 200;

export const ofAccounts = (cursor?: string) =>
  queryOptions({
    queryKey: ['accounts', 'list', cursor],
    queryFn: ({ signal }) =>
      get<Answers['listAccounts']>(`/api/accounts${queryString({ limit: LARGEST_PAGE, cursor })}`, signal),
    placeholderData: keepPreviousData,
  });

export const ofAccountsStanding = () =>
  queryOptions({
    queryKey: ['accounts', 'standing'],
    queryFn: ({ signal }) => get<Answers['getAccountsStanding']>('/api/accounts/standing', signal),
    // A rest ends by itself, and no message moves when it does.
    refetchInterval: 15_000,
  });

export const ofAccount = (id: string) =>
  queryOptions({
    queryKey: ['accounts', 'one', id],
    queryFn: ({ signal }) => get<Answers['getAccount']>(at(id), signal),
  });

export const ofPace = (id: string, action: AccountAction) =>
  queryOptions({
    queryKey: ['accounts', 'pace', id, action],
    queryFn: ({ signal }) => get<Answers['getPace']>(`${at(id)}/pace${queryString({ action })}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });

export const ofActivity = (id: string, cursor?: string) =>
  queryOptions({
    queryKey: ['accounts', 'activity', id, cursor],
    queryFn: ({ signal }) =>
      get<Answers['listActivity']>(`${at(id)}/activity${queryString({ cursor })}`, signal),
    placeholderData: keepPreviousData,
  });

export const createAccount = (account: object) =>
  changed(post<Answers['createAccount']>('/api/accounts', account));
export const updateAccount = (id: string, change: object) =>
  changed(ask<Answers['updateAccount']>('PATCH', at(id), change));
/** Its page still shows it: whoever leaves that page says what changed. */
export const deleteAccount = (id: string) => ask<Answers['deleteAccount']>('DELETE', at(id));
/** The browser waits as long as the server does. */
export const verifyAccount = (id: string) => post<Answers['verifyAccount']>(`${at(id)}/verify`);

/** What the pages know of accounts is old, whether or not it was done: a refusal has its reason. */
const changed = <T>(answer: Promise<T>): Promise<T> => answer.finally(accountsChanged);

export const accountsChanged = (): void => void outdated(['accounts']);
