import { zoneNamed } from './zone.js';

/** When this day began in a time zone. A zone that nobody knows counts as UTC. */
export function startOfDay(instant: number, timeZone: string): number {
  const zone = zoneNamed(timeZone);
  return zone.startOf(zone.dayOf(instant));
}
