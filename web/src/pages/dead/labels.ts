import type { DeadGroup } from '../../api/types';
import { transportLabel } from '../../parts/transport-label';

const CLASSES: Readonly<Record<string, string>> = {
  retryable: 'retryable, out of attempts',
  rate_limited: 'rate limited, out of attempts',
  permanent: 'permanent',
  recipient: 'recipient',
  account: 'account',
  in_doubt: 'in doubt',
};

export const classLabel = (name: string): string => CLASSES[name] ?? name;

const NAMED = 2;

/** "bookings@ · SMTP · retryable, out of attempts". */
export function originOf({ accounts, transport, class: kind }: DeadGroup): string {
  const who =
    accounts.length === 0 || accounts.length > NAMED
      ? `${String(accounts.length)} accounts`
      : accounts.join(', ');
  return [accounts.length === 0 ? '' : who, transportLabel(transport), classLabel(kind)]
    .filter((part) => part !== '')
    .join(' · ');
}

export const SINCE: readonly { readonly value: string; readonly label: string }[] = [
  { value: '1h', label: 'last hour' },
  { value: '24h', label: 'last 24 hours' },
  { value: '7d', label: 'last 7 days' },
  { value: '30d', label: 'last 30 days' },
];
