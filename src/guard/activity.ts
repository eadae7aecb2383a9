import { formatId } from '../core/ids.js';
import type { PlannedGrain, TooClose } from '../core/violations.js';
import { grainFor, violationsOf, type Plan, type Violation } from '../core/violations.js';
import { NOTHING_TAKEN } from '../core/plan/taken.js';
import { labelOf } from '../core/zone.js';
import type { Script } from '../store/script.js';
import { daysSentBefore, readLeft, readLeftTooClose, sendingSince } from '../store/scripts/guard-activity.js';
import { readSending } from '../store/scripts/openings.js';
import type { Store } from '../store/store.js';
import { everybody, type Known } from './known.js';

/** So far back what has left is looked at. */
const DAYS_BACK = 14;
const DAY_MS = 86_400_000;
const MOST_TOO_CLOSE = 1_000;

/**
 * What has left against the rules that hold now, and held already when it left: whoever gives an account less today does
 * not make yesterday a mistake. There should be none; if there is, somebody should know.
 */
export function* leftAgainst(store: Store, workspaceId: number, now: number): Script<readonly Violation[]> {
  const known = yield* everybody(store, workspaceId, yield* readSending(store, workspaceId), now);
  const grainMs = grainFor(known.map(({ rules }) => rules));
  const from = Math.max(now - DAYS_BACK * DAY_MS, yield* sendingSince(store, workspaceId));
  const accounts: [string, Plan['accounts'] extends ReadonlyMap<string, infer Account> ? Account : never][] =
    [];
  const left: PlannedGrain[] = [];
  const tooClose: TooClose[] = [];
  for (const [accountId, actions] of byAccount(known)) {
    const [{ rules, changedAt }] = actions;
    const since = Math.max(from, changedAt);
    const id = formatId('account', accountId);
    const actionOf = new Map(actions.map(({ account }) => [account.channelId, account.action]));
    const named = ({ channelId, at }: { readonly channelId: number; readonly at: number }) => ({
      ...{ accountId: id, action: actionOf.get(channelId) ?? 'email', at },
    });
    const daysSent = yield* daysSentBefore(store, accountId, labelOf(rules.calendar.zone.dayOf(since)));
    accounts.push([id, { rules, taken: { ...NOTHING_TAKEN, daysSent } }]);
    for (const channelId of actionOf.keys()) {
      for (const row of yield* readLeft(store, channelId, since, grainMs))
        left.push({ ...named(row), count: row.count });
    }
    const spacing = { since, spacingMs: rules.spacing.minMs, most: MOST_TOO_CLOSE };
    tooClose.push(...(yield* readLeftTooClose(store, [...actionOf.keys()], spacing)).map(named));
  }
  return violationsOf({
    ...{ now: from, grainMs, planned: left, tooClose },
    accounts: new Map(accounts),
    totals: new Map(),
  });
}

/** An account with all that it does. */
function byAccount(known: readonly Known[]): ReadonlyMap<number, readonly [Known, ...Known[]]> {
  const accounts = new Map<number, [Known, ...Known[]]>();
  for (const each of known) {
    const actions = accounts.get(each.account.accountId);
    if (actions) actions.push(each);
    else accounts.set(each.account.accountId, [each]);
  }
  return accounts;
}
