import { groupedBy } from '../../core/grouped.js';
import type { FinishedState } from '../../core/lifecycle.js';
import { among } from '../among.js';
import { ask, type Script } from '../script.js';
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

/** A place, and what became of it. */
interface Decided {
  readonly reserved: Reserved;
  readonly use: Use;
  /** When it left, if it did: the account's next one keeps its distance. */
  readonly leftAt: number;
}

/**
 * The places of held mail in its day, now that somebody has decided. What did not leave gives its place back, on the day
 * for which it was reserved; nothing else does. Mail that is not guarded has no place, and nothing happens.
 */
export function* decideReserved(store: Store, ids: readonly number[], finding: Finding): Script<void> {
  const found = yield* ask(
    store.db
      .deleteFrom('reservations')
      .where((eb) => among(store, eb.ref('message_id'), ids))
      .returning(RESERVED),
  );
  yield* lockGuards(store, found);
  yield* countAll(
    store,
    found.map((reserved) => ({ reserved, use: USE_OF[finding], leftAt: 0 })),
  );
}

/** By their ids, as all do that count; then the days of workspaces. */
function* lockGuards(store: Store, reserved: readonly Reserved[]): Script<void> {
  if (store.dialect !== 'postgres' || reserved.length === 0) return;
  const accounts = [...new Set(reserved.map(({ account_id }) => account_id))];
  yield* ask(
    store.db
      .selectFrom('guards')
      .select('account_id')
      .where((eb) => among(store, eb.ref('account_id'), accounts))
      .orderBy('account_id')
      .forUpdate(),
  );
}

/** On the rows of accounts that are locked: a write for each day, not for each place in it. */
function* countAll(store: Store, decided: readonly Decided[]): Script<void> {
  if (decided.length === 0) return;
  yield* countDays(store, decided);
  yield* countForCampaigns(store, decided);
  yield* endTurns(store, decided);
  yield* lessenTotals(store, decided);
}

const isGiven = ({ use }: Decided): boolean => use === 'none';

/** Those that have all of these in common. */
function groups<Field extends keyof Reserved>(
  decided: readonly Decided[],
  ...fields: readonly Field[]
): { readonly same: Pick<Reserved, Field>; readonly all: readonly Decided[] }[] {
  const found = groupedBy(decided, ({ reserved }) => JSON.stringify(fields.map((field) => reserved[field])));
  return [...found.values()].flatMap((all) => (all[0] ? [{ same: all[0].reserved, all }] : []));
}

function* countDays({ db }: Store, decided: readonly Decided[]): Script<void> {
  for (const { same, all } of groups(decided, 'account_id', 'action', 'day')) {
    const doubts = all.reduce(
      (sum, { use, reserved }) => sum + (use === 'doubt' ? 1 : 0) - reserved.doubted,
      0,
    );
    yield* ask(
      db
        .updateTable('account_days')
        .set((eb) => ({
          used: eb('used', '-', all.filter(isGiven).length),
          sent: eb('sent', '+', all.filter(({ use }) => use === 'sent').length),
          in_doubt: eb('in_doubt', '+', doubts),
        }))
        .where('account_id', '=', same.account_id)
        .where('action', '=', same.action)
        .where('day', '=', same.day),
    );
  }
  for (const { same, all } of groups(decided.filter(isGiven), 'account_id', 'action', 'day', 'hour')) {
    yield* ask(
      db
        .updateTable('account_days')
        .set((eb) => ({ hour_used: eb('hour_used', '-', all.length) }))
        .where('account_id', '=', same.account_id)
        .where('action', '=', same.action)
        .where('day', '=', same.day)
        .where('hour', '=', same.hour),
    );
  }
}

/** As a settlement does for what it knows to have left. */
function* countForCampaigns(store: Store, decided: readonly Decided[]): Script<void> {
  const { db } = store;
  const sent = decided.filter(({ use }) => use === 'sent');
  if (sent.length === 0) return;
  const messages = yield* ask(
    db
      .selectFrom('messages')
      .select(['id', 'campaign_id'])
      .where((eb) =>
        among(
          store,
          eb.ref('id'),
          sent.map(({ reserved }) => reserved.message_id),
        ),
      )
      .where('campaign_id', 'is not', null),
  );
  const campaigns = new Map(messages.map(({ id, campaign_id }) => [id, campaign_id]));
  const byCampaign = groupedBy(sent, ({ reserved }) => campaigns.get(reserved.message_id));
  for (const [campaignId, own] of byCampaign) {
    if (campaignId == null) continue;
    for (const { same, all } of groups(own, 'account_id', 'action', 'day')) {
      const { account_id, action, day } = same;
      yield* ask(
        db
          .insertInto('campaign_days')
          .values({ campaign_id: campaignId, account_id, action, day, sent: all.length })
          .onConflict((conflict) =>
            conflict
              .columns(['campaign_id', 'account_id', 'action', 'day'])
              .doUpdateSet((eb) => ({ sent: eb('campaign_days.sent', '+', all.length) })),
          ),
      );
    }
  }
}

/** Of accounts whose turn one of these still has. */
function* endTurns(store: Store, decided: readonly Decided[]): Script<void> {
  const { db } = store;
  const byMessage = new Map(decided.map((each) => [each.reserved.message_id, each]));
  const turns = yield* ask(
    db
      .selectFrom('guards')
      .select(['account_id', 'free_at', 'spacing_ms', 'holder'])
      .where((eb) =>
        among(store, eb.ref('account_id'), [...new Set(decided.map(({ reserved }) => reserved.account_id))]),
      )
      .where('holder', 'is not', null),
  );
  for (const { account_id, free_at, spacing_ms, holder } of turns) {
    const its = holder === null ? undefined : byMessage.get(holder);
    if (!its) continue;
    const freeAt = isGiven(its) ? free_at : Math.max(free_at, its.leftAt + spacing_ms);
    yield* ask(
      db.updateTable('guards').set({ holder: null, free_at: freeAt }).where('account_id', '=', account_id),
    );
  }
}

/** Last: whoever holds the day of a workspace waits for nothing any more. */
function* lessenTotals({ db }: Store, decided: readonly Decided[]): Script<void> {
  const days = groups(decided.filter(isGiven), 'workspace_id', 'total_day');
  days.sort(
    ({ same: one }, { same: other }) =>
      one.workspace_id - other.workspace_id || (one.total_day < other.total_day ? -1 : 1),
  );
  for (const { same, all } of days) {
    yield* ask(
      db
        .updateTable('workspace_days')
        .set((eb) => ({ used: eb('used', '-', all.length) }))
        .where('workspace_id', '=', same.workspace_id)
        .where('day', '=', same.total_day),
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
  yield* lockGuards(store, left);
  const gone = yield* letGo(store, left);
  const doubted = yield* whenDoubted(store, gone);
  yield* countAll(
    store,
    gone.map((row) => {
      const doubtedAt = doubted.get(row.message_id);
      const leftAt = row.finished_at ?? doubtedAt ?? 0;
      return { reserved: row, use: useOf(row, doubtedAt !== undefined), leftAt };
    }),
  );
  return left.length === limit;
}

interface LeftOver extends Reserved {
  readonly reserved_at: number;
  /** Null: it waits. */
  readonly state: FinishedState | null;
  readonly finished_at: number | null;
}

/** Without those that somebody else has let go, or that have another place by now. */
function* letGo(store: Store, left: readonly LeftOver[]): Script<readonly LeftOver[]> {
  const { db, dialect } = store;
  const idsOf = (rows: readonly LeftOver[]) => rows.map(({ message_id }) => message_id);
  const query = db
    .selectFrom('reservations')
    .select(['message_id', 'reserved_at', 'doubted'])
    .where((eb) => among(store, eb.ref('message_id'), idsOf(left)))
    .orderBy('message_id');
  const there = yield* ask(dialect === 'postgres' ? query.forUpdate() : query);
  const now = new Map(there.map((row) => [row.message_id, row]));
  const same = left.filter(({ message_id, reserved_at, doubted }) => {
    const row = now.get(message_id);
    return row?.reserved_at === reserved_at && row.doubted === doubted;
  });
  const held = same.filter(({ state }) => state === 'held');
  if (held.length > 0)
    yield* ask(
      db
        .updateTable('reservations')
        .set({ doubted: 1 })
        .where((eb) => among(store, eb.ref('message_id'), idsOf(held))),
    );
  const ended = same.filter(({ state }) => state !== 'held');
  if (ended.length > 0)
    yield* ask(db.deleteFrom('reservations').where((eb) => among(store, eb.ref('message_id'), idsOf(ended))));
  return same;
}

/** Of which it was noted, and when, that the try for which the place was reserved may have left. */
function* whenDoubted(store: Store, left: readonly LeftOver[]): Script<ReadonlyMap<number, number>> {
  if (left.length === 0) return new Map();
  const reservedAt = new Map(left.map(({ message_id, reserved_at }) => [message_id, reserved_at]));
  const attempts = yield* ask(
    store.db
      .selectFrom('attempts')
      .select(['message_id', 'claimed_at', 'finished_at'])
      .where((eb) => among(store, eb.ref('message_id'), [...reservedAt.keys()]))
      .where('outcome', '=', 'in_doubt'),
  );
  return new Map(
    attempts
      .filter(({ message_id, claimed_at }) => claimed_at >= (reservedAt.get(message_id) ?? Infinity))
      .map(({ message_id, finished_at }) => [message_id, finished_at]),
  );
}

function useOf({ state, doubted }: LeftOver, doubtful: boolean): Use {
  if (state === 'sent') return 'sent';
  if (state === 'held') return 'doubt';
  // A person has taken it out of what is held: whoever wants it sent again knows that it did not leave.
  if (doubted === 1) return state === null ? 'none' : 'doubt';
  return doubtful ? 'doubt' : 'none';
}
