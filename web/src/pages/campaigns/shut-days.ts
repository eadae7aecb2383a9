import { useQuery } from '@tanstack/react-query';
import { ofSending } from '../../api/queries';
import { useAccounts } from './account-names';

export interface OpenDays {
  /** Monday is 1. */
  readonly sendingDays: readonly number[];
  /** Where it is given, the days above do not count. */
  readonly hours?: object | undefined;
}

/** Whether nothing may leave on that date: a weekday without hours, or a holiday. */
export function isShut(date: string, { sendingDays, hours }: OpenDays, holidays: readonly string[]): boolean {
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  const open = hours === undefined ? sendingDays : Object.keys(hours).map(Number);
  return !open.includes(weekday + 1) || holidays.includes(date);
}

/** Of an account, by its own days or the workspace's; false while these are not known. */
export function useShutDays(): (accountId: string, date: string) => boolean {
  const { data } = useQuery(ofSending());
  const accountOf = useAccounts();
  return (id, date) => {
    const { window, holidays } = accountOf(id);
    return data !== undefined && isShut(date, window ?? data, [...data.holidays, ...(holidays ?? [])]);
  };
}
