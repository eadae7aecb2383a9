import type { DoubtPolicy, Lane } from '../../core/message.js';
import { sql } from '../../vendor/kysely.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { clockOf } from './workers.js';

/** A waiting message, in the hands of whoever has news of it. */
export interface TakenOne {
  readonly id: number;
  readonly lease: number;
  readonly channelId: number;
  readonly lane: Lane;
  readonly guarded: boolean;
  readonly attempts: number;
  readonly doubts: number;
  readonly doubtPolicy: DoubtPolicy;
  readonly retryPolicy: string;
  readonly now: number;
}

const LEASE_MS = 60_000;

/** Out of `due`, into a lease of its own, as a claim would. Undefined: it does not wait. */
export function* takeOne(
  store: Store,
  workspaceId: number,
  id: number,
  now: number,
): Script<TakenOne | undefined> {
  const { db } = store;
  const waiting = yield* askOne(
    db
      .deleteFrom('due')
      .where('message_id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .returning('channel_id as channelId'),
  );
  if (!waiting) return undefined;
  const clock = clockOf(store);
  const ids = store.dialect === 'postgres' ? sql`array[${id}::bigint]` : JSON.stringify([id]);
  const lease = yield* askOne(
    db
      .insertInto('leases')
      .values({
        ...{ owner: 'elsewhere', until: sql<number>`${clock} + ${sql.lit(LEASE_MS)}`, alone: 1 },
        ...{ claimed_at: now, ids },
      } as never)
      .returning('id'),
  );
  const [message] = yield* ask(
    db
      .selectFrom('messages as m')
      .innerJoin('channels as c', 'c.id', 'm.channel_id')
      .select(['m.lane', 'm.attempts', 'm.doubts', 'm.doubt_policy as doubtPolicy'])
      .select(['m.retry_policy as retryPolicy', 'c.guarded'])
      .where('m.id', '=', id),
  );
  if (!lease || !message) throw new Error('a message that waits is not there');
  const { guarded, ...known } = message;
  return {
    id,
    lease: lease.id,
    channelId: waiting.channelId,
    now,
    guarded: guarded === 1,
    ...known,
  };
}
