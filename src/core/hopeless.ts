import type { Suppression } from './suppression.js';
import { timeWords, type Clock } from './time-words.js';

/** Why another round of tries would come to nothing, whatever the server says by now. */
export type Hopeless =
  | { readonly why: 'suppressed'; readonly suppression: Suppression }
  | { readonly why: 'expired'; readonly at: number };

export function hopelessIf(
  { expiresAt, suppression }: { expiresAt: number | null; suppression: Suppression | undefined },
  now: number,
): Hopeless | undefined {
  if (suppression) return { why: 'suppressed', suppression };
  return expiresAt !== null && expiresAt <= now ? { why: 'expired', at: expiresAt } : undefined;
}

/** With what would help. */
export function hopelessWords(hopeless: Hopeless, clock: Clock): string {
  if (hopeless.why === 'expired') {
    return `its time ran out at ${timeWords(hopeless.at, clock)}, so it would only expire: send it anew, or dismiss it`;
  }
  const { address, reason } = hopeless.suppression;
  return `${address} is on the suppression list (${reason}), so it would only be skipped: take the address off the list first, or dismiss the message`;
}
