import { finalState } from '../../core/lifecycle.js';
import { LINES } from '../../core/lines.js';
import type { Action } from '../../core/message.js';
import type { SettleEntry } from '../store.js';
import type { Instant } from './claim.js';
import type { SqliteHandle } from './handle.js';
import { settle } from './settle.js';

const READ_RESERVATION = 'select * from reservations where message_id = ?';
const DROP_RESERVATION = 'delete from reservations where message_id = ?';
const KEEP_DOUBTED = 'update reservations set doubted = 1 where message_id = ?';
const RETURN = `
update account_days set used = used - ?1, sent = sent + ?2, in_doubt = in_doubt + ?3,
  hour_used = hour_used - case when hour = ?4 then ?1 else 0 end
where account_id = ?5 and action = ?6 and day = ?7`;
const LESSEN = 'update workspace_days set used = used - 1 where workspace_id = ? and day = ?';
const IS_LATE = `
select 1 from openings p join due d on d.channel_id = p.channel_id and d.alone in (${LINES.together}, ${LINES.own}) and d.due_at <= ?2
where p.account_id = ?1 limit 1`;
const READ_TURN = 'select spacing_ms, spacing_max_ms from guards where account_id = ? and holder = ?';
const END_TURN = 'update guards set holder = null, free_at = max(free_at, ?) where account_id = ?';

const COUNT_SENT = `
insert into campaign_days (campaign_id, account_id, action, day, sent)
select campaign_id, ?2, ?3, ?4, 1 from messages where id = ?1 and campaign_id is not null
on conflict (campaign_id, account_id, action, day) do update set sent = sent + 1`;

interface ReservationRow {
  readonly message_id: number;
  readonly account_id: number;
  readonly action: Action;
  readonly day: string;
  readonly hour: number;
  readonly workspace_id: number;
  readonly total_day: string;
}

/** Inside a write transaction: the same rules as on PostgreSQL. */
export function settleGuarded(
  handle: SqliteHandle,
  entries: readonly SettleEntry[],
  instant: Instant,
): boolean[] {
  const settled = settle(handle, entries, instant);
  for (const entry of entries.filter((_, n) => settled[n])) {
    const reservation = handle.prepare(READ_RESERVATION).get(entry.id) as ReservationRow | undefined;
    if (reservation) giveBack(handle, entry, reservation, instant.now);
  }
  return settled;
}

function giveBack(handle: SqliteHandle, entry: SettleEntry, reservation: ReservationRow, now: number): void {
  const { id, attempt, guard } = entry;
  const { account_id, action, day, hour, workspace_id, total_day } = reservation;
  const final = finalState(entry.event);
  const sent = final === 'sent' ? 1 : 0;
  const doubt = sent === 0 && attempt?.outcome === 'in_doubt' ? 1 : 0;
  const back = 1 - sent - doubt;
  handle.prepare(final === 'held' ? KEEP_DOUBTED : DROP_RESERVATION).run(id);
  handle.prepare(RETURN).run(back, sent, doubt, hour, account_id, action, day);
  if (sent === 1) handle.prepare(COUNT_SENT).run(id, account_id, action, day);
  if (back === 1) handle.prepare(LESSEN).run(workspace_id, total_day);
  const turn = handle.prepare(READ_TURN).get(account_id, id) as
    { spacing_ms: number; spacing_max_ms: number } | undefined;
  if (!turn) return;
  const late = handle.prepare(IS_LATE).get(account_id, now) !== undefined;
  const more = late ? Math.floor((guard?.draw ?? 0) * (turn.spacing_max_ms - turn.spacing_ms)) : 0;
  handle.prepare(END_TURN).run(attempt ? now + turn.spacing_ms + more : 0, account_id);
}
