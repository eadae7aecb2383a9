/**
 * Whether `s`, a row of `suppressions`, stands in the way of a mail of this lane: `forbids` of `core/suppression.ts`,
 * in SQL. What the claim, the gate and a look beforehand say must never differ, so they all say this.
 */
export const forbidding = (lane: string, transactional: string): string => `
  (s.lanes is null or s.lanes like '%' || ${lane} || '%')
  and not (s.reason = 'unsubscribed' and ${transactional} = 1)`;
