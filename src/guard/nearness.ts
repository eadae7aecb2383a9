import { formatId } from '../core/ids.js';
import type { Action } from '../core/message.js';
import {
  dayLoads,
  fullest,
  periodUses,
  type DayLoad,
  type NearFacts,
  type PeriodUses,
} from '../core/nearness.js';
import { rulesOf } from '../core/rules.js';
import type { AccountSending } from '../core/sending.js';
import { grainFor } from '../core/violations.js';
import type { Script } from '../store/script.js';
import { presentAccounts } from '../store/scripts/accounts.js';
import { countWaitingEach, readClosest, readEverybodysUse } from '../store/scripts/everybodys-use.js';
import { guardedAccounts, readPlanned } from '../store/scripts/guard-use.js';
import { readSending } from '../store/scripts/openings.js';
import type { Store } from '../store/store.js';

/** One thing that an account does under the guard, and how near it is to its limits. */
export interface NearAccount {
  readonly accountId: string;
  readonly action: Action;
  readonly periods: PeriodUses;
  /** The smallest time between two that left today, in ms; null: there were no two. */
  readonly closestMs: number | null;
}

export interface Nearness {
  /** Those nearest to a limit first. */
  readonly items: readonly NearAccount[];
  readonly days: readonly DayLoad[];
}

const MOST_ITEMS = 200;
const MOST_DAYS = 60;
const MOST_LATE = 10_000;
/** Of a day's mails the last so many are compared. */
const MOST_COMPARED = 2_000;

export function* readNearness(store: Store, workspaceId: number, now: number): Script<Nearness> {
  const settings = yield* readSending(store, workspaceId);
  const rules = new Map(
    (yield* presentAccounts(store, workspaceId)).map(({ id, type, sending }) => [
      id,
      rulesOf(settings, { ...(JSON.parse(sending) as AccountSending), type }, now),
    ]),
  );
  const everybody = [...rules].map(([id, each]) => ({ id, rules: each }));
  const uses = yield* readEverybodysUse(store, workspaceId, everybody, now);
  const channels = yield* guardedAccounts(store, workspaceId);
  const ids = channels.map(({ channelId }) => channelId);
  const planned = yield* readPlanned(store, ids, now, grainFor([...rules.values()]));
  const late = yield* countWaitingEach(store, ids, now + 1, MOST_LATE);
  const grainsOf = new Map<number, { at: number; count: number }[]>();
  for (const { channelId, at, count } of planned) {
    const known = grainsOf.get(channelId) ?? [];
    known.push({ at, count });
    grainsOf.set(channelId, known);
  }
  const facts = channels.flatMap(
    ({ channelId, accountId, action }): (NearFacts & { channelId: number })[] => {
      const [own, use] = [rules.get(accountId), uses.get(accountId)];
      if (!own || !use) return [];
      const grains = grainsOf.get(channelId) ?? [];
      return [{ channelId, accountId, action, rules: own, use, grains, late: late.get(channelId) ?? 0 }];
    },
  );
  const near = facts
    .map((each) => ({ each, periods: periodUses(each) }))
    .sort((one, other) => fullest(other.periods) - fullest(one.periods))
    .slice(0, MOST_ITEMS);
  const items: NearAccount[] = [];
  for (const { each, periods } of near) {
    const own = facts.filter(({ accountId }) => accountId === each.accountId);
    const { zone } = each.rules.calendar;
    const since = zone.startOf(zone.dayOf(now));
    const closest =
      (periods.day?.used ?? 0) === 0
        ? undefined
        : yield* readClosest(
            store,
            own.map(({ channelId }) => channelId),
            since,
            MOST_COMPARED,
          );
    items.push({
      accountId: formatId('account', each.accountId),
      ...{ action: each.action, periods, closestMs: closest ?? null },
    });
  }
  return { items, days: dayLoads(facts, MOST_DAYS) };
}
