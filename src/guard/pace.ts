import { accountDay } from '../core/account-day.js';
import { accountFacts, type AccountFact } from '../core/account-facts.js';
import { formatId } from '../core/ids.js';
import type { Use } from '../core/limits.js';
import type { Action } from '../core/message.js';
import { PAST_DAYS, paceOf, type Pace } from '../core/pace.js';
import { ACTIONS_OF, type Rules } from '../core/rules.js';
import type { AccountSending, SendingSettings } from '../core/sending.js';
import { labelOf } from '../core/zone.js';
import type { Script } from '../store/script.js';
import { readBounced } from '../store/scripts/account-health.js';
import type { Account } from '../store/scripts/accounts.js';
import { readDueTimes, readHandedTimes, readPastDays } from '../store/scripts/pace.js';
import type { Store } from '../store/store.js';

/** How an account goes about one of the things it does: day by day, today mail by mail, and by which rules. */
export interface AccountPace extends Pace {
  readonly accountId: string;
  readonly action: Action;
  /** What it may do at most in a day, once it has come up to it. */
  readonly limit: number;
  /** What all accounts of the workspace may do together. */
  readonly total: number;
  readonly rampUp: Rules['rampUp'] | null;
  readonly timezone: string;
  /** Of today, or of the next day on which it opens. */
  readonly opensAt: number | null;
  readonly closesAt: number | null;
  /** When what has left today was handed over, in order; the last so many. */
  readonly sent: readonly number[];
  readonly facts: readonly AccountFact[];
}

/** Whoever waits behind so many is not looked at. */
const MOST_DUE = 5_000;
/** More marks than this nobody can tell apart. */
const MOST_MARKS = 400;

export interface Asked {
  readonly account: Account;
  readonly action: Action;
  readonly channelId: number;
  readonly rules: Rules;
  readonly use: Use;
  readonly workspace: SendingSettings;
}

export function* readPace(store: Store, asked: Asked, now: number): Script<AccountPace> {
  const { account, action, channelId, rules, use, workspace } = asked;
  const { calendar } = rules;
  const { zone } = calendar;
  const day = zone.dayOf(now);
  const begins = zone.startOf(day);
  const place = { accountId: account.id, action };
  const past = yield* readPastDays(store, place, labelOf(day), PAST_DAYS);
  const due = (yield* readDueTimes(store, channelId, MOST_DUE)).map(({ at }) => at);
  const sent = yield* readHandedTimes(store, channelId, begins, MOST_MARKS);
  const { thresholds, accounts: bounced } = yield* readBounced(store, account.workspaceId, now, account.id);
  const pace = paceOf({ account: account.id, action, rules, use, past, due });
  const window = windowOn(rules, begins);
  return {
    accountId: formatId('account', account.id),
    action,
    ...pace,
    planned: pace.planned.slice(0, MOST_MARKS),
    ...{ limit: rules.limits[action].day, total: rules.dailyQuota, rampUp: rules.rampUp ?? null },
    ...{ timezone: zone.name, ...window },
    sent: [...sent].reverse(),
    facts: accountFacts({
      ...{ action, type: account.type, rules, use, workspace },
      day: accountDay({ account: account.id, action, rules, use, planned: pace.planned.length }),
      account: JSON.parse(account.sending) as AccountSending,
      lastSentAt: sent[0] ?? null,
      bounced: {
        ...(bounced.get(account.id) ?? { bounces: 0, sends: 0 }),
        ...{ bouncePercent: thresholds.bouncePercent, days: thresholds.days },
      },
    }),
  };
}

/** From its first opening to its last closing. */
function windowOn({ calendar }: Rules, begins: number): Pick<AccountPace, 'opensAt' | 'closesAt'> {
  const first = calendar.interval(begins);
  if (!first) return { opensAt: null, closesAt: null };
  let closesAt = first.closesAt;
  for (let piece = calendar.interval(closesAt); piece?.day === first.day;) {
    closesAt = piece.closesAt;
    piece = calendar.interval(closesAt);
  }
  return { opensAt: first.opensAt, closesAt };
}

export const usualAction = ({ type }: Pick<Account, 'type'>): Action => ACTIONS_OF[type][0] as Action;
