import { groupedBy } from '../core/grouped.js';
import { formatId } from '../core/ids.js';
import { Ledger } from '../core/plan/ledger.js';
import { Totals } from '../core/plan/totals.js';
import { grainFor, movesOf, violationsOf, type Plan, type Violation } from '../core/violations.js';
import { labelOf } from '../core/zone.js';
import type { Script } from '../store/script.js';
import {
  moveWaiting,
  readPlanned,
  readTooClose,
  waitingBetween,
  type GuardedAccount,
  type PlannedRow,
} from '../store/scripts/guard-use.js';
import { readSending } from '../store/scripts/openings.js';
import type { Store } from '../store/store.js';
import { everybody, SEED, type Known } from './known.js';

/** A violation, and where what violates would go. */
export type Found = Violation & { readonly moves: readonly Move[] };

export interface Move {
  readonly from: string;
  readonly to: string | null;
  readonly count: number;
}

/** More are not looked at in one go. */
const MOST_TOO_CLOSE = 10_000;

/** What is planned against the limits, and where it would go. */
export function* checkLimits(store: Store, workspaceId: number, now: number): Script<readonly Found[]> {
  const { plan, everybody } = yield* readPlan(store, workspaceId, now);
  const ledgers = new Ledgers(plan, everybody);
  return violationsOf(plan).map((violation) => ({
    ...violation,
    moves: movesOf(violation, ledgers.of(violation)),
  }));
}

/** Moves what violates a limit to the first times that are free: of these violations, or of all. */
export function* fixLimits(
  store: Store,
  workspaceId: number,
  ids: readonly string[] | undefined,
  now: number,
): Script<{ readonly moved: number; readonly left: number }> {
  const { plan, everybody } = yield* readPlan(store, workspaceId, now);
  const ledgers = new Ledgers(plan, everybody);
  let [moved, left] = [0, 0];
  for (const violation of violationsOf(plan)) {
    if (ids && !ids.includes(violation.id)) continue;
    const ledger = ledgers.of(violation);
    const known = everybody.find(({ account }) => isOf(violation, account));
    const waiting = yield* waitingOf(store, known?.account.channelId ?? 0, violation, plan.grainMs);
    const moves: { readonly id: number; readonly to: number }[] = [];
    let homeless = 0;
    for (const { id, at } of waiting) {
      const to = ledger.place(violation.action, { instant: at });
      if (to === undefined) homeless += 1;
      else moves.push({ id, to });
    }
    const done = yield* moveWaiting(store, moves);
    moved += done;
    left += homeless + moves.length - done;
  }
  return { moved, left };
}

/** What has to move, and from when on it looks for a place: of each grain of time the last so many. */
function* waitingOf(
  store: Store,
  channelId: number,
  { rows, limit }: Violation,
  grainMs: number,
): Script<readonly { readonly id: number; readonly at: number }[]> {
  const instants = rows.map(({ at }) => at);
  const [from, until] = [Math.min(...instants), Math.max(...instants) + grainMs];
  const stretchOf = (at: number) => (limit === 'spacing' ? at : Math.floor(at / grainMs) * grainMs);
  const waiting = groupedBy(
    yield* waitingBetween(store, channelId, from, until),
    ({ at, own }) => `${stretchOf(at)} ${own}`,
  );
  return rows.flatMap(({ at, count, own = false }) =>
    (waiting.get(`${at} ${own ? 1 : 0}`) ?? []).slice(-count).map(({ id }) => ({ id, at })),
  );
}

function* readPlan(
  store: Store,
  workspaceId: number,
  now: number,
): Script<{ readonly plan: Plan; readonly everybody: readonly Known[] }> {
  const known = yield* everybody(store, workspaceId, yield* readSending(store, workspaceId), now);
  const channels = new Map(known.map(({ account }) => [account.channelId, account]));
  const named = ({ channelId, at, own }: Omit<PlannedRow, 'count'>) => {
    const { accountId, action } = channels.get(channelId) as GuardedAccount;
    return { accountId: formatId('account', accountId), action, at, own: own === 1 };
  };
  const grainMs = grainFor(known.map(({ rules }) => rules));
  const planned = yield* readPlanned(store, [...channels.keys()], now, grainMs);
  const tooClose = yield* readTooClose(store, workspaceId, now, MOST_TOO_CLOSE);
  return {
    everybody: known,
    plan: {
      ...{ now, grainMs },
      accounts: new Map(
        known.map(({ account, rules, use }) => [
          formatId('account', account.accountId),
          { rules, taken: use.taken },
        ]),
      ),
      totals: known[0]?.use.totals ?? new Map(),
      planned: planned.map((each) => ({ ...named(each), count: each.count })),
      tooClose: tooClose.map(named),
    },
  };
}

const isOf = (violation: Violation, { accountId, action }: GuardedAccount): boolean =>
  violation.accountId === formatId('account', accountId) && violation.action === action;

/** One an account, with everything as taken that is planned and may stay where it is. */
class Ledgers {
  readonly #ledgers = new Map<string, Ledger>();

  constructor(
    private readonly plan: Plan,
    private readonly everybody: readonly Known[],
  ) {}

  of({ accountId }: Violation): Ledger {
    const known = this.#ledgers.get(accountId) ?? this.#make(accountId);
    this.#ledgers.set(accountId, known);
    return known;
  }

  #make(accountId: string): Ledger {
    const known = this.everybody.find(({ account }) => formatId('account', account.accountId) === accountId);
    if (!known) throw new Error('a plan speaks of an account that it does not know');
    const { account, rules, use } = known;
    const { zone } = rules.calendar;
    const days = new Map(use.taken.days.map((day) => [day.day, { ...day, counts: { ...day.counts } }]));
    const totals = new Map(this.plan.totals);
    for (const { accountId: whose, action, at, count } of this.plan.planned) {
      const total = labelOf(rules.house.dayOf(at));
      totals.set(total, (totals.get(total) ?? 0) + count);
      if (whose !== accountId) continue;
      const day = labelOf(zone.dayOf(at));
      const taken = days.get(day) ?? { day, counts: {} };
      taken.counts[action] = (taken.counts[action] ?? 0) + count;
      days.set(day, {
        ...taken,
        last: Math.max('last' in taken ? (taken.last ?? 0) : 0, at + this.plan.grainMs),
      });
    }
    return new Ledger(
      rules,
      account.accountId,
      { now: this.plan.now, seed: SEED, taken: { ...use.taken, days: [...days.values()] } },
      new Totals(rules, totals),
    );
  }
}
