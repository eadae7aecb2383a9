import { sendsThatMatter, unhealthy } from '../../core/account-health.js';
import { STOPPED_ITSELF } from '../../core/account-standing.js';
import { DELIVERY_DEFAULTS, type HealthThresholds } from '../../core/delivery-settings.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { pauseAccount } from './accounts.js';
import { Question } from './question.js';
import { readSettings } from './settings.js';

const DAY_MS = 24 * 3_600_000;

/** Somebody's server said that this address takes no mail, or somebody complained. */
export interface Harm {
  readonly accountId: number;
  readonly messageId: number;
  readonly kind: 'bounce' | 'complaint';
}

/**
 * Notes it, once a message, and stops the account if there are too many of them. Only then anything is counted, and no
 * further than it matters: what an account sends well costs nothing here. Answers why it was stopped, if it was.
 */
export function* noteHarm(
  store: Store,
  { accountId, messageId, kind }: Harm,
  now: number,
): Script<string | undefined> {
  const { db } = store;
  yield* ask(
    db
      .insertInto('account_harm')
      .values({ account_id: accountId, message_id: messageId, kind, at: now })
      .onConflict((conflict) => conflict.columns(['account_id', 'message_id', 'kind']).doNothing()),
  );
  const account = yield* askOne(
    db.selectFrom('accounts').select(['workspace_id', 'paused_at']).where('id', '=', accountId),
  );
  if (account?.paused_at !== null) return undefined;
  const thresholds = yield* readThresholds(store, account.workspace_id);
  const found = yield* judge(store, accountId, thresholds, now);
  if (found === undefined) return undefined;
  const reason = `${STOPPED_ITSELF}${found}`;
  yield* pauseAccount(store, accountId, reason, now);
  return reason;
}

/** What became of an account's mail in the days that count; sends are counted no further than people can tell apart. */
export interface Bounced {
  readonly bounces: number;
  readonly sends: number;
}

/** More than this are not counted for a figure that somebody looks at. */
const MOST_SENDS = 10_000;

/** Of every account, or of one, that has bounces in those days; of the others nothing has to be counted. */
export function* readBounced(
  store: Store,
  workspaceId: number,
  now: number,
  only?: number,
): Script<{ readonly thresholds: HealthThresholds; readonly accounts: ReadonlyMap<number, Bounced> }> {
  const { db } = store;
  const thresholds = yield* readThresholds(store, workspaceId);
  const from = now - thresholds.days * DAY_MS;
  const bounces = db
    .selectFrom('account_harm as h')
    .innerJoin('accounts as a', 'a.id', 'h.account_id')
    .select((select) => ['h.account_id as accountId', select.fn.countAll<number>().as('n')])
    .where('a.workspace_id', '=', workspaceId)
    .where('a.removed_at', 'is', null)
    .where('h.kind', '=', 'bounce')
    .where('h.at', '>=', from)
    .groupBy('h.account_id');
  const found = yield* ask(only === undefined ? bounces : bounces.where('h.account_id', '=', only));
  const accounts = new Map<number, Bounced>();
  for (const { accountId, n } of found) {
    const sends = n + (yield* countSent(store, accountId, from, MOST_SENDS));
    accounts.set(accountId, { bounces: n, sends });
  }
  return { thresholds, accounts };
}

function* readThresholds(store: Store, workspaceId: number): Script<HealthThresholds> {
  const saved = (yield* readSettings(store, workspaceId, 'delivery')) as
    { readonly health?: Partial<HealthThresholds> } | undefined;
  return { ...DELIVERY_DEFAULTS.health, ...saved?.health };
}

function* judge(
  store: Store,
  accountId: number,
  thresholds: HealthThresholds,
  now: number,
): Script<string | undefined> {
  const { db } = store;
  const from = now - thresholds.days * DAY_MS;
  const harms = yield* ask(
    db
      .selectFrom('account_harm')
      .select((select) => ['kind', select.fn.countAll<number>().as('n')])
      .where('account_id', '=', accountId)
      .where('at', '>=', from)
      .groupBy('kind'),
  );
  const countOf = (wanted: Harm['kind']) => harms.find(({ kind }) => kind === wanted)?.n ?? 0;
  const [bounces, complaints] = [countOf('bounce'), countOf('complaint')];
  const most = sendsThatMatter({ bounces, complaints }, thresholds);
  const sends = bounces + (yield* countSent(store, accountId, from, most));
  return unhealthy({ sends, bounces, complaints }, thresholds);
}

/** By the index of each of its channels, and no more than so many. */
function* countSent(store: Store, accountId: number, from: number, most: number): Script<number> {
  const channels = yield* ask(
    store.db.selectFrom('channels').select('id').where('account_id', '=', accountId),
  );
  let sent = 0;
  for (const { id } of channels) {
    const question = new Question(store);
    const [channel, since, limit] = [id, from, most - sent].map(question.bind);
    const [row] = yield* question.rows<{ n: number }>(
      `select count(*) as n from (
          select 1 from ${store.at('attempts')}
          where channel_id = ${channel} and finished_at >= ${since} and outcome = 'success' limit ${limit}) sent`,
    );
    sent += row?.n ?? 0;
    if (sent >= most) break;
  }
  return sent;
}
