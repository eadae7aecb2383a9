import { rulesOf } from '../core/rules.js';
import type { AccountSending, SendingSettings } from '../core/sending.js';
import type { Script } from '../store/script.js';
import type { Account } from '../store/scripts/accounts.js';
import type { WaitingOf } from '../store/scripts/campaign-figures.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import { readEverybodysUse } from '../store/scripts/everybodys-use.js';
import type { Store } from '../store/store.js';
import { causeOf, daysLate, type Late } from './late.js';

interface Around {
  readonly waiting: readonly WaitingOf[];
  readonly accounts: ReadonlyMap<number, Account>;
  readonly settings: SendingSettings;
  readonly now: number;
}

/** By campaign, those that end later than planned. As many questions for many of them as for one, and none for none. */
export function* readLate(
  store: Store,
  workspaceId: number,
  rows: readonly CampaignRow[],
  { waiting, accounts, settings, now }: Around,
): Script<ReadonlyMap<number, Late>> {
  const late = rows.flatMap(({ id, launched_ends_at }) => {
    const [last] = waiting.filter(({ campaignId }) => campaignId === id).sort((a, b) => b.last - a.last);
    const account = last && accounts.get(last.accountId);
    const days = daysLate(last?.last ?? null, launched_ends_at);
    if (!account || days === 0) return [];
    const sending = JSON.parse(account.sending) as AccountSending;
    return [{ id, days, account, rules: rulesOf(settings, { ...sending, type: account.type }, now) }];
  });
  if (late.length === 0) return new Map();
  const senders = new Map(late.map(({ account, rules }) => [account.id, { id: account.id, rules }]));
  const uses = yield* readEverybodysUse(store, workspaceId, [...senders.values()], now);
  const clock = { now, timezone: settings.timezone };
  return new Map(
    late.flatMap(({ id, days, account, rules }) => {
      const use = uses.get(account.id);
      return use
        ? [[id, { days, account: account.name, cause: causeOf({ account, rules, use }, clock) }]]
        : [];
    }),
  );
}
