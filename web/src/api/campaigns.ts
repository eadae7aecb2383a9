import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask, get, post, queryString } from './client';
import { outdated } from './query-client';
import type { Answers } from './types';

const at = (id: string) => `/api/campaigns/${encodeURIComponent(id)}`;
/** What people decide of a campaign moves no mail, so no news tells of it: it is asked for while somebody looks. */
const LOOKED_AT_MS = 4_000;
const LARGEST_PAGE = 200;

export interface CampaignFilter {
  readonly state?: string | undefined;
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
}

export const ofCampaigns = (filter: CampaignFilter = {}) =>
  queryOptions({
    queryKey: ['campaigns', 'list', filter],
    queryFn: ({ signal }) =>
      get<Answers['listCampaigns']>(`/api/campaigns${queryString({ ...filter, limit: 50 })}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: LOOKED_AT_MS,
  });

export const ofRoom = () =>
  queryOptions({
    queryKey: ['campaigns', 'room'],
    queryFn: ({ signal }) => get<Answers['getCampaignRoom']>('/api/campaigns/room?days=10', signal),
  });

export const ofCampaign = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'one', id],
    queryFn: ({ signal }) => get<Answers['getCampaign']>(at(id), signal),
    refetchInterval: LOOKED_AT_MS,
  });

/** The server counts it again after as long. */
const RESUMPTION_HOLDS_MS = 10 * 60_000;

/** `pausedAt`: another pause is another question. */
export const ofResumption = (id: string, pausedAt: string | null) =>
  queryOptions({
    queryKey: ['resumption', id, pausedAt],
    queryFn: ({ signal }) => get<Answers['getCampaignResumption']>(`${at(id)}/resumption`, signal),
    enabled: pausedAt !== null,
    staleTime: RESUMPTION_HOLDS_MS,
    refetchInterval: RESUMPTION_HOLDS_MS,
  });

export const ofCalendar = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'calendar', id],
    queryFn: ({ signal }) => get<Answers['getCampaignCalendar']>(`${at(id)}/calendar`, signal),
  });

export const ofRecent = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'recent', id],
    queryFn: ({ signal }) => get<Answers['listRecent']>(`${at(id)}/recent`, signal),
  });

/** How far the planning is: it goes on at the server, whoever looks. */
export const ofSchedule = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'schedule', id],
    queryFn: ({ signal }) => get<Answers['getCampaignSchedule']>(`${at(id)}/schedule`, signal),
    refetchInterval: 1_000,
  });

export interface PeopleFilter {
  readonly status?: string | undefined;
  /** The one that comes next. */
  readonly step?: string | undefined;
  readonly accountId?: string | undefined;
  /** Whom a warning of the dry run is about; stands alone. */
  readonly concern?: string | undefined;
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
}

export const ofPeople = (id: string, filter: PeopleFilter) =>
  queryOptions({
    queryKey: ['campaigns', 'people', id, filter],
    queryFn: ({ signal }) =>
      get<Answers['listCampaignPeople']>(`${at(id)}/people${queryString({ ...filter, limit: 50 })}`, signal),
    placeholderData: keepPreviousData,
  });

/** Older than this, a dry run is counted again before anybody launches by it. */
export const PLAN_HOLDS_MS = 60_000;

export const ofPlan = (id: string) =>
  queryOptions({
    queryKey: ['plan', id],
    queryFn: () => post<Answers['planCampaign']>(`${at(id)}/plan`),
    staleTime: PLAN_HOLDS_MS,
    refetchOnMount: 'always',
    refetchInterval: PLAN_HOLDS_MS,
  });

export const ofContacts = (filter: {
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
}) =>
  queryOptions({
    queryKey: ['contacts', 'choice', filter],
    queryFn: ({ signal }) => contactsOf(filter, 50, signal),
    placeholderData: keepPreviousData,
  });

const contactsOf = (
  filter: { readonly q?: string | undefined; readonly cursor?: string | undefined },
  limit: number,
  signal?: AbortSignal,
) => get<Answers['listContacts']>(`/api/contacts${queryString({ ...filter, limit })}`, signal);

export const ofSequences = () =>
  queryOptions({
    queryKey: ['sequences', 'choice'],
    queryFn: ({ signal }) =>
      get<Answers['listSequences']>(`/api/sequences${queryString({ limit: LARGEST_PAGE })}`, signal),
  });

export const ofSequenceSteps = (id: string) =>
  queryOptions({
    queryKey: ['sequences', 'steps', id],
    queryFn: ({ signal }) => get<Answers['getSequence']>(`/api/sequences/${encodeURIComponent(id)}`, signal),
  });

export const createCampaign = (campaign: object) =>
  changed(post<Answers['createCampaign']>('/api/campaigns', campaign));
export const changeCampaign = (id: string, change: object) =>
  changed(ask<Answers['changeCampaign']>('PATCH', at(id), change));
export const launchCampaign = (id: string) =>
  changed(post<Answers['launchCampaign'] | Answers['getCampaignSchedule']>(`${at(id)}/launch`));
/** Plans for whoever has come since. */
export const scheduleCampaign = (id: string) =>
  changed(post<Answers['scheduleCampaign'] | Answers['getCampaignSchedule']>(`${at(id)}/schedule`));
/** As it is, or as it would be if it were changed like this first. */
export const simulateCampaign = (id: string, change?: object) =>
  post<Answers['simulateCampaign']>(`${at(id)}/simulate`, change ? { change } : {});
export const pauseCampaign = (id: string, reason: string) =>
  changed(post<Answers['pauseCampaign']>(`${at(id)}/pause`, reason === '' ? {} : { reason }));
export const resumeCampaign = (id: string) => changed(post<Answers['resumeCampaign']>(`${at(id)}/resume`));
export const stopCampaign = (id: string) => changed(post<Answers['stopCampaign']>(`${at(id)}/stop`));
export const enrol = (id: string, contactIds: readonly string[]) =>
  changed(post<Answers['enrolProspects']>(`${at(id)}/prospects`, { contactIds }));
export const takeOut = (id: string, contactIds: readonly string[]) =>
  changed(ask<Answers['removeProspects']>('DELETE', `${at(id)}/prospects`, { contactIds }));
export const setPerson = (id: string, contactId: string, status: 'active' | 'paused') =>
  changed(
    ask<Answers['changeProspect']>('PATCH', `${at(id)}/prospects/${encodeURIComponent(contactId)}`, {
      status,
    }),
  );

/** Whom a warning is about, however many they are. */
export async function leaveOut(id: string, concern: string): Promise<number> {
  let removed = 0;
  try {
    for (let more = true; more;) {
      const report = await post<Answers['leaveProspectsOut']>(`${at(id)}/leave-out`, { concern });
      removed += report.removed;
      more = report.more && report.removed > 0;
    }
  } finally {
    campaignsChanged();
  }
  return removed;
}

/** Everybody whom a search finds, page by page. */
export async function enrolAll(
  id: string,
  q: string | undefined,
  onProgress: (enrolled: number, looked: number) => void,
): Promise<{ readonly enrolled: number; readonly skipped: number }> {
  let [enrolled, skipped] = [0, 0];
  for (let cursor: string | undefined, more = true; more;) {
    const page: Answers['listContacts'] = await contactsOf({ q, cursor }, LARGEST_PAGE);
    const ids = page.items.map((contact) => contact.id);
    if (ids.length > 0) {
      const report = await post<Answers['enrolProspects']>(`${at(id)}/prospects`, { contactIds: ids });
      enrolled += report.enrolled;
      skipped += report.skipped;
      onProgress(enrolled, enrolled + skipped);
    }
    cursor = page.nextCursor ?? undefined;
    more = cursor !== undefined;
  }
  campaignsChanged();
  return { enrolled, skipped };
}

/** What the pages know of campaigns is old, whether or not it was done: a refusal has its reason. */
const changed = <T>(answer: Promise<T>): Promise<T> => answer.finally(campaignsChanged);

const campaignsChanged = (): void => void outdated(['campaigns'], ['plan'], ['messages'], ['limits']);
