import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask, get, post, queryString } from './client';
import { queryClient } from './query-client';
import type { Account, AttemptOutcome, Instant, Lane, Level, Page } from './types';

/** One sentence of the server, and what it rests on. */
export interface Verdict {
  readonly level: Level;
  readonly sentence: string;
  readonly evidence: string;
}

export interface AccountStanding extends Verdict {
  readonly id: string;
  readonly sentToday: number;
  readonly failedToday: number;
  /** Counted up to `MOST_WAITING` and one more. */
  readonly waiting: number;
  readonly lastTry: { readonly at: Instant; readonly outcome: AttemptOutcome } | null;
}

export interface AccountsStanding extends Verdict {
  readonly items: readonly AccountStanding[];
}

export const MOST_WAITING = 10_000;

export interface Activity {
  readonly message: {
    readonly id: string;
    readonly lane: Lane;
    readonly to: { readonly email: string; readonly name: string | null };
    readonly subject: string | null;
  };
  readonly inline: boolean;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant;
  readonly outcome: AttemptOutcome;
  readonly errorClass: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly workerId: string | null;
}

export interface Verification {
  readonly ok: boolean;
  readonly error: { readonly code: string; readonly message: string; readonly class: string } | null;
}

const at = (id: string) => `/api/accounts/${encodeURIComponent(id)}`;
const LARGEST_PAGE = 200;

export const ofAccounts = (cursor?: string) =>
  queryOptions({
    queryKey: ['accounts', 'list', cursor],
    queryFn: ({ signal }) =>
      get<Page<Account>>(`/api/accounts${queryString({ limit: LARGEST_PAGE, cursor })}`, signal),
    placeholderData: keepPreviousData,
  });

export const ofAccountsStanding = () =>
  queryOptions({
    queryKey: ['accounts', 'standing'],
    queryFn: ({ signal }) => get<AccountsStanding>('/api/accounts/standing', signal),
    // A rest ends by itself, and no message moves when it does.
    refetchInterval: 15_000,
  });

export const ofAccount = (id: string) =>
  queryOptions({
    queryKey: ['accounts', 'one', id],
    queryFn: ({ signal }) => get<Account>(at(id), signal),
  });

export const ofActivity = (id: string, cursor?: string) =>
  queryOptions({
    queryKey: ['accounts', 'activity', id, cursor],
    queryFn: ({ signal }) => get<Page<Activity>>(`${at(id)}/activity${queryString({ cursor })}`, signal),
    placeholderData: keepPreviousData,
  });

export const createAccount = (account: object) => changed(post<Account>('/api/accounts', account));
export const updateAccount = (id: string, change: object) => changed(ask<Account>('PATCH', at(id), change));
/** Its page still shows it: whoever leaves that page says what changed. */
export const deleteAccount = (id: string) => ask<{ id: string }>('DELETE', at(id));
/** The browser waits as long as the server does. */
export const verifyAccount = (id: string) => post<Verification>(`${at(id)}/verify`);

/** What the pages know of accounts is old, whether or not it was done: a refusal has its reason. */
const changed = <T>(answer: Promise<T>): Promise<T> => answer.finally(accountsChanged);

export const accountsChanged = (): void => void queryClient.invalidateQueries({ queryKey: ['accounts'] });
