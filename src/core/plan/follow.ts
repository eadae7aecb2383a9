import type { Calendar } from '../calendar.js';
import type { State } from '../lifecycle.js';
import type { Action } from '../message.js';
import type { DelayUnit } from '../sequence.js';

/** A step that waits for the one before it, when its own time comes near. */
export interface Follower {
  readonly step: number;
  readonly action: Action;
  /** When it was planned for. */
  readonly plannedAt: number;
  readonly delayDays: number;
  readonly delayUnit: DelayUnit;
  /** The recipient's window, where that holds instead of the account's. */
  readonly window: Calendar | null;
  readonly closesAt: number | null;
}

/** An earlier step of the same person. */
export interface Prior {
  readonly step: number;
  readonly action: Action;
  readonly state: State;
  /** When it was, or is, due. */
  readonly dueAt: number;
  readonly finishedAt: number | null;
}

export interface Acceptance {
  /** When the person accepted a connection request; null: not yet. */
  readonly acceptedAt: number | null;
  readonly waitMs: number;
}

export type Decision =
  /** It may leave from then on. */
  | { readonly to: 'due'; readonly at: number; readonly closesAt: number | null }
  /** It waits on, and is looked at again then. */
  | { readonly to: 'later' | 'awaiting_acceptance'; readonly at: number }
  | { readonly to: 'cancelled'; readonly reason: string };

/** Further ahead than followers are looked for: or it would be found again at once. */
const LOOK_AGAIN_MS = 120_000;
const HELD_MS = 3_600_000;
const HOUR_MS = 3_600_000;

const WAITING: readonly State[] = ['scheduled', 'retry_scheduled', 'queued'];
/** Nothing follows them in their own channel. */
export const BAD_ENDS: readonly State[] = ['dead', 'skipped', 'cancelled', 'expired'];

export const NOT_ACCEPTED = 'not_accepted';

const sameChannel = (one: Action, other: Action): boolean => (one === 'email') === (other === 'email');

/**
 * What becomes of a follower. `priors` are all earlier steps of its person, in their order. It never leaves before the one
 * before it has left: later of its plan and its delay after the real send. What ended badly ends the rest of its own
 * channel; the other goes on, and counts from when the ended step was due.
 */
export function decide(
  follower: Follower,
  priors: readonly Prior[],
  calendar: Calendar,
  acceptance: Acceptance,
  now: number,
): Decision {
  const own = priors.filter(({ action }) => sameChannel(action, follower.action)).at(-1);
  if (own && BAD_ENDS.includes(own.state)) return { to: 'cancelled', reason: endedBy(own.state) };
  const before = priors.at(-1);
  if (!before) return { to: 'cancelled', reason: 'predecessor_missing' };
  const open = [own, before].find(
    (prior) => prior && !BAD_ENDS.includes(prior.state) && prior.state !== 'sent',
  );
  if (open) return { to: 'later', at: waitFor(open, follower, calendar, now) };
  const request = priors.find(({ action }) => action === 'connection_request');
  if (follower.action === 'message' && request?.state === 'sent' && acceptance.acceptedAt === null) {
    const until = (request.finishedAt ?? now) + acceptance.waitMs;
    return until <= now
      ? { to: 'cancelled', reason: NOT_ACCEPTED }
      : { to: 'awaiting_acceptance', at: until };
  }
  const base = before.state === 'sent' ? (before.finishedAt ?? before.dueAt) : before.dueAt;
  return inWindow(Math.max(follower.plannedAt, afterDelay(base, follower, calendar)), follower);
}

export const endedBy = (state: State): string => `predecessor_${state}`;

/** The first instant so long after another, by the account's calendar. */
export function afterDelay(
  instant: number,
  { delayDays, delayUnit }: Pick<Follower, 'delayDays' | 'delayUnit'>,
  calendar: Calendar,
): number {
  const { zone } = calendar;
  if (delayUnit === 'hours') return instant + delayDays * HOUR_MS;
  let day = zone.dayOf(instant);
  if (delayUnit === 'days') return zone.startOf(day + delayDays);
  for (let left = delayDays; left > 0; left -= 1) {
    const next = calendar.interval(zone.startOf(day + 1));
    if (!next) break;
    ({ day } = next);
  }
  return zone.startOf(day);
}

function waitFor(open: Prior, follower: Follower, calendar: Calendar, now: number): number {
  if (open.state === 'held') return now + HELD_MS;
  const soon = now + LOOK_AGAIN_MS;
  return WAITING.includes(open.state)
    ? Math.max(soon, afterDelay(Math.max(open.dueAt, now), follower, calendar))
    : soon;
}

/** Where the recipient's window holds, it may have to wait for the next one. */
function inWindow(at: number, { plannedAt, window, closesAt }: Follower): Decision {
  if (!window || at === plannedAt) return { to: 'due', at, closesAt };
  const interval = window.interval(at);
  if (!interval) return { to: 'due', at, closesAt };
  return { to: 'due', at: Math.max(at, interval.opensAt), closesAt: interval.closesAt };
}
