import type { GateAnswer, GateEntry, GateRefusal } from '../store.js';
import { SUPPRESSED, type Instant } from './claim.js';
import type { SqliteHandle } from './handle.js';

const READ_LEASE = 'select ids, handed, withdrawn from leases where id = ? and until > ?';
const IS_SUPPRESSED = `select ${SUPPRESSED} as suppressed from messages m where m.id = ?`;
const ANY_SUPPRESSION = 'select 1 from suppressions limit 1';
const IS_SHUT = 'select 1 from channels where id = ? and (paused_at is not null or blocked_until > ?)';
const MARK = 'update leases set handed = ?, handed_at = ?, until = ? where id = ?';

/** Inside a write transaction, which holds the only write lock: what is seen here can't change before the mark. */
export function gate(
  handle: SqliteHandle,
  entries: readonly GateEntry[],
  { now, clock }: Instant,
  leaseMs: number,
): GateAnswer[] {
  const leases = new Map<number, HeldLease | undefined>();
  const refuse = refusals(handle, now);
  const answers = entries.map((entry): GateAnswer => {
    if (!leases.has(entry.lease)) leases.set(entry.lease, readLease(handle, entry.lease, clock));
    const lease = leases.get(entry.lease);
    const refusal = lease ? (lease.refusal(entry.id) ?? refuse(entry)) : 'lost';
    if (refusal || !lease) return { passed: false, refusal: refusal ?? 'lost' };
    lease.handed.push(entry.id);
    return { passed: true, handedAt: now };
  });
  for (const [id, lease] of leases) {
    if (lease) handle.prepare(MARK).run(JSON.stringify(lease.handed), now, clock + leaseMs, id);
  }
  return answers;
}

interface HeldLease {
  readonly handed: number[];
  refusal(id: number): GateRefusal | undefined;
}

function readLease(handle: SqliteHandle, id: number, clock: number): HeldLease | undefined {
  const row = handle.prepare(READ_LEASE).get(id, clock) as
    { ids: string; handed: string; withdrawn: string } | undefined;
  if (!row) return undefined;
  const held = new Set(JSON.parse(row.ids) as number[]);
  const withdrawn = new Set(JSON.parse(row.withdrawn) as number[]);
  return {
    handed: JSON.parse(row.handed) as number[],
    refusal: (message) => (!held.has(message) ? 'lost' : withdrawn.has(message) ? 'cancelled' : undefined),
  };
}

/** The checks that do not depend on the lease, in the order in which they are told. */
function refusals(handle: SqliteHandle, now: number): (entry: GateEntry) => GateRefusal | undefined {
  const anySuppression = handle.prepare(ANY_SUPPRESSION).get() !== undefined;
  const shut = new Map<number, boolean>();
  const isShut = (channelId: number) => {
    if (!shut.has(channelId)) shut.set(channelId, handle.prepare(IS_SHUT).get(channelId, now) !== undefined);
    return shut.get(channelId) ?? false;
  };
  const isSuppressed = (id: number) =>
    anySuppression &&
    (handle.prepare(IS_SUPPRESSED).get(id) as { suppressed: number } | undefined)?.suppressed === 1;
  return (entry) => {
    if (isSuppressed(entry.id)) return 'suppressed';
    if (entry.expiresAt !== null && entry.expiresAt <= now) return 'expired';
    return isShut(entry.channelId) ? 'paused' : undefined;
  };
}
