const HOUR_MS = 3_600_000;
const IDLE_MS = 12 * HOUR_MS;
export const LONGEST_SESSION_MS = 14 * 24 * HOUR_MS;

/** Whether a session has ended by itself: for want of use, or because it is old. */
export const isOver = (
  { createdAt, seenAt }: { readonly createdAt: number; readonly seenAt: number },
  now: number,
): boolean => now - seenAt > IDLE_MS || now - createdAt > LONGEST_SESSION_MS;
