import type { Lane, State } from './types';

/** All there are, in the order in which people see them: one that is missing does not compile. */
const every = <Name extends string>(names: Readonly<Record<Name, true>>) => Object.keys(names) as Name[];

export const STATES: readonly State[] = every<State>({
  scheduled: true,
  queued: true,
  sending: true,
  sent: true,
  retry_scheduled: true,
  held: true,
  dead: true,
  skipped: true,
  expired: true,
  cancelled: true,
});

export const LANES: readonly Lane[] = every<Lane>({ outbox: true, campaign: true, notification: true });
