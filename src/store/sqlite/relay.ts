import type { Lane } from '../../core/message.js';
import {
  inOrder,
  type Asked,
  type Marked,
  type RelayMoves,
  type RelayShare,
  type RelayView,
} from '../relay-moves.js';
import type { Claim, ClaimRequest, OpenChannel } from '../store.js';
import { claim, leaseTo, openChannels, type Instant } from './claim.js';
import type { SqliteHandle } from './handle.js';

const OUTSTANDING = `
select channel_id, count(*) as n from due where queued_at is not null and due_at > ? group by channel_id`;
const PASSABLE = `
select id, workspace_id, account_id, lane from channels c
where blocked_until <= ?1 and paused_at is null
  and exists (select 1 from due d where d.channel_id = c.id and d.alone = 0 and d.due_at <= ?1)`;
const IS_OPEN = 'select 1 from channels where id = ? and blocked_until <= ? and paused_at is null';
const PICK = `
select d.message_id as id, d.due_at, d.queued_at, m.attempts, m.idempotency_key
from due d join messages m on m.id = d.message_id
where d.channel_id = ? and d.alone = 0 and d.due_at <= ? order by d.due_at, d.message_id limit ?`;
const MARK = 'update due set queued_at = coalesce(queued_at, ?), due_at = ? where message_id = ?';
const END_MARKS = `
update due set due_at = min(due_at, queued_at) where queued_at is not null and due_at > ?1 and due_at <= ?1 + ?2`;
const UNMARK = `
update due set queued_at = null, due_at = ? where message_id = ? and queued_at is not null and due_at = ?`;
const QUEUED = `
select d.channel_id, d.queued_at, d.alone, m.attempts, c.paused_at, c.blocked_until
from due d join messages m on m.id = d.message_id join channels c on c.id = d.channel_id where d.message_id = ?`;
const TAKE = 'delete from due where message_id = ?';
const GIVE_BACK = `
update due set due_at = min(due_at, queued_at), queued_at = null where message_id = ? and queued_at is not null`;

interface ChannelRow {
  readonly id: number;
  readonly workspace_id: number;
  readonly account_id: number;
  readonly lane: Lane;
}

interface PickedRow {
  readonly id: number;
  readonly due_at: number;
  readonly queued_at: number | null;
  readonly attempts: number;
  readonly idempotency_key: string | null;
}

interface QueuedRow {
  readonly queued_at: number | null;
  readonly alone: number;
  readonly attempts: number;
  readonly paused_at: number | null;
  readonly blocked_until: number;
}

/** What it needs of the store around it. */
export interface RelayAccess {
  readonly handle: SqliteHandle;
  readonly leaseMs: number;
  instant(): Instant;
  speed(): number;
}

/** The same moves as on PostgreSQL, each in one immediate transaction. */
export class SqliteRelay implements RelayMoves {
  constructor(private readonly access: RelayAccess) {}

  look(): Promise<RelayView> {
    return this.#read((handle, { now }) => {
      const passed = new Map(
        (handle.prepare(OUTSTANDING).all(now) as unknown as { channel_id: number; n: number }[]).map(
          ({ channel_id, n }) => [channel_id, n],
        ),
      );
      const channels = handle.prepare(PASSABLE).all(now) as unknown as ChannelRow[];
      return {
        outstanding: [...passed.values()].reduce((sum, n) => sum + n, 0),
        channels: channels.map(({ id, workspace_id: workspaceId, account_id: accountId, lane }) => ({
          ...{ id, workspaceId, accountId, lane },
          outstanding: passed.get(id) ?? 0,
        })),
      };
    });
  }

  mark(shares: readonly RelayShare[], markMs: number): Promise<readonly Marked[]> {
    return this.#write((handle, { now }) => {
      const mark = now + this.#virtual(markMs);
      const marked = shares.flatMap(({ channelId, limit }) => {
        if (!handle.prepare(IS_OPEN).get(channelId, now)) return [];
        const picked = handle.prepare(PICK).all(channelId, now, limit) as unknown as PickedRow[];
        for (const { id } of picked) handle.prepare(MARK).run(now, mark, id);
        return picked.map((row) => toMarked(row, channelId, mark));
      });
      return marked.sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
    });
  }

  endMarks(markMs: number, writtenMsAgo: number): Promise<number> {
    const left = this.#virtual(markMs - writtenMsAgo);
    return this.#write((handle, { now }) => sum([handle.prepare(END_MARKS).run(now, left).changes]));
  }

  unmark(marked: readonly Marked[]): Promise<number> {
    return this.#write((handle) =>
      sum(marked.map(({ id, dueAt, mark }) => handle.prepare(UNMARK).run(dueAt, id, mark).changes)),
    );
  }

  claimById(owner: string, asked: readonly Asked[]): Promise<Claim | undefined> {
    return this.#write((handle, instant) => {
      const ids = inOrder(asked).flatMap(({ id, attempt }) => {
        const row = handle.prepare(QUEUED).get(id) as unknown as QueuedRow | undefined;
        if (row?.queued_at == null || row.alone !== 0 || row.attempts + 1 !== attempt) return [];
        const blocked = row.paused_at !== null || row.blocked_until > instant.now;
        handle.prepare(blocked ? GIVE_BACK : TAKE).run(id);
        return blocked ? [] : [id];
      });
      return leaseTo(handle, { owner, shares: [], alone: false }, ids, instant, this.access.leaseMs);
    });
  }

  giveBack(ids: readonly number[]): Promise<number> {
    return this.#write((handle) => sum(ids.map((id) => handle.prepare(GIVE_BACK).run(id).changes)));
  }

  openLate(lateMs: number): Promise<readonly OpenChannel[]> {
    return this.#read((handle, { now }) => openChannels(handle, now, now - this.#virtual(lateMs)));
  }

  claimLate(request: ClaimRequest, lateMs: number): Promise<Claim | undefined> {
    const { leaseMs } = this.access;
    return this.#write((handle, instant) =>
      claim(handle, request, instant, leaseMs, instant.now - this.#virtual(lateMs)),
    );
  }

  /** Real time, as the clock of `due` counts it. */
  #virtual(ms: number): number {
    return Math.round(ms * this.access.speed());
  }

  #read<T>(work: (handle: SqliteHandle, instant: Instant) => T): Promise<T> {
    const { access } = this;
    return new Promise((resolve) => {
      resolve(access.handle.read(() => work(access.handle, access.instant())));
    });
  }

  #write<T>(work: (handle: SqliteHandle, instant: Instant) => T): Promise<T> {
    const { access } = this;
    return access.handle.write(() => work(access.handle, access.instant()));
  }
}

const toMarked = (
  { id, due_at: dueAt, queued_at, attempts, idempotency_key: idempotencyKey }: PickedRow,
  channelId: number,
  mark: number,
): Marked => ({ id, channelId, attempts, idempotencyKey, dueAt, again: queued_at !== null, mark });

const sum = (counts: readonly (number | bigint)[]): number =>
  counts.reduce<number>((total, each) => total + Number(each), 0);
