import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, ApiError, ask, get, post, queryString, signature } from './client';
import { outdated, queryClient } from './query-client';
import type { Answers, Import } from './types';

const at = (id: string) => `/api/contacts/${encodeURIComponent(id)}`;
const importAt = (id: string) => `/api/contacts/imports/${encodeURIComponent(id)}`;

/** The same names in the address of the page, in the API and in `curl`. */
export interface ContactFilter {
  readonly q?: string | undefined;
  readonly importId?: string | undefined;
  readonly campaignId?: string | undefined;
}

export const ofContacts = (
  filter: ContactFilter & { readonly cursor?: string | undefined } = {},
  limit = 50,
) =>
  queryOptions({
    queryKey: ['contacts', 'list', filter, limit],
    queryFn: ({ signal }) =>
      get<Answers['listContacts']>(`/api/contacts${queryString({ ...filter, limit })}`, signal),
    placeholderData: keepPreviousData,
  });

/** Files come in and are finished without news of their own. */
const STANDING_MS = 5_000;

export const ofContactsStanding = () =>
  queryOptions({
    queryKey: ['contacts', 'standing'],
    queryFn: ({ signal }) => get<Answers['getContactsStanding']>('/api/contacts/standing', signal),
    refetchInterval: STANDING_MS,
  });

export const ofContact = (id: string) =>
  queryOptions({
    queryKey: ['contacts', 'one', id],
    queryFn: ({ signal }) => get<Answers['getContact']>(at(id), signal),
  });

/** `messages` first: what leaves to somebody moves it. */
export const ofCampaignsOfContact = (id: string) =>
  queryOptions({
    queryKey: ['messages', 'of-contact', id],
    queryFn: ({ signal }) => get<Answers['listCampaignsOfContact']>(`${at(id)}/campaigns?limit=50`, signal),
  });

export const ofWillingness = (email: string) =>
  queryOptions({
    queryKey: ['contacts', 'asked', email],
    queryFn: ({ signal }) =>
      get<Answers['askAboutAddress']>(`/api/suppressions/ask${queryString({ email })}`, signal),
  });

export const addContact = (contact: object) =>
  changed(post<Answers['addContacts']>('/api/contacts', contact));
export const updateContact = (id: string, change: object) =>
  changed(ask<Answers['updateContact']>('PATCH', at(id), change));
/** Its page still shows it: whoever leaves that page says what changed. */
export const deleteContact = (id: string) => ask<Answers['deleteContact']>('DELETE', at(id));
export const erasePerson = (email: string) =>
  ask<Answers['erasePerson']>('DELETE', `/api/people/${encodeURIComponent(email)}`);

export const ofImports = (cursor?: string) =>
  queryOptions({
    queryKey: ['imports', 'list', cursor],
    queryFn: ({ signal }) =>
      get<Answers['listImports']>(`/api/contacts/imports${queryString({ cursor, limit: 20 })}`, signal),
    placeholderData: keepPreviousData,
  });

/** Its cells move at most this often. */
const RUNNING_MS = 500;

export const ofImport = (id: string) =>
  queryOptions({
    queryKey: ['imports', 'one', id],
    queryFn: ({ signal }) => get<Answers['getImport']>(importAt(id), signal),
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? RUNNING_MS : false),
  });

/** `count`: how many there are by now, so that more of them are asked for. */
export const ofRejected = (
  id: string,
  filter: { readonly reason?: string | undefined; readonly cursor?: string | undefined },
  count: number,
) =>
  queryOptions({
    queryKey: ['imports', 'rejected', id, filter, count],
    queryFn: ({ signal }) =>
      get<Answers['listRejectedLines']>(
        `${importAt(id)}/rejected${queryString({ ...filter, limit: 20 })}`,
        signal,
      ),
    placeholderData: keepPreviousData,
  });

export const rejectedHref = (id: string, workspaceId: string): string =>
  `${importAt(id)}/rejected.csv${queryString({ workspace: workspaceId })}`;

type Mapping = Readonly<Record<string, string | null>>;

/** What would come of a file; null: its columns can't be so. */
export const ofLook = (id: string, mapping: Mapping | null) =>
  queryOptions({
    queryKey: ['imports', 'look', id, mapping],
    queryFn: ({ signal }) => post<Answers['lookAtImport']>(`${importAt(id)}/look`, { mapping }, { signal }),
    enabled: mapping !== null,
    placeholderData: keepPreviousData,
  });

/** `campaignId`: whoever is in the file is put into it. */
export const startImport = (id: string, mapping: Mapping, campaignId?: string) =>
  known(
    post<Answers['startImport']>(`${importAt(id)}/start`, { mapping, ...(campaignId && { campaignId }) }),
  );
export const stopImport = (id: string) => known(post<Answers['stopImport']>(`${importAt(id)}/stop`));

export interface HowToRead {
  readonly separator?: string | undefined;
  readonly encoding?: string | undefined;
  /** The import of the same file that this one stands for from then on. */
  readonly instead?: string | undefined;
}

/** Not `fetch`: that one can't tell how far it is. */
export const uploadFile = (
  file: File,
  how: HowToRead,
  onProgress: (share: number) => void,
): Promise<Import> =>
  new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/contacts/imports${queryString({ fileName: file.name, ...how })}`);
    for (const [name, value] of Object.entries({ ...signature(), 'content-type': 'text/csv' }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
    // A browser does not say why: a file that was changed since it was chosen can't be read any more.
    request.onerror = () =>
      void file
        .slice(0, 1)
        .arrayBuffer()
        .then(
          () => 'The file did not arrive; nothing of it is kept.',
          () => 'The file was changed or moved since it was chosen; choose it once more.',
        )
        .then((why) => reject(new ApiError(0, 'offline', why)));
    request.send(file);
  })
    .then((response) => answerOf<Import>(response))
    .finally(contactsChanged);

const known = async (answer: Promise<Import>): Promise<Import> => {
  const told = await answer;
  queryClient.setQueryData(['imports', 'one', told.id], told);
  contactsChanged();
  return told;
};

/** What the pages know of contacts is old, whether or not it was done: a refusal has its reason. */
const changed = <T>(answer: Promise<T>): Promise<T> => answer.finally(contactsChanged);

export const contactsChanged = (): void => void outdated(['contacts'], ['imports']);
