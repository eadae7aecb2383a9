import { askCompiled, type Script } from '../script.js';
import { freshClaim } from '../claimed-row.js';
import { COPIED_INTO_DUE, firstValue, MESSAGE_COLUMNS, STORED_COLUMNS } from '../message-columns.js';
import type { Enqueued, LeasedEnqueue, NewMessage } from '../store.js';
import type { Instant } from './claim.js';

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

const INSERT_MESSAGE = `
insert into messages (${STORED_COLUMNS.map(({ name }) => name).join(', ')})
values (${marks(STORED_COLUMNS)})
on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing
returning id`;
const INSERT_CONTENT = 'insert into contents (message_id, bytes, mail) values (?, ?, ?)';
const INSERT_DUE = `
insert into due (message_id, due_at, ${COPIED_INTO_DUE.join(', ')}) values (?, ?, ${marks(COPIED_INTO_DUE)})`;
const INSERT_LEASE =
  'insert into leases (owner, until, claimed_at, alone, inline, ids) values (?, ?, ?, 0, 1, ?) returning id';
const INSERT_TALLY =
  "insert into tallies (minute, workspace_id, channel_id, lane, state, n) values (?, ?, ?, ?, 'accepted', ?)";
const FIRST_WITH_KEY =
  'select id, body_hash from messages where workspace_id = ? and lane = ? and idempotency_key = ?';

/** Single-row statements in one transaction: multi-row forms showed no gain on SQLite. */
export function* enqueueMessages(messages: readonly NewMessage[], now: number): Script<readonly Enqueued[]> {
  const enqueued: Enqueued[] = [];
  for (const message of messages) enqueued.push(yield* enqueueOne(message, now, 'due'));
  yield* tallyAccepted(messages, enqueued, now);
  return enqueued;
}

/** Into the hands of the caller, under one lease that runs out at `until`. */
export function* enqueueLeased(
  messages: readonly NewMessage[],
  owner: string,
  { now, clock }: Instant,
  leaseMs: number,
): Script<LeasedEnqueue> {
  const enqueued: Enqueued[] = [];
  for (const message of messages) enqueued.push(yield* enqueueOne(message, now, 'lease'));
  yield* tallyAccepted(messages, enqueued, now);
  const ids = enqueued.filter(({ duplicate }) => !duplicate).map(({ id }) => id);
  if (ids.length === 0) return { enqueued, claim: undefined };
  const [lease] = yield* askCompiled<{ id: number }>({
    sql: INSERT_LEASE,
    parameters: [owner, clock + leaseMs, now, JSON.stringify(ids)],
  });
  if (!lease) throw new Error('a lease was not made');
  return { enqueued, claim: freshClaim(messages, enqueued, lease.id, now) };
}

/** One row a channel, whatever the size of the group. */
function* tallyAccepted(
  messages: readonly NewMessage[],
  enqueued: readonly Enqueued[],
  now: number,
): Script<void> {
  const fresh = messages.filter((_, n) => enqueued[n]?.duplicate === false);
  const groups = new Map<string, { row: readonly (number | string)[]; n: number }>();
  for (const { workspaceId, channelId, lane } of fresh) {
    const key = `${String(channelId)} ${lane}`;
    const group = groups.get(key) ?? { row: [workspaceId, channelId, lane], n: 0 };
    groups.set(key, { ...group, n: group.n + 1 });
  }
  for (const { row, n } of groups.values())
    yield* askCompiled({ sql: INSERT_TALLY, parameters: [Math.floor(now / 60_000), ...row, n] });
}

function* enqueueOne(message: NewMessage, now: number, place: 'due' | 'lease'): Script<Enqueued> {
  const [stored] = yield* askCompiled<{ id: number }>({
    sql: INSERT_MESSAGE,
    parameters: STORED_COLUMNS.map((column) => firstValue(column, message, now)),
  });
  if (!stored) return yield* firstWithKey(message);
  const { id } = stored;
  const { mail } = message;
  if (mail !== null)
    yield* askCompiled({ sql: INSERT_CONTENT, parameters: [id, Buffer.byteLength(mail), mail] });
  if (place === 'due') {
    yield* askCompiled({
      sql: INSERT_DUE,
      parameters: [
        id,
        message.dueAt ?? now,
        ...COPIED_INTO_DUE.map((name) => MESSAGE_COLUMNS[name].of(message)),
      ],
    });
  }
  return { id, duplicate: false, bodyHash: message.bodyHash };
}

function* firstWithKey(message: NewMessage): Script<Enqueued> {
  const [first] = yield* askCompiled<{ id: number; body_hash: string | null }>({
    sql: FIRST_WITH_KEY,
    parameters: [message.workspaceId, message.lane, message.idempotencyKey],
  });
  if (!first) throw new Error('a key was refused as known, but no message has it');
  return { id: first.id, duplicate: true, bodyHash: first.body_hash };
}
