import { canonicalAddress } from '../../core/address.js';
import type { GateAnswer, GatedMessage, GateEntry } from '../store.js';
import { forbidding } from '../suppressed.js';
import type { Instant } from './claim.js';
import type { SqliteHandle } from './handle.js';

const READ_LEASE = 'select ids, handed, withdrawn from leases where id = ? and until > ?';
const IS_SUPPRESSED = `
select 1 from suppressions s where s.workspace_id = ?1 and s.address = ?2 and ${forbidding('?3', '?4')}`;
const ANY_SUPPRESSION = 'select 1 from suppressions limit 1';
const READ_CHANNEL = 'select paused_at, blocked_until from channels where id = ?';
const MARK = 'update leases set handed = ?, handed_at = ?, until = ? where id = ?';

/** Inside a write transaction, which holds the only write lock: what is seen here can't change before the mark. */
export function gate(
  handle: SqliteHandle,
  entries: readonly GateEntry[],
  { now, clock }: Instant,
  leaseMs: number,
  shut: LastCheck = shutChannels(handle, now),
): GateAnswer[] {
  const leases = new Map<number, Lease | undefined>();
  const refuse = refusals(handle, now, shut);
  const passed: GateAnswer = { passed: true, handedAt: now };
  const answers = entries.map((entry): GateAnswer => {
    if (!leases.has(entry.lease)) leases.set(entry.lease, readLease(handle, entry.lease, clock));
    const lease = leases.get(entry.lease);
    if (!lease) return { passed: false, refusal: 'lost' };
    const { id } = entry.message;
    const refused = lease.refusal(id) ?? refuse(entry);
    if (refused) return { passed: false, ...refused };
    lease.handed.push(id);
    return passed;
  });
  for (const [id, lease] of leases) {
    if (lease) handle.prepare(MARK).run(JSON.stringify(lease.handed), now, clock + leaseMs, id);
  }
  return answers;
}

/** Whether what a message would leave by is shut; undefined: it is open. */
export type LastCheck = (entry: GateEntry) => Refused | undefined;

export type Refused = Omit<Extract<GateAnswer, { passed: false }>, 'passed'>;

interface Lease {
  readonly handed: number[];
  refusal(id: number): Refused | undefined;
}

function readLease(handle: SqliteHandle, id: number, clock: number): Lease | undefined {
  const row = handle.prepare(READ_LEASE).get(id, clock) as
    { ids: string; handed: string; withdrawn: string } | undefined;
  if (!row) return undefined;
  const leased = new Set(JSON.parse(row.ids) as number[]);
  const withdrawn = new Set(JSON.parse(row.withdrawn) as number[]);
  return {
    handed: JSON.parse(row.handed) as number[],
    refusal: (message) => {
      if (!leased.has(message)) return { refusal: 'lost' };
      return withdrawn.has(message) ? { refusal: 'cancelled' } : undefined;
    },
  };
}

/** The checks that do not depend on the lease, in the order in which they are told. */
function refusals(
  handle: SqliteHandle,
  now: number,
  shut: LastCheck,
): (entry: GateEntry) => Refused | undefined {
  const anySuppression = handle.prepare(ANY_SUPPRESSION).get() !== undefined;
  const isSuppressed = ({ workspaceId, lane, transactional }: GatedMessage, address: string) =>
    handle.prepare(IS_SUPPRESSED).get(workspaceId, address, lane, transactional ? 1 : 0) !== undefined;
  return (entry) => {
    const { message, copies } = entry;
    if (anySuppression) {
      if (isSuppressed(message, canonicalAddress(message.recipient))) return { refusal: 'suppressed' };
      if (copies?.some((copy) => isSuppressed(message, copy))) return { refusal: 'copy_suppressed' };
    }
    if (message.expiresAt !== null && message.expiresAt <= now) return { refusal: 'expired' };
    return shut(entry);
  };
}

/** Each channel is looked at once. */
export function shutChannels(handle: SqliteHandle, now: number): LastCheck {
  const channels = new Map<number, Refused | undefined>();
  return ({ message: { channelId } }) => {
    if (!channels.has(channelId)) channels.set(channelId, shutChannel(handle, channelId, now));
    return channels.get(channelId);
  };
}

/** Undefined: it is open. When a pause ends, only a person knows. */
function shutChannel(handle: SqliteHandle, id: number, now: number): Refused | undefined {
  const row = handle.prepare(READ_CHANNEL).get(id) as
    { paused_at: number | null; blocked_until: number } | undefined;
  if (row?.paused_at !== null) return { refusal: 'paused' };
  return row.blocked_until > now ? { refusal: 'paused', until: row.blocked_until } : undefined;
}
