import type { Suppression } from './suppression.js';
import { timeWords, type Clock } from './time-words.js';

/** Why another round of tries would come to nothing, whatever the server says by now. */
export type Hopeless =
  | { readonly why: 'suppressed'; readonly suppression: Suppression }
  | { readonly why: 'expired'; readonly at: number }
  /** Its campaign, or its person in it, has come to an end that nobody takes back. */
  | { readonly why: 'ended'; readonly ending: string };

export function hopelessIf(
  {
    expiresAt,
    suppression,
    ending,
  }: {
    expiresAt: number | null;
    suppression: Suppression | undefined;
    /** Of a campaign's message. */
    ending?: string | undefined;
  },
  now: number,
): Hopeless | undefined {
  if (suppression) return { why: 'suppressed', suppression };
  if (ending !== undefined) return { why: 'ended', ending };
  return expiresAt !== null && expiresAt <= now ? { why: 'expired', at: expiresAt } : undefined;
}

/** With what would help. */
export function hopelessWords(hopeless: Hopeless, clock: Clock): string {
  if (hopeless.why === 'expired') {
    return `its time ran out at ${timeWords(hopeless.at, clock)}, so it would only expire: send it anew, or dismiss it`;
  }
  if (hopeless.why === 'ended') {
    return `its recipient's way through the campaign has ended (${hopeless.ending}), so it would only be cancelled: write to the person by other means, or dismiss the message`;
  }
  const { address, reason } = hopeless.suppression;
  return `${address} is on the suppression list (${reason}), so it would only be skipped: take the address off the list first, or dismiss the message`;
}
