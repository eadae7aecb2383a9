import { CLAIMED_COLUMNS, toClaimedMessage } from '../claimed-row.js';
import {
  inOrder,
  type Asked,
  type Marked,
  type RelayChannel,
  type RelayMoves,
  type RelayShare,
  type RelayView,
} from '../relay-moves.js';
import type { Claim, ClaimRequest, OpenChannel } from '../store.js';
import { claimed, claimStatement, openChannelsStatement } from './claim.js';
import { CLOCK, type Prepared, type StatementContext } from './time.js';

/** Both parts of what a look tells in one answer: a channel with nothing due has still its part of the window. */
const lookStatement = ({ schema, now }: StatementContext): Prepared => ({
  name: 'pillarbox_relay_look',
  text: `
with t as materialized (select ${now} as now),
passed as materialized (
  select channel_id, count(*)::int as n from ${schema}.due cross join t
  where queued_at is not null and due_at > t.now group by channel_id),
total as materialized (select coalesce(sum(n), 0)::int as n from passed)
select total.n as total, o.id, o."workspaceId", o."accountId", o.lane, coalesce(p.n, 0) as outstanding
from total left join (
  select c.id, c.workspace_id as "workspaceId", c.account_id as "accountId", c.lane
  from ${schema}.channels c cross join t
  where c.blocked_until <= t.now and c.paused_at is null and (
    select d.message_id from ${schema}.due d where d.channel_id = c.id and d.alone = 0 and d.due_at <= t.now
    order by d.due_at, d.message_id limit 1) is not null) o on true
left join passed p on p.channel_id = o.id`,
});

/**
 * One write claims and marks: the moved time is the lease. Published before it was marked, a message could be delivered
 * before its row is queued. `queued_at` keeps the first time: that is since when it should have left.
 *
 * Its commit does not wait for the disk. A mark that a crash of the database undoes was never written: the row is due as
 * before and is passed on anew, and a copy that is with the broker already finds no mark and is dropped. Whoever claims it
 * commits behind it, and waits for both.
 */
const markStatement = ({ schema, now }: StatementContext): Prepared => ({
  name: 'pillarbox_relay_mark',
  text: `
with t as materialized (select ${now} as now, set_config('synchronous_commit', 'off', true)),
pick as materialized (
  select d.message_id, d.due_at, d.queued_at
  from unnest($1::int[], $2::int[]) as share(channel_id, n)
  join ${schema}.channels c on c.id = share.channel_id
  cross join t
  cross join lateral (
    select message_id, due_at, queued_at from ${schema}.due
    where channel_id = c.id and alone = 0 and due_at <= t.now
    order by due_at, message_id limit share.n for update skip locked) d
  where c.blocked_until <= t.now and c.paused_at is null),
marked as (
  update ${schema}.due set queued_at = coalesce(queued_at, (select now from t)), due_at = (select now from t) + $3::bigint
  where message_id = any(array(select message_id from pick)) returning message_id, channel_id, due_at)
select m.id, k.channel_id as "channelId", m.attempts, m.idempotency_key as "idempotencyKey", p.due_at as "dueAt",
  p.queued_at is not null as again, k.due_at as mark
from marked k join pick p using (message_id) join ${schema}.messages m on m.id = k.message_id
order by p.due_at, m.id`,
});

/** A condition on `queued_at` beside the id would make the planner walk its partial index; hidden from it, it doesn't. */
const isQueued = 'coalesce(d.queued_at, 0) > 0';

const unmarkStatement = ({ schema }: StatementContext): Prepared => ({
  name: 'pillarbox_relay_unmark',
  text: `
with locked as materialized (
  select d.message_id, u.due_at from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as u(id, due_at, mark)
  cross join lateral (
    select message_id from ${schema}.due d where d.message_id = u.id and ${isQueued} and d.due_at = u.mark for update) d)
update ${schema}.due d set queued_at = null, due_at = locked.due_at from locked
where d.message_id = locked.message_id returning d.message_id`,
});

/** Still queued, so that it is known to be passed on again; and as late as it is. */
const endMarksStatement = ({ schema, now }: StatementContext): Prepared => ({
  name: 'pillarbox_relay_end_marks',
  text: `
with t as materialized (select ${now} as now),
locked as materialized (
  select d.message_id from ${schema}.due d cross join t
  where d.queued_at is not null and d.due_at > t.now and d.due_at <= t.now + $1::bigint
  order by d.message_id for update of d skip locked)
update ${schema}.due set due_at = least(due_at, queued_at)
where message_id = any(array(select message_id from locked)) returning message_id`,
});

/**
 * Each id is looked up by itself: a join of two lists would cost the square of the group. What somebody else has locked
 * is passed over: whoever holds it takes it, gives it back or marks it again. With one lease for all of them.
 */
const claimByIdStatement = ({ schema, now, leaseMs }: StatementContext): Prepared => ({
  name: 'pillarbox_relay_claim',
  text: `
with t as materialized (select ${now} as now),
locked as materialized (
  select a.id as message_id, a.attempt, d.channel_id, d.queued_at, d.alone
  from unnest($1::bigint[], $2::int[]) as a(id, attempt)
  cross join lateral (
    select channel_id, queued_at, alone from ${schema}.due where message_id = a.id for update skip locked) d),
judged as materialized (
  select l.message_id, case
    when l.queued_at is null or l.alone <> 0 or m.attempts + 1 <> l.attempt then 'stale'
    when c.paused_at is not null or c.blocked_until > t.now then 'blocked' end as refusal
  from locked l join ${schema}.messages m on m.id = l.message_id join ${schema}.channels c on c.id = l.channel_id cross join t),
unqueued as (
  update ${schema}.due set due_at = least(due_at, queued_at), queued_at = null
  where message_id = any(array(select message_id from judged where refusal = 'blocked'))),
taken as (
  delete from ${schema}.due where message_id = any(array(select message_id from judged where refusal is null))
  returning message_id),
lease as (
  insert into ${schema}.leases (owner, until, claimed_at, alone, ids)
  select $3, ${CLOCK} + ${String(leaseMs)}, (select now from t), 0, array_agg(message_id order by message_id)
  from taken having count(*) > 0
  returning id, claimed_at)
select ${claimed(schema, 'false')}, lease.id, lease.claimed_at
from lease cross join ${schema}.messages m left join ${schema}.contents x on x.message_id = m.id
where m.id = any(array(select message_id from taken))`,
});

const giveBackStatement = ({ schema }: StatementContext): Prepared => ({
  name: 'pillarbox_relay_give_back',
  text: `
with locked as materialized (
  select message_id from ${schema}.due d where message_id = any($1::bigint[]) and ${isQueued} order by message_id for update)
update ${schema}.due set due_at = least(due_at, queued_at), queued_at = null
where message_id = any(array(select message_id from locked)) returning message_id`,
});

export const relayStatements = (context: StatementContext) => ({
  look: lookStatement(context),
  mark: markStatement(context),
  unmark: unmarkStatement(context),
  endMarks: endMarksStatement(context),
  claimById: claimByIdStatement(context),
  giveBack: giveBackStatement(context),
  openLate: { name: 'pillarbox_open_late', text: openChannelsStatement(context, 't.now - $1::bigint').text },
  claimLate: { name: 'pillarbox_claim_late', text: claimStatement(context, 't.now - $5::bigint').text },
});

export type RelayStatements = ReturnType<typeof relayStatements>;

/** What it needs of the store around it. */
export interface RelayAccess {
  statements(): RelayStatements;
  speed(): number;
  query<Row>(statement: Prepared, values: unknown[]): Promise<Row[]>;
  /** Rows as arrays. */
  rows(statement: Prepared, values: unknown[]): Promise<unknown[][]>;
  openChannels(statement: Prepared, values: unknown[]): Promise<readonly OpenChannel[]>;
  claim(statement: Prepared, request: ClaimRequest, ...more: unknown[]): Promise<Claim | undefined>;
}

/** Without a channel where nothing is to be passed on. */
type LookRow = { readonly total: number } & (
  RelayChannel | (Omit<RelayChannel, 'id'> & { readonly id: null })
);

export class PostgresRelay implements RelayMoves {
  constructor(private readonly access: RelayAccess) {}

  async look(): Promise<RelayView> {
    const { access } = this;
    const rows = await access.query<LookRow>(access.statements().look, []);
    const channels = rows.flatMap(({ id, workspaceId, accountId, lane, outstanding }) =>
      id === null ? [] : [{ id, workspaceId, accountId, lane, outstanding }],
    );
    return { channels, outstanding: rows[0]?.total ?? 0 };
  }

  mark(shares: readonly RelayShare[], markMs: number): Promise<readonly Marked[]> {
    const { access } = this;
    return access.query<Marked>(access.statements().mark, [
      shares.map(({ channelId }) => channelId),
      shares.map(({ limit }) => limit),
      this.#virtual(markMs),
    ]);
  }

  async endMarks(markMs: number, writtenMsAgo: number): Promise<number> {
    const left = this.#virtual(markMs - writtenMsAgo);
    return (await this.access.query(this.access.statements().endMarks, [left])).length;
  }

  async unmark(marked: readonly Marked[]): Promise<number> {
    if (marked.length === 0) return 0;
    const sorted = [...marked].sort((a, b) => a.id - b.id);
    const gone = await this.access.query(this.access.statements().unmark, [
      sorted.map(({ id }) => id),
      sorted.map(({ dueAt }) => dueAt),
      sorted.map(({ mark }) => mark),
    ]);
    return gone.length;
  }

  async claimById(owner: string, asked: readonly Asked[]): Promise<Claim | undefined> {
    const { access } = this;
    const sorted = inOrder(asked);
    const values = [sorted.map(({ id }) => id), sorted.map(({ attempt }) => attempt), owner];
    return toClaim(await access.rows(access.statements().claimById, values), false);
  }

  async giveBack(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0;
    return (await this.access.query(this.access.statements().giveBack, [ids])).length;
  }

  openLate(lateMs: number): Promise<readonly OpenChannel[]> {
    return this.access.openChannels(this.access.statements().openLate, [this.#virtual(lateMs)]);
  }

  claimLate(request: ClaimRequest, lateMs: number): Promise<Claim | undefined> {
    return this.access.claim(this.access.statements().claimLate, request, this.#virtual(lateMs));
  }

  /** Real time, as the clock of `due` counts it. */
  #virtual(ms: number): number {
    return Math.round(ms * this.access.speed());
  }
}

/** Of rows as arrays, which name their lease behind the message; undefined: there are none. */
export function toClaim(rows: readonly unknown[][], alone: boolean): Claim | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const [lease, claimedAt] = first.slice(CLAIMED_COLUMNS) as [number, number];
  const messages = rows.map(toClaimedMessage).sort((a, b) => a.id - b.id);
  return { lease, claimedAt, alone, inline: false, messages };
}
