/** How people are dealt to accounts: in turn, or each account as many as its day holds. */
export const DEALS = ['roundRobin', 'capacity'] as const;
export type Deal = (typeof DEALS)[number];

/** A round of turns is no longer than this. */
const LONGEST_ROUND = 1_000;

/**
 * The order in which accounts take turns. The account of a position follows from the position alone, so that nothing has to
 * be kept: whoever plans on after a crash deals as the one before.
 */
export function turnsOf(weights: readonly number[], deal: Deal): readonly number[] {
  const each = weights.map((_, account) => account);
  if (deal === 'roundRobin') return each;
  const most = Math.max(...weights, 0);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (most === 0) return each;
  const scale = Math.min(1, LONGEST_ROUND / sum);
  const shares = weights.map((weight) => (weight === 0 ? 0 : Math.max(1, Math.round(weight * scale))));
  const round = shares.reduce((total, share) => total + share, 0);
  // Whoever is furthest behind its share comes next: the turns of each are spread evenly.
  const behind = shares.map(() => 0);
  return Array.from({ length: round }, () => {
    shares.forEach((share, account) => (behind[account] = (behind[account] as number) + share));
    const next = behind.indexOf(Math.max(...behind));
    behind[next] = (behind[next] as number) - round;
    return next;
  });
}
