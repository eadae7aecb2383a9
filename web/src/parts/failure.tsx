import { ApiError, isOffline } from '../api/client';
import { Button } from './button';
import { faultWords } from './fault-words';
import { Plate } from './plate';

/** What failed, what still works, and the way on. */
export function Failure({
  error,
  what,
  onRetry,
}: {
  readonly error: unknown;
  readonly what: string;
  readonly onRetry: () => void;
}) {
  const offline = isOffline(error);
  const wait =
    error instanceof ApiError && error.retryAfterSeconds !== undefined
      ? ` Try again in ${error.retryAfterSeconds} s.`
      : '';
  return (
    <Plate
      level="act"
      sentence={offline ? 'No connection to the server.' : `The server could not show ${what}.`}
      evidence={
        offline ? 'Mail goes on leaving. This page comes back by itself.' : `${faultWords(error)}${wait}`
      }
      action={<Button onClick={onRetry}>Try again</Button>}
    />
  );
}
