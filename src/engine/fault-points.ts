/**
 * The places where a crash matters. A test passes a probe and ends the process there; nobody else does, and the
 * product never reads it from its environment.
 */
export const FAULT_POINTS = [
  'claimed',
  'started',
  'before_gate',
  'after_gate',
  'after_send',
  'settled',
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];
export type Probe = (point: FaultPoint, messageId: number) => void;
