import { finalState } from '../../core/lifecycle.js';
import { LINES } from '../../core/lines.js';
import { COPIED_INTO_DUE } from '../message-columns.js';
import { ANNOUNCED, LOSSES_BEFORE_ALONE, WITHDRAWN, type SettleEntry } from '../store.js';
import type { Instant } from './claim.js';
import type { SqliteHandle } from './handle.js';
import { insertRows, type Row } from './insert-rows.js';

const READ_LEASE =
  'select ids, withdrawn, claimed_at, inline, coalesce(prior_id, id) as first_lease from leases where id = ?';
const SHRINK_LEASE = 'update leases set ids = ? where id = ?';
const DELETE_LEASE = 'delete from leases where id = ?';
const INSERT_ATTEMPTS = {
  into: `insert into attempts (message_id, lease_id, channel_id, claimed_at, started_at, handed_at, finished_at, outcome,
    error_class, error_code, error, provider_message_id, worker, inline)`,
  columns: 14,
};
const UPDATE_MESSAGE = `
update messages set attempts = ?2, doubts = doubts + ?3, lease_losses = lease_losses + ?4,
  lone_losses = lone_losses + ?5, dated_at = coalesce(dated_at, ?6), error_class = coalesce(?7, error_class),
  error_code = coalesce(?8, error_code), error = coalesce(?9, error), thread_id = coalesce(?10, thread_id)
where id = ?1`;
const INSERT_DUE = `
insert into due (message_id, due_at, tried, alone, ${COPIED_INTO_DUE.join(', ')})
select id, coalesce(?2, scheduled_for), ?3, case when ?4 = ${LINES.halted} then ?4
  when lease_losses >= ${String(LOSSES_BEFORE_ALONE)} then ${LINES.alone}
  when closes_at is not null then ${LINES.own} else ${LINES.together} end, ${COPIED_INTO_DUE.join(', ')}
from messages where id = ?1`;
const IS_HALTED = `
select 1 from messages m
left join campaigns k on k.id = m.campaign_id
left join enrolments e on e.campaign_id = m.campaign_id and e.contact_id = m.contact_id
where m.id = ? and not (coalesce(k.state in ('running', 'completed'), 0) and coalesce(e.state = 'active', 0))`;
const INSERT_OUTCOMES = {
  into: `insert into outcomes (message_id, workspace_id, state, attempts, finished_at, reason, lease_id, fingerprint)`,
  columns: 8,
};
const INSERT_TALLY = `
insert into tallies (minute, workspace_id, channel_id, lane, state, fingerprint, event_id, reason, n)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_CAUSE = `
insert into dead_causes (workspace_id, fingerprint, transport, class, code, sample) values (?, ?, ?, ?, ?, ?)
on conflict (workspace_id, fingerprint) do nothing`;

const IS_ANNOUNCED = `select 1 from facts where name = '${ANNOUNCED}'`;
const INSERT_ANNOUNCEMENT = `
insert into announcements (message_id, dead_reason, error_class, error_code, error, died_at) values (?, ?, ?, ?, ?, ?)`;

/** Rows that are written together, when all results have been looked at. */
interface Ledger {
  readonly attempts: Row[];
  readonly outcomes: Row[];
}

interface Lease {
  readonly ids: Set<number>;
  readonly withdrawn: Set<number>;
  readonly claimedAt: number;
  /** Itself, or the lost one that it goes on from: what `attempts` and `outcomes` name. */
  readonly firstLease: number;
  readonly inline: number;
}

/** Inside a write transaction: the same rules as on PostgreSQL. */
export function settle(handle: SqliteHandle, entries: readonly SettleEntry[], { now }: Instant): boolean[] {
  const leases = new Map<number, Lease | undefined>();
  const tallies = new Map<string, { row: (string | number | null)[]; n: number }>();
  const ledger: Ledger = { attempts: [], outcomes: [] };
  const settled = entries.map((entry) => {
    if (!leases.has(entry.lease)) leases.set(entry.lease, readLease(handle, entry.lease));
    const lease = leases.get(entry.lease);
    if (!lease?.ids.delete(entry.id)) return false;
    const tally = settleOne(handle, entry, lease, ledger, now);
    if (tally) {
      const { workspaceId, channelId, guard, fingerprint = '', notification } = entry;
      const lane = guard?.lane ?? (notification ? 'notification' : null);
      const eventId = notification?.eventId ?? null;
      const why = notification ? reasonCounted(entry, lease.withdrawn.has(entry.id)) : null;
      const key = `${String(workspaceId)} ${String(channelId)} ${lane ?? ''} ${tally} ${fingerprint} ${String(eventId)} ${why ?? ''}`;
      const counted = tallies.get(key);
      if (counted) counted.n += 1;
      else {
        const row = [workspaceId, channelId, lane, tally, fingerprint || null, eventId, why];
        tallies.set(key, { row, n: 1 });
      }
    }
    return true;
  });
  insertRows(handle, INSERT_ATTEMPTS, ledger.attempts);
  insertRows(handle, INSERT_OUTCOMES, ledger.outcomes);
  for (const row of causesOf(entries.filter((_, n) => settled[n]))) handle.prepare(INSERT_CAUSE).run(...row);
  announce(
    handle,
    entries.filter((entry, n) => settled[n] && finalState(entry.event) === 'dead'),
    now,
  );
  for (const [id, lease] of leases) {
    if (!lease) continue;
    if (lease.ids.size === 0) handle.prepare(DELETE_LEASE).run(id);
    else handle.prepare(SHRINK_LEASE).run(JSON.stringify([...lease.ids]), id);
  }
  for (const { row, n } of tallies.values())
    handle.prepare(INSERT_TALLY).run(Math.floor(now / 60_000), ...row, n);
  return settled;
}

function readLease(handle: SqliteHandle, id: number): Lease | undefined {
  const row = handle.prepare(READ_LEASE).get(id) as
    { ids: string; withdrawn: string; claimed_at: number; inline: number; first_lease: number } | undefined;
  return (
    row && {
      ids: new Set(JSON.parse(row.ids) as number[]),
      withdrawn: new Set(JSON.parse(row.withdrawn) as number[]),
      claimedAt: row.claimed_at,
      firstLease: row.first_lease,
      inline: row.inline,
    }
  );
}

function settleOne(
  handle: SqliteHandle,
  entry: SettleEntry,
  lease: Lease,
  { attempts, outcomes }: Ledger,
  now: number,
): string | undefined {
  const { id, attempt } = entry;
  if (attempt) {
    attempts.push([
      id,
      lease.firstLease,
      entry.channelId,
      lease.claimedAt,
      attempt.startedAt,
      attempt.handedAt,
      now,
      attempt.outcome,
      attempt.errorClass ?? null,
      attempt.errorCode ?? null,
      attempt.error ?? null,
      attempt.providerMessageId ?? null,
      attempt.worker,
      lease.inline,
    ]);
  }
  if (entry.lost || attempt?.threadId || (attempt && attempt.outcome !== 'success'))
    updateMessage(handle, entry, lease);
  // Withdrawn while it was in flight: a cancellation that was answered "yes" never leaves.
  const withdrawn = finalState(entry.event) === undefined && lease.withdrawn.has(id);
  const final = withdrawn ? 'cancelled' : finalState(entry.event);
  if (final) {
    const reason = withdrawn ? WITHDRAWN : (entry.reason ?? null);
    outcomes.push([
      id,
      entry.workspaceId,
      final,
      entry.attempts,
      now,
      reason,
      lease.firstLease,
      entry.fingerprint ?? null,
    ]);
  } else {
    handle
      .prepare(INSERT_DUE)
      .run(
        id,
        entry.waitMs === undefined ? null : now + entry.waitMs,
        entry.event === 'deferred' || entry.attempts > 0 ? 1 : 0,
        entry.guard?.halted && isHalted(handle, id) ? LINES.halted : LINES.together,
      );
  }
  return final ?? attempt?.outcome;
}

/** Of a notification: why it is in that state, where an event counts that. */
export function reasonCounted(entry: SettleEntry, withdrawn: boolean): string | null {
  const final = finalState(entry.event);
  if (final === undefined) return withdrawn ? WITHDRAWN : null;
  if (final === 'dead') return entry.attempt?.errorCode ?? entry.lastError?.code ?? entry.reason ?? null;
  return final === 'sent' || final === 'held' ? null : (entry.reason ?? null);
}

/** Its campaign may run again since its gate: then it goes on at once. */
const isHalted = (handle: SqliteHandle, id: number): boolean =>
  handle.prepare(IS_HALTED).get(id) !== undefined;

/** What the dead letters among them died of, each cause once. */
function causesOf(entries: readonly SettleEntry[]): Iterable<Row> {
  const causes = new Map<string, Row>();
  for (const { workspaceId, fingerprint, transport, attempt, lastError } of entries) {
    if (fingerprint === undefined || transport === undefined) continue;
    const {
      errorClass = lastError?.class,
      errorCode = lastError?.code,
      error = lastError?.message,
    } = attempt ?? {};
    causes.set(`${String(workspaceId)} ${fingerprint}`, [
      workspaceId,
      fingerprint,
      transport,
      errorClass ?? null,
      errorCode ?? null,
      error ?? null,
    ]);
  }
  return causes.values();
}

/** While somebody passes dead letters on: in the same step in which they die. */
function announce(handle: SqliteHandle, dead: readonly SettleEntry[], now: number): void {
  if (dead.length === 0 || !handle.prepare(IS_ANNOUNCED).get()) return;
  for (const { id, reason, attempt, lastError } of dead)
    handle
      .prepare(INSERT_ANNOUNCEMENT)
      .run(
        id,
        reason ?? null,
        attempt?.errorClass ?? lastError?.class ?? null,
        attempt?.errorCode ?? lastError?.code ?? null,
        attempt?.error ?? lastError?.message ?? null,
        now,
      );
}

function updateMessage(handle: SqliteHandle, entry: SettleEntry, lease: Lease): void {
  const { attempt, lastError } = entry;
  const lost = entry.lost ? 1 : 0;
  handle
    .prepare(UPDATE_MESSAGE)
    .run(
      entry.id,
      entry.attempts,
      attempt?.outcome === 'in_doubt' ? 1 : 0,
      lost,
      entry.alone ? lost : 0,
      attempt ? lease.claimedAt : null,
      attempt?.errorClass ?? lastError?.class ?? null,
      attempt?.errorCode ?? lastError?.code ?? null,
      attempt?.error ?? lastError?.message ?? null,
      attempt?.threadId ?? null,
    );
}
