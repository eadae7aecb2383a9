import { ApiError, isOffline } from '../../api/client';
import { faultWords } from '../../parts/fault-words';
import type { RefusalWords } from '../login/refusal-words';

/** Why a password was not set. */
export function acceptWords(error: unknown): RefusalWords {
  if (isOffline(error))
    return { title: 'No connection to the server.', text: 'Try again in a moment. If it was set, sign in.' };
  if (error instanceof ApiError && error.status === 401)
    return { title: 'This invitation is over.', text: 'Somebody has used it just now, or made a new one.' };
  return { title: 'The password was not set.', text: faultWords(error) };
}
