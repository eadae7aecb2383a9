import { finalState } from '../../core/lifecycle.js';
import { LINES } from '../../core/lines.js';
import type { Action } from '../../core/message.js';
import type { SettleEntry } from '../store.js';
import type { Instant } from './claim.js';
import type { SqliteHandle } from './handle.js';
import { settle } from './settle.js';

const READ_RESERVATIONS = 'select * from reservations where message_id in (select value from json_each(?))';
const DROP_RESERVATIONS = 'delete from reservations where message_id in (select value from json_each(?))';
const KEEP_DOUBTED =
  'update reservations set doubted = 1 where message_id in (select value from json_each(?))';
const RETURN = `
update account_days set used = used - ?1, sent = sent + ?2, in_doubt = in_doubt + ?3,
  hour_used = hour_used - case when hour = ?4 then ?1 else 0 end
where account_id = ?5 and action = ?6 and day = ?7`;
const LESSEN = 'update workspace_days set used = used - ? where workspace_id = ? and day = ?';
const IS_LATE = `
select 1 from openings p join due d on d.channel_id = p.channel_id and d.alone in (${LINES.together}, ${LINES.own}) and d.due_at <= ?2
where p.account_id = ?1 limit 1`;
const READ_TURNS = `
select account_id, holder, spacing_ms, spacing_max_ms from guards
where account_id in (select value from json_each(?)) and holder is not null`;
const END_TURN = 'update guards set holder = null, free_at = max(free_at, ?) where account_id = ?';

const COUNT_SENT = `
insert into campaign_days (campaign_id, account_id, action, day, sent)
select m.campaign_id, r.account_id, r.action, r.day, count(*)
from json_each(?) j join messages m on m.id = j.value join reservations r on r.message_id = m.id
where m.campaign_id is not null group by m.campaign_id, r.account_id, r.action, r.day
on conflict (campaign_id, account_id, action, day) do update set sent = sent + excluded.sent`;

interface ReservationRow {
  readonly message_id: number;
  readonly account_id: number;
  readonly action: Action;
  readonly day: string;
  readonly hour: number;
  readonly workspace_id: number;
  readonly total_day: string;
}

interface TurnRow {
  readonly account_id: number;
  readonly holder: number;
  readonly spacing_ms: number;
  readonly spacing_max_ms: number;
}

/** What a place of a day came to. */
interface Use {
  readonly reservation: ReservationRow;
  back: number;
  sent: number;
  doubt: number;
}

/** Inside a write transaction: the same rules as on PostgreSQL. */
export function settleGuarded(
  handle: SqliteHandle,
  entries: readonly SettleEntry[],
  instant: Instant,
): boolean[] {
  const settled = settle(handle, entries, instant);
  const ours = new Map(entries.filter((_, n) => settled[n]).map((entry) => [entry.id, entry]));
  const reservations = handle
    .prepare(READ_RESERVATIONS)
    .all(asList(ours.keys())) as unknown as ReservationRow[];
  giveBack(handle, ours, reservations);
  endTurns(handle, ours, reservations, instant.now);
  return settled;
}

/** All of an hour in one step: a call a message costs more than what it writes. */
function giveBack(
  handle: SqliteHandle,
  entries: ReadonlyMap<number, SettleEntry>,
  reservations: readonly ReservationRow[],
): void {
  const uses = new Map<string, Use>();
  const [sent, over, doubted] = [new Set<number>(), new Set<number>(), new Set<number>()];
  for (const reservation of reservations) {
    const { message_id: id, account_id, action, day, hour, workspace_id, total_day } = reservation;
    const entry = entries.get(id) as SettleEntry;
    const final = finalState(entry.event);
    const key = [account_id, action, day, hour, workspace_id, total_day].join(' ');
    const use = uses.get(key) ?? { reservation, back: 0, sent: 0, doubt: 0 };
    uses.set(key, use);
    if (final === 'sent') use.sent += 1;
    else if (entry.attempt?.outcome === 'in_doubt') use.doubt += 1;
    else use.back += 1;
    if (final === 'sent') sent.add(id);
    (final === 'held' ? doubted : over).add(id);
  }
  if (sent.size > 0) handle.prepare(COUNT_SENT).run(asList(sent));
  if (over.size > 0) handle.prepare(DROP_RESERVATIONS).run(asList(over));
  if (doubted.size > 0) handle.prepare(KEEP_DOUBTED).run(asList(doubted));
  for (const { reservation, back, sent: left, doubt } of uses.values()) {
    const { account_id, action, day, hour, workspace_id, total_day } = reservation;
    handle.prepare(RETURN).run(back, left, doubt, hour, account_id, action, day);
    if (back > 0) handle.prepare(LESSEN).run(back, workspace_id, total_day);
  }
}

/** Of accounts whose turn one of these had. */
function endTurns(
  handle: SqliteHandle,
  entries: ReadonlyMap<number, SettleEntry>,
  reservations: readonly ReservationRow[],
  now: number,
): void {
  const accounts = new Map(reservations.map((each) => [each.message_id, each.account_id]));
  const turns = handle.prepare(READ_TURNS).all(asList(new Set(accounts.values())));
  for (const turn of turns as unknown as TurnRow[]) {
    const { account_id, holder, spacing_ms: least, spacing_max_ms: most } = turn;
    const entry = entries.get(holder);
    if (!entry || accounts.get(holder) !== account_id) continue;
    const late = handle.prepare(IS_LATE).get(account_id, now) !== undefined;
    const more = late ? Math.floor((entry.guard?.draw ?? 0) * (most - least)) : 0;
    handle.prepare(END_TURN).run(entry.attempt ? now + least + more : 0, account_id);
  }
}

const asList = (ids: Iterable<number>): string => JSON.stringify([...ids]);
