import type { FinishedState } from '../../core/lifecycle.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Flag } from '../message-columns.js';
import type { Store } from '../store.js';
import type { ReservationsTable } from '../tables.js';

/** What somebody has found out about mail that was held: it left, it did not, or nobody will ever know. */
export type Finding = 'sent' | 'unsent' | 'dropped';

/** A place in a day, and what its message is known by. */
interface Reserved extends Pick<
  ReservationsTable,
  'message_id' | 'account_id' | 'action' | 'day' | 'hour' | 'workspace_id' | 'total_day'
> {
  readonly doubted: Flag;
}
const RESERVED = [
  'message_id',
  'account_id',
  'action',
  'day',
  'hour',
  'workspace_id',
  'total_day',
  'doubted',
] as const satisfies readonly (keyof Reserved)[];

/** What a place turned out to be: of a mail that left, of one that may have, or of nobody. */
type Use = 'sent' | 'doubt' | 'none';

const USE_OF: Readonly<Record<Finding, Use>> = { sent: 'sent', unsent: 'none', dropped: 'doubt' };

/**
 * The places of held mail in its day, now that somebody has decided. What did not leave gives its place back, on the day
 * for which it was reserved; nothing else does. Mail that is not guarded has no place, and nothing happens.
 */
export function* decideReserved(store: Store, ids: readonly number[], finding: Finding): Script<void> {
  const reserved = yield* ask(
    store.db
      .deleteFrom('reservations')
      .where((eb) => among(store, eb.ref('message_id'), ids))
      .returning(RESERVED),
  );
  const given: Reserved[] = [];
  for (const each of byAccount(reserved)) {
    yield* lockGuard(store, each.account_id);
    yield* count(store, each, USE_OF[finding]);
    if (finding === 'unsent') given.push(each);
  }
  yield* lessenTotals(store, given);
}

const byAccount = <T extends Reserved>(reserved: readonly T[]): readonly T[] =>
  [...reserved].sort((a, b) => a.account_id - b.account_id);

/** On the account's own rows, which are locked: its day, and its turn if this one still has it. */
function* count({ db }: Store, reserved: Reserved, use: Use, leftAt = 0): Script<void> {
  const { message_id, account_id, action, day, hour, doubted } = reserved;
  const back = use === 'none' ? 1 : 0;
  yield* ask(
    db
      .updateTable('account_days')
      .set((eb) => ({
        used: eb('used', '-', back),
        sent: eb('sent', '+', use === 'sent' ? 1 : 0),
        in_doubt: eb('in_doubt', '+', (use === 'doubt' ? 1 : 0) - doubted),
        hour_used: eb
          .case()
          .when('hour', '=', hour)
          .then(eb('hour_used', '-', back))
          .else(eb.ref('hour_used'))
          .end(),
      }))
      .where('account_id', '=', account_id)
      .where('action', '=', action)
      .where('day', '=', day),
  );
  if (use === 'sent') yield* countForCampaign(db, reserved);
  const turn = yield* askOne(
    db
      .selectFrom('guards')
      .select(['free_at', 'spacing_ms'])
      .where('account_id', '=', account_id)
      .where('holder', '=', message_id),
  );
  if (!turn) return;
  const freeAt = use === 'none' ? turn.free_at : Math.max(turn.free_at, leftAt + turn.spacing_ms);
  yield* ask(
    db.updateTable('guards').set({ holder: null, free_at: freeAt }).where('account_id', '=', account_id),
  );
}

/** As a settlement does for what it knows to have left. */
function* countForCampaign(db: Store['db'], { message_id, account_id, action, day }: Reserved): Script<void> {
  const message = yield* askOne(db.selectFrom('messages').select('campaign_id').where('id', '=', message_id));
  if (message?.campaign_id == null) return;
  yield* ask(
    db
      .insertInto('campaign_days')
      .values({ campaign_id: message.campaign_id, account_id, action, day, sent: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['campaign_id', 'account_id', 'action', 'day'])
          .doUpdateSet((eb) => ({ sent: eb('campaign_days.sent', '+', 1) })),
      ),
  );
}

/** The order of all that count: accounts by their ids, then the days of workspaces. */
function* lockGuard(store: Store, accountId: number): Script<void> {
  if (store.dialect !== 'postgres') return;
  yield* askOne(
    store.db.selectFrom('guards').select('account_id').where('account_id', '=', accountId).forUpdate(),
  );
}

/** Last: whoever holds the day of a workspace waits for nothing any more. */
function* lessenTotals({ db }: Store, given: readonly Reserved[]): Script<void> {
  const inOrder = [...given].sort(
    (a, b) => a.workspace_id - b.workspace_id || (a.total_day < b.total_day ? -1 : 1),
  );
  for (const each of inOrder) {
    yield* ask(
      db
        .updateTable('workspace_days')
        .set((eb) => ({ used: eb('used', '-', 1) }))
        .where('workspace_id', '=', each.workspace_id)
        .where('day', '=', each.total_day),
    );
  }
}

/**
 * What a worker of the version before has recovered it has settled without giving back: its reservation is left over, and
 * with spacing it still has its account's turn. The same is true of what was in flight when a backup was made that is
 * now restored. Whoever has a reservation and waits in the queue, or has ended, is in nobody's hands; one that is held
 * keeps its place, and is counted as a doubt from now on. True: there may be more.
 */
export function* giveBackLeftOver(store: Store, before: number, limit: number): Script<boolean> {
  const { db } = store;
  const left = yield* ask(
    db
      .selectFrom('reservations as r')
      .leftJoin('due as d', 'd.message_id', 'r.message_id')
      .leftJoin('outcomes as o', 'o.message_id', 'r.message_id')
      .select([
        ...RESERVED.map((column) => `r.${column}` as const),
        'r.reserved_at',
        'o.state',
        'o.finished_at',
      ])
      .where('r.reserved_at', '<', before)
      .where((eb) =>
        eb.or([
          eb('d.message_id', 'is not', null),
          eb.and([
            eb('o.state', 'is not', null),
            eb.or([eb('o.state', '<>', 'held'), eb('r.doubted', '=', 0)]),
          ]),
        ]),
      )
      .orderBy('r.reserved_at')
      .limit(limit),
  );
  const given: Reserved[] = [];
  for (const row of byAccount(left)) {
    yield* lockGuard(store, row.account_id);
    if (!(yield* letGo(store, row))) continue;
    const doubtedAt = yield* whenDoubted(store, row);
    const use = useOf(row, doubtedAt !== undefined);
    yield* count(store, row, use, row.finished_at ?? doubtedAt);
    if (use === 'none') given.push(row);
  }
  yield* lessenTotals(store, given);
  return left.length === limit;
}

interface LeftOver extends Reserved {
  readonly reserved_at: number;
  /** Null: it waits. */
  readonly state: FinishedState | null;
}

/** False: somebody else has, or it has another one by now. */
function* letGo({ db }: Store, { message_id, reserved_at, doubted, state }: LeftOver): Script<boolean> {
  const same = { message_id, reserved_at, doubted };
  const gone =
    state === 'held'
      ? db
          .updateTable('reservations')
          .set({ doubted: 1 })
          .where((eb) => eb.and(same))
          .returning('message_id')
      : db
          .deleteFrom('reservations')
          .where((eb) => eb.and(same))
          .returning('message_id');
  return (yield* askOne<{ message_id: number }>(gone)) !== undefined;
}

/** When it was noted that the try for which the place was reserved may have left. */
function* whenDoubted({ db }: Store, { message_id, reserved_at }: LeftOver): Script<number | undefined> {
  const attempt = yield* askOne(
    db
      .selectFrom('attempts')
      .select('finished_at')
      .where('message_id', '=', message_id)
      .where('claimed_at', '>=', reserved_at)
      .where('outcome', '=', 'in_doubt'),
  );
  return attempt?.finished_at;
}

function useOf({ state, doubted }: LeftOver, doubtful: boolean): Use {
  if (state === 'sent') return 'sent';
  if (state === 'held') return 'doubt';
  // A person has taken it out of what is held: whoever wants it sent again knows that it did not leave.
  if (doubted === 1) return state === null ? 'none' : 'doubt';
  return doubtful ? 'doubt' : 'none';
}
