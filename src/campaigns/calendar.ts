import { formatId } from '../core/ids.js';
import type { Action } from '../core/message.js';
import type { Use } from '../core/limits.js';
import { quotaOn } from '../core/opening.js';
import { dayQuotas } from '../core/plan/day-quotas.js';
import { rulesOf, type Rules } from '../core/rules.js';
import type { AccountSending } from '../core/sending.js';
import { dayOfLabel, labelOf } from '../core/zone.js';
import type { Script } from '../store/script.js';
import { everyAccount, presentAccounts } from '../store/scripts/accounts.js';
import { readCampaignDays, readPlannedQuarters } from '../store/scripts/campaign-figures.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import { datesWithMail, guardedAccounts, readUse } from '../store/scripts/guard-use.js';
import { readSending } from '../store/scripts/openings.js';
import { readWaiting } from '../store/scripts/planned.js';
import type { Store } from '../store/store.js';

export interface CalendarDay {
  readonly date: string;
  readonly accountId: string;
  /** What waits for a time on that date, and what has left on it. */
  readonly planned: number;
  readonly sent: number;
  /** What was planned for it when it was first planned. */
  readonly launched: number;
  readonly quota: number;
}

/** By date and account, over all actions. */
export function* calendarOf(
  store: Store,
  campaign: CampaignRow,
  now: number,
): Script<readonly CalendarDay[]> {
  const settings = yield* readSending(store, campaign.workspace_id);
  const rules = new Map<number, Rules>();
  for (const { id, sending, type } of yield* everyAccount(store, campaign.workspace_id))
    rules.set(id, rulesOf(settings, { ...(JSON.parse(sending) as AccountSending), type }, now));
  const days = new Map<
    string,
    {
      accountId: number;
      date: string;
      planned: number;
      sent: number;
      launched: number;
      actions: Set<Action>;
    }
  >();
  const at = (accountId: number, date: string, action: Action) => {
    const key = `${date} ${accountId}`;
    const known = days.get(key) ?? {
      ...{ accountId, date, planned: 0, sent: 0, launched: 0 },
      actions: new Set(),
    };
    known.actions.add(action);
    days.set(key, known);
    return known;
  };
  for (const { accountId, action, day, launched, sent } of yield* readCampaignDays(store, campaign.id)) {
    const known = at(accountId, day, action);
    known.launched += launched;
    known.sent += sent;
  }
  for (const { accountId, action, last, count } of yield* readPlannedQuarters(store, campaign.id)) {
    const zone = rules.get(accountId)?.calendar.zone;
    if (zone) at(accountId, labelOf(zone.dayOf(Math.max(now, last))), action).planned += count;
  }
  const quotas = yield* quotasOf(store, campaign.workspace_id, rules, [...days.values()], now);
  return [...days.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { accountId, actions, ...day }]) => ({
      ...day,
      accountId: formatId('account', accountId),
      quota: [...actions].reduce((sum, action) => sum + (quotas.get(accountId)?.(action, day.date) ?? 0), 0),
    }));
}

/** What each account may send on its dates, by what it has sent before and what waits, of whatever campaign. */
function* quotasOf(
  store: Store,
  workspaceId: number,
  rules: ReadonlyMap<number, Rules>,
  days: readonly { readonly accountId: number; readonly date: string }[],
  now: number,
): Script<ReadonlyMap<number, ReturnType<typeof dayQuotas>>> {
  const found = new Map<number, ReturnType<typeof dayQuotas>>();
  const channels = yield* guardedAccounts(store, workspaceId);
  for (const accountId of new Set(days.map((each) => each.accountId))) {
    const own = rules.get(accountId);
    if (!own) continue;
    const { zone } = own.calendar;
    const today = labelOf(zone.dayOf(now));
    const first = days.reduce((least, { date }) => (date < least ? date : least), today);
    const past = yield* datesWithMail(store, accountId, first);
    const { taken } = yield* readUse(store, { accountId, workspaceId }, own, now);
    const waiting = yield* readWaiting(
      store,
      channels.filter((each) => each.accountId === accountId).map(({ channelId }) => channelId),
    );
    const dates = [...past, ...waiting.map(({ last }) => labelOf(zone.dayOf(Math.max(now, last))))];
    found.set(accountId, dayQuotas(own, { today, daysSent: taken.daysSent, dates }));
  }
  return found;
}

export interface RoomDay {
  readonly date: string;
  /** What has left on it, or is leaving. */
  readonly sent: number;
  readonly planned: number;
  readonly capacity: number;
}

/** The next dates on which any account may send: what all campaigns have planned for them, and what could leave. */
export function* roomOf(
  store: Store,
  workspaceId: number,
  count: number,
  now: number,
): Script<readonly RoomDay[]> {
  const settings = yield* readSending(store, workspaceId);
  const accounts: { readonly rules: Rules; readonly daysSent: number }[] = [];
  let used: Use['totals'] = new Map();
  for (const account of yield* presentAccounts(store, workspaceId)) {
    if (account.pausedAt !== null) continue;
    const sending = JSON.parse(account.sending) as AccountSending;
    const rules = rulesOf(settings, { ...sending, type: account.type }, now);
    const { taken, totals } = yield* readUse(store, { accountId: account.id, workspaceId }, rules, now);
    accounts.push({ rules, daysSent: taken.daysSent });
    used = totals;
  }
  const [first] = accounts;
  if (!first) return [];
  const { house, dailyQuota } = first.rules;
  const channels = yield* guardedAccounts(store, workspaceId);
  const waiting = yield* readWaiting(
    store,
    channels.map(({ channelId }) => channelId),
  );
  const planned = new Map<string, number>();
  for (const { last, count: more } of waiting) {
    const date = labelOf(house.dayOf(Math.max(now, last)));
    planned.set(date, (planned.get(date) ?? 0) + more);
  }
  const found: RoomDay[] = [];
  const today = house.dayOf(now);
  for (let day = today; found.length < count && day < today + MOST_DAYS; day += 1) {
    const date = labelOf(day);
    const capacity = accounts.reduce((sum, each) => sum + mailsOn(each, dayOfLabel(date), found.length), 0);
    if (capacity > 0)
      found.push({
        ...{ date, sent: used.get(date) ?? 0, planned: planned.get(date) ?? 0 },
        capacity: Math.min(capacity, dailyQuota),
      });
  }
  return found;
}

/** Far enough to find ten days between holidays. */
const MOST_DAYS = 400;

function mailsOn(
  { rules, daysSent }: { rules: Rules; daysSent: number },
  day: number,
  before: number,
): number {
  const { calendar } = rules;
  if (calendar.interval(calendar.zone.startOf(day))?.day !== day) return 0;
  const usage = { daysSent: daysSent + before, restOfWeek: 0, restOfMonth: 0 };
  return (['email', 'message', 'connection_request', 'inmail'] as const).reduce(
    (sum, action) => sum + quotaOn(rules, action, usage),
    0,
  );
}
