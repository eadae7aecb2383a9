import { judgeBounds, type OwnBounds } from '../core/campaign-judge.js';
import { groupedBy } from '../core/grouped.js';
import { formatId } from '../core/ids.js';
import { rampQuota } from '../core/opening.js';
import type { SendingSettings } from '../core/sending.js';
import type { Departure, SimulatedAccount, SimulatedDay, Simulation } from '../core/simulation.js';
import {
  daysBefore,
  judge,
  limitsFor,
  sendingDaysOf,
  type Judged,
  type UsedBefore,
} from '../core/simulation-judge.js';
import { labelOf, Zone } from '../core/zone.js';
import { readDepartures, readFates, type NamedAccount } from '../store/scripts/simulated.js';
import type { Store } from '../store/store.js';

/** What a run has left behind. */
export interface Traces {
  readonly campaignId: number;
  readonly settings: SendingSettings;
  readonly accounts: readonly NamedAccount[];
  readonly before: UsedBefore;
  readonly bounds: OwnBounds;
  readonly startedAt: number;
  readonly until: number;
  readonly left: readonly Departure[];
  readonly warnings: readonly string[];
}

type Left = Judged & { readonly own: boolean };

/** A list of faults that goes on for ever helps nobody. */
const MOST_VIOLATIONS = 1_000;

export async function reportOf(store: Store, traces: Traces): Promise<Simulation> {
  const { campaignId, startedAt, until, warnings } = traces;
  const left = await store.read(readDepartures(store, campaignId, traces.left));
  const { waiting, finished } = await store.read(readFates(store, campaignId));
  const own = left.filter((each) => each.own);
  const days = daysOf(traces, left);
  const ended = [...finished].reduce((sum, [state, n]) => (state === 'sent' ? sum : sum + n), 0);
  return {
    ...{ startedAt, until, days, accounts: accountsOf(traces, days), sent: own.length, waiting, ended },
    endsAt: waiting === 0 ? (own.at(-1)?.at ?? null) : null,
    violations: [...judge({ ...traces, left }), ...judgeBounds(traces.bounds, own)].slice(0, MOST_VIOLATIONS),
    warnings,
  };
}

/** By date, and on each date by account, as many as have sent. */
function daysOf({ accounts, settings, before }: Traces, left: readonly Left[]): readonly SimulatedDay[] {
  const days: SimulatedDay[] = [];
  const byAccount = groupedBy(left, ({ accountId }) => accountId);
  for (const account of accounts) {
    const own = byAccount.get(account.id) ?? [];
    const zone = new Zone((account.sending.window ?? settings).timezone);
    const dayOf = (at: number) => labelOf(zone.dayOf(at));
    const sendingDays = sendingDaysOf(account.id, before, own, dayOf);
    for (const [date, mails] of groupedBy(own, ({ at }) => dayOf(at))) {
      const quota = [...new Set(mails.map(({ action }) => action))].reduce((sum, action) => {
        const { limits, rampUp } = limitsFor(account, settings, action);
        return sum + rampQuota(limits.day, rampUp, daysBefore(sendingDays, date));
      }, 0);
      const sent = mails.filter((each) => each.own).length;
      const accountId = formatId('account', account.id);
      days.push({ date, accountId, sent, others: mails.length - sent, quota });
    }
  }
  const place = new Map(accounts.map(({ id }, n) => [formatId('account', id), n]));
  return days.sort((one, other) =>
    one.date === other.date
      ? (place.get(one.accountId) ?? 0) - (place.get(other.accountId) ?? 0)
      : one.date < other.date
        ? -1
        : 1,
  );
}

function accountsOf({ accounts }: Traces, days: readonly SimulatedDay[]): readonly SimulatedAccount[] {
  return accounts.flatMap(({ id, name }) => {
    const accountId = formatId('account', id);
    const own = days.filter((day) => day.accountId === accountId);
    if (own.length === 0) return [];
    const sum = (field: 'sent' | 'others' | 'quota') => own.reduce((all, day) => all + day[field], 0);
    const [sent, others, quota] = [sum('sent'), sum('others'), sum('quota')];
    return [{ accountId, name, sent, others, use: quota === 0 ? 0 : (sent + others) / quota }];
  });
}
