import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask } from './client';
import { outdated } from './query-client';
import { save, type Changes } from './settings';
import type { Answers, SendingSettings } from './types';

/** What may leave when is another question then. */
export const saveSending = (change: Changes<SendingSettings>): Promise<void> =>
  save('sending', change).finally(() => void outdated(['limits'], ['accounts'], ['messages']));

/** What these would do to what waits; nothing is saved. Of no change, what holds. */
export const ofSendingPreview = (change: Changes<SendingSettings>) =>
  queryOptions({
    // Under the name of the plans that it tells of.
    queryKey: ['limits', 'preview', change],
    queryFn: ({ signal }) =>
      ask<Answers['previewSending']>('POST', '/api/settings/sending/preview', change, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: PREVIEWED_MS,
    retry: false,
  });

/** Time passes, and what waits leaves. */
const PREVIEWED_MS = 60_000;
