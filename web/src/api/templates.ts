import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get, post, queryString } from './client';
import { outdated } from './query-client';
import type { Answers } from './types';

const KEY = 'templates';
const templateAt = (id: string) => `/api/templates/${encodeURIComponent(id)}`;

export type TemplateDetail = Answers['getTemplate'];
export type TemplateStanding = Answers['getTemplateStanding'];
export type TemplateCheck = Answers['checkTemplate'];

/** One text while somebody writes it. */
export interface TextDraft {
  readonly locale: string;
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly mjml: string | null;
}

export const ofTemplates = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [KEY, 'list', cursor],
    queryFn: ({ signal }) =>
      get<Answers['listTemplateHeads']>(`/api/template-heads${queryString({ cursor, limit: 50 })}`, signal),
    placeholderData: keepPreviousData,
  });

export const ofTemplate = (id: string, version: string | undefined) =>
  queryOptions({
    queryKey: [KEY, 'one', id, version],
    queryFn: ({ signal }) => get<TemplateDetail>(`${templateAt(id)}${queryString({ version })}`, signal),
    // What somebody else saved comes when this is left, or when saving says so: not under the hands of who writes.
    refetchOnWindowFocus: false,
  });

export const ofTemplateStanding = (id: string, version: string | undefined) =>
  queryOptions({
    queryKey: [KEY, 'standing', id, version],
    queryFn: ({ signal }) =>
      get<TemplateStanding>(`${templateAt(id)}/standing${queryString({ version })}`, signal),
  });

export interface WhatToCheck {
  readonly id: string;
  readonly version: string;
  readonly fallbackLocale: string | null;
  readonly texts: readonly TextDraft[];
}

export const ofTemplateCheck = (what: WhatToCheck) =>
  queryOptions({
    queryKey: ['template-check', what],
    queryFn: ({ signal }) => post<TemplateCheck>('/api/templates/check', what, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });

export interface TemplateToShow {
  readonly id: string;
  readonly version: string;
  readonly locale: string;
  readonly eventId?: string | undefined;
  readonly draft: Omit<TextDraft, 'locale'>;
}

export const ofTemplatePreview = (what: TemplateToShow) =>
  queryOptions({
    queryKey: ['template-preview', what],
    queryFn: ({ signal }) => post<Answers['previewTemplate']>('/api/templates/preview', what, { signal }),
    retry: false,
    gcTime: 60_000,
  });

export const saveTemplateVersion = (
  id: string,
  version: {
    readonly version: string;
    readonly isNew?: boolean;
    readonly fallbackLocale?: string | null;
    readonly texts: readonly TextDraft[];
  },
) => changed(post<TemplateDetail>(`${templateAt(id)}/versions`, version));

export const testTemplate = (test: TemplateToShow & { readonly to: string; readonly accountId: string }) =>
  post<Answers['testTemplate']>('/api/templates/test', test);

const changed = <T>(answer: Promise<T>): Promise<T> => answer.finally(() => void outdated([KEY]));

export const ofRecipientPages = () =>
  queryOptions({
    queryKey: ['recipient-pages'],
    queryFn: ({ signal }) => get<Answers['listRecipientPages']>('/api/recipient-pages', signal),
    staleTime: Infinity,
  });
