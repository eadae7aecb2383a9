import type { Lane, LaneDelivery, NamedPolicy, OnDoubt, RetryWaits } from '../../api/types';

export const LANE_WORDS: Record<Lane, { readonly title: string; readonly note: string }> = {
  outbox: { title: 'Outbox', note: 'single mails: bookings, receipts, passwords' },
  campaign: { title: 'Campaigns', note: 'sequences to many people' },
  notification: { title: 'Notifications', note: 'events to their subscribers' },
};

export const DOUBT_WORDS: Record<OnDoubt, { readonly label: string; readonly effect: string }> = {
  hold: { label: 'Hold it', effect: 'A person decides. Nothing goes twice; it may arrive late.' },
  resend: { label: 'Send it again', effect: 'Nothing is lost; it may arrive twice.' },
  assume_sent: { label: 'Count it as sent', effect: 'Nothing goes twice; it may never have arrived.' },
};

const UNITS = [
  ['day', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** "30 s", "5 m", "1 h 30 m", "2 days". */
export function secondsWords(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ['s', 1];
  const whole = Math.floor(seconds / size);
  const rest = seconds % size;
  const name = unit === 'day' && whole !== 1 ? 'days' : unit;
  return rest === 0 || size === 1 ? `${whole} ${name}` : `${whole} ${name} ${secondsWords(rest)}`;
}

/** What a policy does to a mail whose server goes on refusing it. */
export function retryEffect({ maxAttempts, delaysSeconds }: RetryWaits): string {
  if (maxAttempts === 1) return 'One try. If it fails, the mail is dead.';
  const last = delaysSeconds.at(-1) ?? 0;
  const waits = Array.from({ length: maxAttempts - 1 }, (_, n) => delaysSeconds[n] ?? last);
  const all = waits.reduce((sum, wait) => sum + wait, 0);
  const named = waits.slice(0, MOST_NAMED).map(waitWords).join(', ');
  const more = waits.length > MOST_NAMED ? ' …' : '';
  return `${maxAttempts} tries, waiting ${named}${more}. Dead after ${secondsWords(all)}.`;
}

const MOST_NAMED = 8;
const waitWords = (seconds: number): string => (seconds === 0 ? 'not at all' : secondsWords(seconds));

export const waitsOf = (
  policy: LaneDelivery['retryPolicy'],
  named: readonly NamedPolicy[],
): RetryWaits | undefined =>
  typeof policy === 'string' ? named.find(({ name }) => name === policy) : policy;

const SIZES: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** "1m 5m 1h", as a person writes it. Undefined: it cannot be read. */
export function readWaits(text: string): readonly number[] | undefined {
  const waits = text
    .trim()
    .split(/[\s,]+/)
    .map((word) => {
      const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(word) ?? [];
      return count === undefined ? Number.NaN : Number(count) * (SIZES[unit ?? 's'] ?? 1);
    });
  return waits.some(Number.isNaN) ? undefined : waits;
}

export const writeWaits = (waits: readonly number[]): string =>
  waits
    .map((seconds) => {
      const [unit, size] =
        Object.entries(SIZES).findLast(([, length]) => seconds > 0 && seconds % length === 0) ??
        (['s', 1] as const);
      return `${seconds / size}${unit}`;
    })
    .join(' ');

export const expiryEffect = (seconds: number | null): string =>
  seconds === null
    ? 'It is tried as long as its retries last.'
    : `What has not left ${secondsWords(seconds)} after it was accepted is not sent any more.`;
