import type { Lane } from '../../core/message.js';
import { claimedColumns, toClaimedMessage } from '../claimed-row.js';
import type { Claim, ClaimedMessage, ClaimRequest, LostClaim, OpenChannel } from '../store.js';
import { forbidding } from '../suppressed.js';
import type { SqliteHandle } from './handle.js';

const OPEN_CHANNELS = `
select * from (
  select c.id, c.workspace_id, c.account_id, c.lane,
    exists (select 1 from due d where d.channel_id = c.id and d.alone = 0 and d.due_at <= ?2) as together,
    exists (select 1 from due d where d.channel_id = c.id and d.alone = 1 and d.due_at <= ?2) as alone
  from channels c where c.blocked_until <= ?1 and c.paused_at is null)
where together or alone`;

const IS_OPEN = 'select 1 from channels where id = ? and blocked_until <= ? and paused_at is null';
const TAKE = `
delete from due where message_id in (
  select message_id from due where channel_id = ? and alone = ? and due_at <= ? order by due_at, message_id limit ?)
returning message_id`;
const INSERT_LEASE = `
insert into leases (owner, until, claimed_at, handed_at, alone, inline, prior_id, ids, handed, withdrawn)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const SUPPRESSED = `
exists (select 1 from suppressions s where s.workspace_id = m.workspace_id and s.address = m.recipient
  and ${forbidding('m.lane', 'm.transactional')})`;

const GUARDED = 'exists (select 1 from channels c where c.id = m.channel_id and c.guarded = 1)';

// One call for all of them, rows as arrays: the driver's cost a call is most of what a claim costs.
const readStatement = (guarded: string): string => `
select ${claimedColumns({ suppressed: SUPPRESSED, guarded, array: 'json_array' })}
from json_each(?) j join messages m on m.id = j.value left join contents x on x.message_id = m.id
order by j.key`;
const READ_UNGUARDED = readStatement('0');
const READ_GUARDED = readStatement('1');
const READ_LOST = readStatement(GUARDED);

const DELETE_LOST = `
delete from leases where id in (select id from leases where until <= ? order by until limit ?) returning *`;

export interface Instant {
  /** Virtual if so configured. */
  readonly now: number;
  /** Real, and steady: leases. */
  readonly clock: number;
}

/** `before`: what must have been due when. */
export function openChannels(handle: SqliteHandle, now: number, before = now): OpenChannel[] {
  return (handle.prepare(OPEN_CHANNELS).all(now, before) as unknown as ChannelRow[]).map(toChannel);
}

export interface ChannelRow {
  readonly id: number;
  readonly workspace_id: number;
  readonly account_id: number;
  readonly lane: Lane;
  readonly together: number;
  readonly alone: number;
}

export const toChannel = (row: ChannelRow): OpenChannel => ({
  id: row.id,
  workspaceId: row.workspace_id,
  accountId: row.account_id,
  lane: row.lane,
  together: row.together === 1,
  alone: row.alone === 1,
});

/** Inside a write transaction: out of `due`, into one new lease. */
export function claim(
  handle: SqliteHandle,
  request: ClaimRequest,
  instant: Instant,
  leaseMs: number,
  before = instant.now,
): Claim | undefined {
  const isOpen = handle.prepare(IS_OPEN);
  const { now } = instant;
  const ids = request.shares.flatMap(({ channelId, limit }) =>
    isOpen.get(channelId, now) ? takeDue(handle, channelId, request.alone, before, limit) : [],
  );
  return leaseTo(handle, request, ids, instant, leaseMs);
}

/** Out of `due`, the oldest first. */
const takeDue = (
  handle: SqliteHandle,
  channelId: number,
  alone: boolean,
  before: number,
  limit: number,
): number[] =>
  (handle.prepare(TAKE).all(channelId, alone ? 1 : 0, before, limit) as { message_id: number }[]).map(
    (row) => row.message_id,
  );

/** Into one new lease; undefined: there are none. */
export function leaseTo(
  handle: SqliteHandle,
  { owner, alone }: ClaimRequest,
  ids: number[],
  { now, clock }: Instant,
  leaseMs: number,
  guarded = false,
): Claim | undefined {
  if (ids.length === 0) return undefined;
  ids.sort((a, b) => a - b);
  const inserted = handle
    .prepare(INSERT_LEASE)
    .run(owner, clock + leaseMs, now, null, alone ? 1 : 0, 0, null, JSON.stringify(ids), '[]', '[]');
  const messages = readMessages(handle, guarded ? READ_GUARDED : READ_UNGUARDED, JSON.stringify(ids));
  return { lease: Number(inserted.lastInsertRowid), claimedAt: now, alone, inline: false, messages };
}

interface LeaseRow {
  id: number;
  claimed_at: number;
  handed_at: number | null;
  alone: number;
  inline: number;
  prior_id: number | null;
  ids: string;
  handed: string;
  withdrawn: string;
}

/** Inside a write transaction: leases that ran out go on under new fences. */
export function takeOver(
  handle: SqliteHandle,
  owner: string,
  limit: number,
  { clock }: Instant,
  leaseMs: number,
): LostClaim[] {
  const lost = handle.prepare(DELETE_LOST).all(clock, limit) as unknown as LeaseRow[];
  return lost.map((row) => {
    const inserted = handle
      .prepare(INSERT_LEASE)
      .run(
        owner,
        clock + leaseMs,
        row.claimed_at,
        row.handed_at,
        row.alone,
        row.inline,
        row.prior_id ?? row.id,
        row.ids,
        row.handed,
        row.withdrawn,
      );
    const handed = new Set(JSON.parse(row.handed) as number[]);
    const withdrawn = new Set(JSON.parse(row.withdrawn) as number[]);
    const messages = readMessages(handle, READ_LOST, row.ids).map((message) => ({
      ...message,
      handed: handed.has(message.id),
      withdrawn: withdrawn.has(message.id),
    }));
    return {
      lease: Number(inserted.lastInsertRowid),
      claimedAt: row.claimed_at,
      handedAt: row.handed_at,
      alone: row.alone === 1,
      inline: row.inline === 1,
      messages,
    };
  });
}

function readMessages(handle: SqliteHandle, statement: string, ids: string): ClaimedMessage[] {
  return handle.arrays(statement, ids).map(toClaimedMessage);
}

export const renewStatement = (leaseMs: number): string =>
  `update leases set until = ?1 + ${String(leaseMs)} where id in (select value from json_each(?2)) and until > ?1`;
