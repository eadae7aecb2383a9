import type { HealthThresholds } from './delivery-settings.js';

/** What became of an account's mail in the days that count. */
export interface AccountRecord {
  /** What servers took, and what they refused for the recipient's sake. */
  readonly sends: number;
  readonly bounces: number;
  readonly complaints: number;
}

/**
 * Why an account should stop by itself; undefined: it may go on. Whoever sends on while so many addresses do not exist, or
 * so many people complain, is soon refused everywhere.
 */
export function unhealthy(
  { sends, bounces, complaints }: AccountRecord,
  { bouncePercent, complaintPercent, atLeast, minSends, days }: HealthThresholds,
): string | undefined {
  if (sends < minSends) return undefined;
  const over = (count: number, percent: number) => count >= atLeast && count * 100 >= percent * sends;
  const within = `of ${String(sends)} mails in ${String(days)} ${days === 1 ? 'day' : 'days'}`;
  if (over(complaints, complaintPercent))
    return `${String(complaints)} complaints ${within}; ${String(complaintPercent)} % is the most`;
  if (over(bounces, bouncePercent))
    return `${String(bounces)} bounces ${within}; ${String(bouncePercent)} % is the most`;
  return undefined;
}

/** So many sends are enough to know: with more, these would be too few to matter. */
export const sendsThatMatter = (
  { bounces, complaints }: Omit<AccountRecord, 'sends'>,
  { bouncePercent, complaintPercent, minSends }: HealthThresholds,
): number => {
  const needed = (count: number, percent: number) =>
    percent === 0 ? minSends : Math.ceil((count * 100) / percent) + 1;
  return Math.max(minSends, needed(bounces, bouncePercent), needed(complaints, complaintPercent));
};
