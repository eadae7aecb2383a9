import { LINES, type Line } from '../../core/lines.js';
import type { Action } from '../../core/message.js';
import type { Claim, ClaimRequest, GuardedChannel, GuardWindow } from '../store.js';
import { leaseTo, toChannel, type ChannelRow, type Instant } from './claim.js';
import type { SqliteHandle } from './handle.js';

/** Nobody stopped the account, its last send is long enough ago, and nobody has its turn. */
const FREE = `c.paused_at is null and x.cooldown_until <= ?1 and x.removed_at is null
  and g.free_at <= ?1 and (g.spacing_ms = 0 or g.holder is null)`;
/** Its day and its limited hour have something left, and so has the workspace's day. */
const HAS_LEFT = `a.used < o.quota and (o.hour = 0 or a.hour <> o.hour or a.hour_used < o.hour_quota)
  and w.used < w.quota`;
const JOINED = `
  join guards g on g.account_id = o.account_id
  join channels c on c.id = o.channel_id
  join accounts x on x.id = o.account_id
  left join account_days a on a.account_id = o.account_id and a.action = o.action and a.day = o.day
  left join workspace_days w on w.workspace_id = o.workspace_id and w.day = o.total_day`;

const hasDue = (line: Line, and = ''): string =>
  `exists (select 1 from due d where d.channel_id = c.id and d.alone = ${line} and d.due_at <= ?1 ${and})`;

const openStatement = (openings: string, together: string, alone: string): string => `
select * from (
  select c.id, c.workspace_id, c.account_id, c.lane, o.open_until <= ?1 as over,
    ${together} as together,
    ${alone} as alone
  from ${openings} o ${JOINED}
  where ${FREE} and (o.open_until <= ?1 or (o.opens_at <= ?1 and ${HAS_LEFT})))
where together or alone`;

const readStatement = (openings: string): string => `
select o.account_id, o.workspace_id, o.action, o.day, o.total_day, o.hour, g.spacing_ms,
  min(o.quota - a.used, w.quota - w.used, case when o.hour = 0 then o.quota
    else o.hour_quota - case when a.hour = o.hour then a.hour_used else 0 end end) as room
from ${openings} o ${JOINED}
where o.channel_id = ?2 and ${FREE} and o.opens_at <= ?1 and o.open_until > ?1 and ${HAS_LEFT}`;

/** One whose last reservation is left over waits until that is given back (`giveBackLeftOver`). */
const takeStatement = (and = ''): string => `
delete from due where message_id in (
  select message_id from due d where channel_id = ?1 and alone = ?2 and due_at <= ?3 ${and}
    and not exists (select 1 from reservations r where r.message_id = d.message_id)
  order by due_at, message_id limit ?4)
returning message_id`;

/** Where the openings stand, and what else a message of its line must be. */
const OF = {
  account: {
    open: openStatement('openings', hasDue(LINES.together), hasDue(LINES.alone)),
    read: readStatement('openings'),
    take: takeStatement(),
  },
  recipient: {
    open: openStatement('own_openings', hasDue(LINES.own, 'and d.closes_at > ?1'), '0'),
    read: readStatement('own_openings'),
    take: takeStatement('and closes_at > ?3'),
  },
} as const;

const RESERVE = `
insert into reservations (message_id, account_id, action, day, hour, workspace_id, total_day, reserved_at)
select value, ?2, ?3, ?4, ?5, ?6, ?7, ?8 from json_each(?1)`;
const COUNT = `
update account_days set used = used + ?1, hour_used = case when ?2 > hour then ?1 else hour_used + ?1 end,
  hour = max(hour, ?2)
where account_id = ?3 and action = ?4 and day = ?5`;
const SUM = 'update workspace_days set used = used + ? where workspace_id = ? and day = ?';
const TAKE_TURN = 'update guards set holder = ? where account_id = ?';

interface OpeningRow {
  readonly account_id: number;
  readonly workspace_id: number;
  readonly action: Action;
  readonly day: string;
  readonly total_day: string;
  readonly hour: number;
  readonly spacing_ms: number;
  readonly room: number;
}

export function openGuarded(
  handle: SqliteHandle,
  { now }: Instant,
  window: GuardWindow = 'account',
): GuardedChannel[] {
  const rows = handle.prepare(OF[window].open).all(now) as unknown as (ChannelRow & { over: number })[];
  return rows.map((row) => ({ ...toChannel(row), over: row.over === 1 }));
}

/**
 * Inside a write transaction. What is left is asked anew before each channel: the one before it may have taken the turn
 * of the account, or the last place of the workspace's day.
 */
export function claimGuarded(
  handle: SqliteHandle,
  request: ClaimRequest,
  instant: Instant,
  leaseMs: number,
  window: GuardWindow = 'account',
): Claim | undefined {
  const { read, take } = OF[window];
  const together = window === 'recipient' ? LINES.own : LINES.together;
  const line = request.alone ? LINES.alone : together;
  const ids = request.shares.flatMap(({ channelId, limit }) => {
    const opening = handle.prepare(read).get(instant.now, channelId) as OpeningRow | undefined;
    if (!opening) return [];
    const most = opening.spacing_ms > 0 ? 1 : Math.min(limit, opening.room);
    const rows = handle.prepare(take).all(channelId, line, instant.now, most);
    const taken = (rows as { message_id: number }[]).map(({ message_id: id }) => id);
    if (taken.length > 0) reserve(handle, opening, taken, instant);
    return taken;
  });
  return leaseTo(handle, request, ids, instant, leaseMs, true);
}

function reserve(handle: SqliteHandle, opening: OpeningRow, ids: readonly number[], { now }: Instant): void {
  const { account_id, workspace_id, action, day, total_day, hour } = opening;
  handle
    .prepare(RESERVE)
    .run(JSON.stringify(ids), account_id, action, day, hour, workspace_id, total_day, now);
  handle.prepare(COUNT).run(ids.length, hour, account_id, action, day);
  handle.prepare(SUM).run(ids.length, workspace_id, total_day);
  if (opening.spacing_ms > 0) handle.prepare(TAKE_TURN).run(ids[0] ?? null, account_id);
}
