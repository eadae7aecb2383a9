import { finalState } from '../../core/lifecycle.js';
import type { GateAnswer, GateEntry, SettleEntry } from '../store.js';
import type { Instant } from './claim.js';
import { gate, shutChannels, type LastCheck, type Refused } from './gate.js';
import { shutOpenings } from './guarded-gate.js';
import { settleGuarded } from './guarded-settle.js';
import type { SqliteHandle } from './handle.js';
import { insertRows, type Row } from './insert-rows.js';
import { reasonCounted, settle } from './settle.js';

const JUDGE = `
select (select cancelled_at from events where id = ?1) as cancelled_at,
  (select status from subscriptions where id = ?2) as status`;
const IS_CANCELLED = `select 1 from outcomes where message_id = ? and state = 'cancelled'`;
const SNAPSHOT = 'select snapshot from events where id = ?';
const INSERT_HAPPENED = {
  into: 'insert into subscription_events (subscription_id, at, kind, event_id, message_id, details)',
  columns: 6,
};
const GIVE_BACK = `
update subscriptions set notified = max(0, notified - 1)
where id = ?1 and limited_at <= (select created_at from messages where id = ?2)`;

/** Inside a write transaction: the same rules as on PostgreSQL. */
export function gateNotified(
  handle: SqliteHandle,
  entries: readonly GateEntry[],
  instant: Instant,
  leaseMs: number,
  guarded: boolean,
): GateAnswer[] {
  const { now } = instant;
  const shut: LastCheck = guarded ? shutOpenings(handle, now) : shutChannels(handle, now);
  return gate(handle, entries, instant, leaseMs, (entry) => untellable(handle, entry, now) ?? shut(entry));
}

/** Undefined: the event is to be told, and somebody wants to know now. */
function untellable(
  handle: SqliteHandle,
  { message: { eventId, subscriptionId }, closesAt }: GateEntry,
  now: number,
): Refused | undefined {
  const { cancelled_at: cancelledAt, status } = handle.prepare(JUDGE).get(eventId, subscriptionId) as {
    cancelled_at: number | null;
    status: string | null;
  };
  if (cancelledAt !== null) return { refusal: 'ended', reason: 'event_cancelled' };
  if (status !== 'active') return { refusal: 'unsubscribed', reason: status ?? 'unsubscribed' };
  return closesAt !== undefined && closesAt <= now ? { refusal: 'closed' } : undefined;
}

/** Inside a write transaction: the same rules as on PostgreSQL. */
export function settleNotified(
  handle: SqliteHandle,
  entries: readonly SettleEntry[],
  instant: Instant,
  guarded: boolean,
): boolean[] {
  const settled = (guarded ? settleGuarded : settle)(handle, entries, instant);
  const snapshots = new Map<number, string | null>();
  const happened: Row[] = [];
  for (const entry of entries.filter((_, n) => settled[n])) {
    const { id, event, notification } = entry;
    // What was withdrawn meanwhile did not go back: it ended.
    const final = finalState(event) ?? (isCancelled(handle, id) ? 'cancelled' : undefined);
    if (!notification || final === undefined || final === 'held') continue;
    const { eventId, subscriptionId } = notification;
    if (final !== 'sent') {
      handle.prepare(GIVE_BACK).run(subscriptionId, id);
      const details = JSON.stringify({
        state: final,
        reason: reasonCounted(entry, finalState(event) === undefined),
      });
      happened.push([subscriptionId, instant.now, 'not_told', eventId, id, details]);
      continue;
    }
    if (!snapshots.has(eventId)) snapshots.set(eventId, snapshotOf(handle, eventId));
    happened.push([subscriptionId, instant.now, 'notify_sent', eventId, id, snapshots.get(eventId) ?? null]);
  }
  insertRows(handle, INSERT_HAPPENED, happened);
  return settled;
}

const isCancelled = (handle: SqliteHandle, id: number): boolean =>
  handle.prepare(IS_CANCELLED).get(id) !== undefined;

const snapshotOf = (handle: SqliteHandle, eventId: number): string | null =>
  (handle.prepare(SNAPSHOT).get(eventId) as { snapshot: string | null } | undefined)?.snapshot ?? null;
