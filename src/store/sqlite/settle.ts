import { finalState } from '../../core/lifecycle.js';
import { LOSSES_BEFORE_ALONE, WITHDRAWN, type SettleEntry } from '../store.js';
import type { Instant } from './claim.js';
import type { SqliteHandle } from './handle.js';
import { insertRows, type Row } from './insert-rows.js';

const READ_LEASE =
  'select ids, withdrawn, claimed_at, inline, coalesce(prior_id, id) as fence from leases where id = ?';
const SHRINK_LEASE = 'update leases set ids = ? where id = ?';
const DELETE_LEASE = 'delete from leases where id = ?';
const INSERT_ATTEMPTS = {
  into: `insert into attempts (message_id, lease_id, channel_id, claimed_at, started_at, handed_at, finished_at, outcome,
    error_class, error_code, error, provider_message_id, worker, inline)`,
  columns: 14,
};
const MAR_MESSAGE = `
update messages set attempts = ?2, doubts = doubts + ?3, lease_losses = lease_losses + ?4,
  lone_losses = lone_losses + ?5, dated_at = coalesce(dated_at, ?6), error_class = coalesce(?7, error_class),
  error_code = coalesce(?8, error_code), error = coalesce(?9, error), thread_id = coalesce(?10, thread_id)
where id = ?1`;
const INSERT_DUE = `
insert into due (message_id, workspace_id, channel_id, due_at, expires_at, tried, alone)
select ?1, ?2, ?3, coalesce(?4, scheduled_for), ?5, ?6, lease_losses >= ${String(LOSSES_BEFORE_ALONE)} from messages where id = ?1`;
const INSERT_OUTCOMES = {
  into: `insert into outcomes (message_id, workspace_id, state, attempts, finished_at, reason, lease_id, fingerprint)`,
  columns: 8,
};
const INSERT_TALLY =
  'insert into tallies (minute, workspace_id, channel_id, state, fingerprint, n) values (?, ?, ?, ?, ?, ?)';

/** Rows that are written together, when all results have been looked at. */
interface Ledger {
  readonly attempts: Row[];
  readonly outcomes: Row[];
}

interface HeldLease {
  readonly held: Set<number>;
  readonly withdrawn: Set<number>;
  readonly claimedAt: number;
  readonly fence: number;
  readonly inline: number;
}

/** Inside a write transaction: the same rules as on PostgreSQL. */
export function settle(handle: SqliteHandle, entries: readonly SettleEntry[], { now }: Instant): boolean[] {
  const leases = new Map<number, HeldLease | undefined>();
  const tallies = new Map<string, { row: (string | number | null)[]; n: number }>();
  const ledger: Ledger = { attempts: [], outcomes: [] };
  const settled = entries.map((entry) => {
    if (!leases.has(entry.lease)) leases.set(entry.lease, readLease(handle, entry.lease));
    const lease = leases.get(entry.lease);
    if (!lease?.held.delete(entry.id)) return false;
    const tally = settleOne(handle, entry, lease, ledger, now);
    if (tally) {
      const { workspaceId, channelId, fingerprint = '' } = entry;
      const key = `${String(workspaceId)} ${String(channelId)} ${tally} ${fingerprint}`;
      const counted = tallies.get(key);
      if (counted) counted.n += 1;
      else tallies.set(key, { row: [workspaceId, channelId, tally, fingerprint || null], n: 1 });
    }
    return true;
  });
  insertRows(handle, INSERT_ATTEMPTS, ledger.attempts);
  insertRows(handle, INSERT_OUTCOMES, ledger.outcomes);
  for (const [id, lease] of leases) {
    if (!lease) continue;
    if (lease.held.size === 0) handle.prepare(DELETE_LEASE).run(id);
    else handle.prepare(SHRINK_LEASE).run(JSON.stringify([...lease.held]), id);
  }
  for (const { row, n } of tallies.values())
    handle.prepare(INSERT_TALLY).run(Math.floor(now / 60_000), ...row, n);
  return settled;
}

function readLease(handle: SqliteHandle, id: number): HeldLease | undefined {
  const row = handle.prepare(READ_LEASE).get(id) as
    { ids: string; withdrawn: string; claimed_at: number; inline: number; fence: number } | undefined;
  return (
    row && {
      held: new Set(JSON.parse(row.ids) as number[]),
      withdrawn: new Set(JSON.parse(row.withdrawn) as number[]),
      claimedAt: row.claimed_at,
      fence: row.fence,
      inline: row.inline,
    }
  );
}

function settleOne(
  handle: SqliteHandle,
  entry: SettleEntry,
  lease: HeldLease,
  { attempts, outcomes }: Ledger,
  now: number,
): string | undefined {
  const { id, attempt } = entry;
  if (attempt) {
    attempts.push([
      id,
      lease.fence,
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
    mar(handle, entry, lease);
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
      lease.fence,
      entry.fingerprint ?? null,
    ]);
  } else {
    handle
      .prepare(INSERT_DUE)
      .run(
        id,
        entry.workspaceId,
        entry.channelId,
        entry.waitMs === undefined ? null : now + entry.waitMs,
        entry.expiresAt,
        entry.event === 'deferred' || entry.attempts > 0 ? 1 : 0,
      );
  }
  return final ?? attempt?.outcome;
}

function mar(handle: SqliteHandle, entry: SettleEntry, lease: HeldLease): void {
  const { attempt } = entry;
  const lost = entry.lost ? 1 : 0;
  handle
    .prepare(MAR_MESSAGE)
    .run(
      entry.id,
      entry.attempts,
      attempt?.outcome === 'in_doubt' ? 1 : 0,
      lost,
      entry.alone ? lost : 0,
      attempt ? lease.claimedAt : null,
      attempt?.errorClass ?? null,
      attempt?.errorCode ?? null,
      attempt?.error ?? null,
      attempt?.threadId ?? null,
    );
}
