import { queryOptions } from '@tanstack/react-query';
import { ask, signRequestsWith } from './client';
import type { Answers } from './types';

export const ofInvitation = (bearer: string) =>
  queryOptions({
    queryKey: ['invitation', bearer],
    queryFn: ({ signal }) =>
      ask<Answers['getInvitation']>('GET', '/api/auth/invitation', undefined, { signal, bearer }),
    enabled: bearer !== '',
    staleTime: Infinity,
  });

export function acceptInvitation(
  bearer: string,
  password: FormDataEntryValue | null,
): Promise<Answers['acceptInvitation']> {
  // Whoever was signed in before: this request is nobody's.
  signRequestsWith({});
  return ask('POST', '/api/auth/invitation', { password }, { bearer });
}
