import { ApiError, isOffline } from '../../api/client';
import { faultWords } from '../../parts/fault-words';

export interface RefusalWords {
  readonly title: string;
  readonly text: string;
}

/** Why somebody was not signed in. Never which of the two was wrong. */
export function refusalWords(error: unknown): RefusalWords {
  if (isOffline(error))
    return { title: 'No connection to the server.', text: 'Nothing was sent. Try again in a moment.' };
  if (!(error instanceof ApiError)) return { title: 'The page failed.', text: String(error) };
  if (error.code === 'wrong_credentials')
    return { title: 'That email and password do not match.', text: triesWords(error.triesLeft) };
  if (error.status === 429) {
    const minutes = Math.ceil((error.retryAfterSeconds ?? 60) / 60);
    return {
      title: 'Too many wrong tries.',
      text: `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    };
  }
  return { title: 'The server did not sign you in.', text: faultWords(error) };
}

function triesWords(left: number | undefined): string {
  if (left === undefined) return 'After ten wrong tries there is a pause.';
  if (left === 0) return 'That was the last try before a pause of 15 minutes.';
  return `${left === 1 ? 'One more try' : `${left} more tries`}, then a pause of 15 minutes.`;
}
