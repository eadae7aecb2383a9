/** The places where a relay's death matters. A test passes a probe and ends the process there; nobody else does. */
export const RELAY_FAULT_POINTS = [
  'marked',
  'published',
  'confirmed',
  'announcement_taken',
  'announcement_confirmed',
] as const;
export type RelayFaultPoint = (typeof RELAY_FAULT_POINTS)[number];
export type Probe = (point: RelayFaultPoint, messageId: number) => void;
