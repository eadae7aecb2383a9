import type { Action } from '../../core/message.js';
import {
  dayStretchAt,
  monthOf,
  quotaOn,
  stretchAt,
  weekOf,
  type Stretch,
  type Usage,
} from '../../core/opening.js';
import { rulesOf, type Rules } from '../../core/rules.js';
import { SENDING_DEFAULTS, type AccountSending, type SendingSettings } from '../../core/sending.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { accounts, lockAccount } from './accounts.js';
import { readSettings } from './settings.js';

/** As blocked as can be: until the end of the year 9999. Nothing but the guard's own statements sees past it. */
export const FOR_GOOD = 253_402_300_799_000;
/** PostgreSQL's largest int: a limit that nobody set. */
const UNLIMITED = 2_147_483_647;

/** Whether the guard has anything to do here: most installations have no guarded account. */
export function* anyGuarded({ db }: Store): Script<boolean> {
  return (yield* askOne(db.selectFrom('guards').select('account_id').limit(1))) !== undefined;
}

/**
 * The guarded channel of an account and action. It serves all lanes, so that they share the account's quota and spacing;
 * of lanes it bears the name of the one that fills it.
 */
export function* ensureGuardedChannel(store: Store, accountId: number, action: Action): Script<number> {
  const { db } = store;
  const account = yield* lockAccount(store, accountId);
  if (!account) throw new Error('a channel was asked for of an account that is not there');
  const { workspaceId, pausedAt } = account;
  const channel = yield* askOne(
    db
      .insertInto('channels')
      .values({
        workspace_id: workspaceId,
        account_id: accountId,
        action,
        lane: 'campaign',
        blocked_until: FOR_GOOD,
        paused_at: pausedAt,
        guarded: 1,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'action', 'lane'])
          .doUpdateSet({ guarded: 1, blocked_until: FOR_GOOD }),
      )
      .returning('id'),
  );
  if (!channel) throw new Error('a channel was neither made nor found');
  yield* ask(
    db
      .insertInto('guards')
      .values({ account_id: accountId, workspace_id: workspaceId })
      .onConflict((conflict) => conflict.column('account_id').doNothing()),
  );
  yield* ask(
    db
      .insertInto('openings')
      .values({ channel_id: channel.id, account_id: accountId, workspace_id: workspaceId, action })
      .onConflict((conflict) => conflict.column('channel_id').doNothing()),
  );
  return channel.id;
}

/** Mail of this guarded channel may leave in windows of its own: then the account's whole day counts. */
export function* ensureOwnOpening({ db }: Store, channelId: number): Script<void> {
  yield* ask(
    db
      .insertInto('own_openings')
      .columns(['channel_id', 'account_id', 'workspace_id', 'action'])
      .expression((eb) =>
        eb
          .selectFrom('openings')
          .select(['channel_id', 'account_id', 'workspace_id', 'action'])
          .where('channel_id', '=', channelId),
      )
      .onConflict((conflict) => conflict.column('channel_id').doNothing()),
  );
}

/** What holds for an account, from what it and its workspace say. */
export function* readRules(store: Store, accountId: number, now: number): Script<Rules | undefined> {
  const account = yield* askOne(accounts(store).where('id', '=', accountId));
  if (!account) return undefined;
  const sending = JSON.parse(account.sending) as AccountSending;
  const workspace = yield* readSending(store, account.workspaceId);
  return rulesOf(workspace, { ...sending, type: account.type }, now);
}

/** What a workspace has decided about when mail may leave, and what holds where it has not. */
export function* readSending(store: Store, workspaceId: number): Script<SendingSettings> {
  const saved = yield* readSettings(store, workspaceId, 'sending');
  return { ...SENDING_DEFAULTS, ...(saved as Partial<SendingSettings> | undefined) };
}

/**
 * Tells the guarded channels of an account whose opening is over when they may send next. Under the account's lock: who
 * comes second finds nothing over, and who finds it locked leaves it to others or to the next look, so that at midnight
 * many workers share all accounts out among them. What the day has used stays on the day's own row, whatever is written
 * here.
 */
export function* rollOpenings(store: Store, accountId: number, now: number): Script<void> {
  const { db } = store;
  const guard = db.selectFrom('guards').select('workspace_id').where('account_id', '=', accountId);
  const locked = yield* askOne(store.dialect === 'postgres' ? guard.forUpdate().skipLocked() : guard);
  if (!locked) return;
  const over = [
    ...(yield* endedOf(store, 'openings', accountId, now)),
    ...(yield* endedOf(store, 'own_openings', accountId, now)),
  ];
  if (over.length === 0) return;
  // Behind that lock: rules that are saved before it are read here, and whoever saves others later shuts what we open.
  const rules = yield* readRules(store, accountId, now);
  if (!rules) return;
  for (const { table, channelId, action, hour } of over) {
    // Beyond the years that a calendar knows nothing opens: it is looked at again when they are over.
    const stretch =
      (table === 'openings' ? stretchAt(rules, action, now) : dayStretchAt(rules, action, now)) ??
      nothingUntil(now);
    const quota = quotaOn(rules, action, yield* readUsage(store, accountId, action, stretch.day));
    const place = { accountId, workspaceId: locked.workspace_id, action, channelId };
    yield* openDay(store, place, stretch, rules);
    if (stretch.hour > 0) yield* openHour(store, place, stretch, hour === 0);
    yield* ask(
      db
        .updateTable(table)
        .set({
          day: stretch.day,
          total_day: stretch.totalDay,
          quota: Math.min(quota, UNLIMITED),
          hour: stretch.hour,
          hour_quota: Math.min(rules.limits[action].hour, UNLIMITED),
          opens_at: stretch.opensAt,
          open_until: stretch.openUntil,
        })
        .where('channel_id', '=', channelId),
    );
  }
  yield* ask(
    db
      .updateTable('guards')
      .set({ spacing_ms: rules.spacing.minMs, spacing_max_ms: rules.spacing.maxMs })
      .where('account_id', '=', accountId),
  );
}

interface Ended {
  readonly table: 'openings' | 'own_openings';
  readonly channelId: number;
  readonly action: Action;
  readonly hour: number;
}

/** Locked, in their order. */
function* endedOf(
  { db, dialect }: Store,
  table: Ended['table'],
  accountId: number,
  now: number,
): Script<readonly Ended[]> {
  const ended = db
    .selectFrom(table)
    .select(['channel_id as channelId', 'action', 'hour'])
    .where('account_id', '=', accountId)
    .where('open_until', '<=', now)
    .orderBy('channel_id');
  const rows = yield* ask(dialect === 'postgres' ? ended.forUpdate() : ended);
  return rows.map((row) => ({ table, ...row }));
}

const YEAR_MS = 365 * 86_400_000;

const nothingUntil = (now: number): Stretch => {
  const day = new Date(now).toISOString().slice(0, 10);
  return { day, totalDay: day, hour: 0, opensAt: now + YEAR_MS, openUntil: now + YEAR_MS };
};

/** What an account has used of an action around a day; weeks and months are the days that they are made of. */
export function* readUsage(store: Store, accountId: number, action: Action, day: string): Script<Usage> {
  const { db } = store;
  const before = yield* askOne(
    db
      .selectFrom('account_days')
      .select((select) => select.fn.count<number>('day').distinct().as('n'))
      .where('account_id', '=', accountId)
      .where('day', '<', day)
      .where((eb) => eb(eb('sent', '+', eb.ref('in_doubt')), '>', 0)),
  );
  const [week, month] = [weekOf(day), monthOf(day)];
  const rows = yield* ask(
    db
      .selectFrom('account_days')
      .select(['day', 'used'])
      .where('account_id', '=', accountId)
      .where('action', '=', action)
      .where('day', '>=', week[0] < month[0] ? week[0] : month[0])
      .where('day', '<=', week[1] > month[1] ? week[1] : month[1])
      .where('day', '<>', day),
  );
  const usedIn = ([first, last]: readonly [string, string]) =>
    rows.filter((row) => row.day >= first && row.day <= last).reduce((sum, { used }) => sum + used, 0);
  return { daysSent: before?.n ?? 0, restOfWeek: usedIn(week), restOfMonth: usedIn(month) };
}

interface Place {
  readonly accountId: number;
  readonly workspaceId: number;
  readonly action: Action;
  readonly channelId: number;
}

/** The rows that claims count on. */
function* openDay(store: Store, place: Place, stretch: Stretch, rules: Rules): Script<void> {
  const { db } = store;
  const { accountId, workspaceId, action } = place;
  yield* ask(
    db
      .insertInto('account_days')
      .values({ account_id: accountId, action, day: stretch.day })
      .onConflict((conflict) => conflict.columns(['account_id', 'action', 'day']).doNothing()),
  );
  yield* ask(
    db
      .insertInto('workspace_days')
      .values({ workspace_id: workspaceId, day: stretch.totalDay, quota: rules.dailyQuota })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'day']).doUpdateSet({ quota: rules.dailyQuota }),
      ),
  );
}

/**
 * An hour that is counted from now on has already used what left in it, and what is in flight: that may have passed its
 * gate, and from now on its place is one in this hour, which it gives back if it fails. Settlements of this account wait
 * meanwhile, so whoever is in flight here is not among those that left.
 */
function* openHour(store: Store, place: Place, { day, hour }: Stretch, unlimited: boolean): Script<void> {
  const { db } = store;
  const { accountId, action, channelId } = place;
  const inFlight = unlimited
    ? yield* ask(
        db
          .updateTable('reservations')
          .set({ hour })
          .where('account_id', '=', accountId)
          .where('action', '=', action)
          .where('day', '=', day)
          .where('hour', '=', 0)
          .where('doubted', '=', 0)
          .returning('message_id'),
      )
    : [];
  const left = yield* askOne(
    db
      .selectFrom('attempts')
      .select((select) => select.fn.countAll<number>().as('n'))
      .where('channel_id', '=', channelId)
      .where('finished_at', '>=', hour)
      .where('handed_at', '>=', hour)
      .where('outcome', 'in', ['success', 'in_doubt']),
  );
  yield* ask(
    db
      .updateTable('account_days')
      .set({ hour, hour_used: (left?.n ?? 0) + inFlight.length })
      .where('account_id', '=', accountId)
      .where('action', '=', action)
      .where('day', '=', day)
      .where('hour', '<', hour),
  );
}

/**
 * The rules of a workspace, or of one of its accounts, have changed. In the transaction that saves them: from its commit
 * on the gates of these accounts are shut, until somebody has looked what holds now.
 */
export function* reopen(
  store: Store,
  whose: { readonly workspaceId: number } | { readonly accountId: number },
): Script<void> {
  const { db } = store;
  const [column, id] =
    'accountId' in whose
      ? (['account_id', whose.accountId] as const)
      : (['workspace_id', whose.workspaceId] as const);
  for (const table of ['openings', 'own_openings'] as const) {
    if (store.dialect === 'postgres') {
      // In the order in which a roll takes them.
      yield* ask(
        db.selectFrom(table).select('channel_id').where(column, '=', id).orderBy('channel_id').forUpdate(),
      );
    }
    yield* ask(db.updateTable(table).set({ open_until: 0 }).where(column, '=', id));
  }
}
