import { formatId } from '../core/ids.js';
import { limitsAt, roomOf, type Limit } from '../core/limits.js';
import { spacingWords } from '../core/limit-words.js';
import type { Action } from '../core/message.js';
import { quotaOn } from '../core/opening.js';
import { dayQuotas } from '../core/plan/day-quotas.js';
import { hasMail } from '../core/plan/taken.js';
import { windowWords } from '../core/window-words.js';
import { labelOf } from '../core/zone.js';
import type { Script } from '../store/script.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import { othersOf } from '../store/scripts/campaign-figures.js';
import { readUse } from '../store/scripts/guard-use.js';
import { readProspects } from '../store/scripts/plan-pages.js';
import { readReady } from '../store/scripts/ready-messages.js';
import type { Store } from '../store/store.js';
import { readFacts } from './concerned.js';
import { Lacking, type Needed } from './lacking.js';
import {
  firstKey,
  launchedDays,
  nothingLeftOut,
  planPage,
  reachableBy,
  type LeftOut,
  type PlannedMessage,
} from './page.js';
import { readWorld, type World } from './world.js';
import { warningsOf, type Warning } from './warnings.js';

const PEOPLE_AT_ONCE = 500;

export interface PlannedDay {
  readonly date: string;
  readonly accountId: string;
  readonly count: number;
  /** What the account may send on that date. */
  readonly quota: number;
}

export interface AccountCapacity {
  readonly accountId: string;
  /** So many of what the campaign sends on a day with nothing else. */
  readonly perDay: number;
  readonly binding: Limit;
  readonly next: Limit | null;
  /** The local date of its last message; null: it sends none. */
  readonly doneOn: string | null;
}

/** What a launch would come to. */
export interface DryRun {
  readonly total: number;
  /** People who would get something of it. */
  readonly mailed: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** When the last of them gets the first of it. */
  readonly reachesAllAt: number | null;
  /** Which version a launch would pin, or has pinned. */
  readonly sequenceVersion: number | null;
  readonly days: readonly PlannedDay[];
  readonly capacity: readonly AccountCapacity[];
  readonly warnings: readonly Warning[];
  /** When its accounts may send and how far apart, if that is the same for all; null: it is not. */
  readonly pace: string | null;
}

interface Sum {
  total: number;
  first: number;
  last: number;
  people: number;
  homeless: number;
  /** Of the first message of each person, the last. */
  reached: number;
  readonly mailed: Set<number>;
  readonly leftOut: LeftOut;
  readonly lacking: Lacking;
  /** By account, action and day. */
  readonly days: Map<string, { accountId: number; action: Action; day: string; count: number }>;
}

/** The planner with a sink that counts: nothing is stored, and nobody is locked. */
export function* dryRun(
  store: Store,
  campaign: CampaignRow,
  needed: readonly Needed[],
  now: number,
): Script<DryRun> {
  const world = yield* readWorld(store, campaign, now);
  const sum: Sum = {
    ...{ total: 0, first: Infinity, last: -Infinity, people: 0, homeless: 0, reached: -Infinity },
    mailed: new Set(),
    ...{ leftOut: nothingLeftOut(), lacking: new Lacking(needed), days: new Map() },
  };
  yield* countSequence(store, campaign, world, sum);
  yield* countReady(store, campaign, world, sum);
  const others = yield* othersOf(store, campaign.id);
  const days = daysOf(world, sum);
  const capacity = yield* capacityOf(store, campaign, world, sum);
  return {
    total: sum.total,
    firstAt: sum.total === 0 ? null : sum.first,
    lastAt: sum.total === 0 ? null : sum.last,
    mailed: sum.mailed.size,
    reachesAllAt: sum.total === 0 ? null : sum.reached,
    sequenceVersion: world.sequence?.version ?? null,
    days,
    capacity,
    pace: paceOf(world),
    warnings: warningsOf({
      ...{ ...sum, world, campaign, others, days, capacity },
      lacking: sum.lacking.found,
      postalAddress: world.postalAddress,
    }),
  };
}

function paceOf({ accounts, terms }: World): string | null {
  // Whoever is written to in his own time zone has hours of his own.
  if (terms.timezone === 'recipient') return null;
  const each = [...accounts.values()].map(({ rules: { spacing }, window }) => {
    const apart = spacing.maxMs === 0 ? '' : `${spacingWords(spacing)} apart, `;
    return `${apart}${windowWords(window)} ${window.timezone}`;
  });
  return new Set(each).size === 1 ? (each[0] ?? null) : null;
}

function* countSequence(store: Store, campaign: CampaignRow, world: World, sum: Sum): Script<void> {
  const fit = world.fitFor(world.steps);
  const { maxNewPerDay, prioritize, timezone } = world.terms;
  if (maxNewPerDay === 0) return;
  if (prioritize === 'new' && timezone === 'account')
    fit.reserveNew(
      Array.from(
        { length: campaign.enrolled - campaign.planned_through },
        (_, n) => campaign.planned_through + n + 1,
      ),
    );
  for (let from = campaign.planned_through; from < campaign.enrolled;) {
    const page = yield* readProspects(store, campaign, from, PEOPLE_AT_ONCE, {
      attributes: sum.lacking.asksForAttributes,
    });
    const { prospects } = page;
    const facts = yield* readFacts(store, campaign, world, prospects);
    const planned = planPage(world, fit, prospects, facts);
    sum.people += prospects.length;
    for (const prospect of prospects) {
      const key = firstKey(world, prospect);
      if (key === undefined || !facts.known.has(key))
        sum.lacking.look(prospect, reachableBy(prospect, facts));
    }
    for (const why of Object.keys(planned.leftOut) as (keyof LeftOut)[])
      sum.leftOut[why] += planned.leftOut[why];
    count(world, sum, planned.rows);
    if (planned.homeless) {
      sum.homeless = campaign.enrolled - planned.homeless.position + 1;
      return;
    }
    from = page.through;
  }
}

function* countReady(store: Store, campaign: CampaignRow, world: World, sum: Sum): Script<void> {
  for (let after = 0; ;) {
    const ready = yield* readReady(store, campaign.id, after, PEOPLE_AT_ONCE);
    for (const { action, contactId, position, timezone, active } of ready) {
      if (!active) continue;
      const fit = world.fitFor([{ action, delayDays: 0 }]);
      const account = fit.accountFor(action, position ?? contactId);
      if (!account) continue;
      const window = world.windowOf(account.id, timezone);
      const { placed, homeless, late } = fit.place({
        ...{ position: position ?? contactId, reachable: [action], window },
      });
      sum.homeless += homeless;
      sum.leftOut.late += late;
      count(
        world,
        sum,
        placed.map(({ at }) => ({ accountId: account.id, action, dueAt: at, contactId })),
      );
    }
    const last = ready.at(-1);
    if (!last || ready.length < PEOPLE_AT_ONCE) return;
    after = last.id;
  }
}

function count(
  world: World,
  sum: Sum,
  rows: readonly Pick<PlannedMessage, 'accountId' | 'action' | 'dueAt' | 'contactId'>[],
): void {
  for (const { dueAt, contactId } of rows) {
    // A person's come in their order.
    if (!sum.mailed.has(contactId)) sum.reached = Math.max(sum.reached, dueAt);
    sum.mailed.add(contactId);
    sum.first = Math.min(sum.first, dueAt);
    sum.last = Math.max(sum.last, dueAt);
  }
  sum.total += rows.length;
  for (const { accountId, action, day, count: more } of launchedDays(world, rows)) {
    const key = `${accountId} ${action} ${day}`;
    const known = sum.days.get(key) ?? { accountId, action, day, count: 0 };
    sum.days.set(key, { ...known, count: known.count + more });
  }
}

/** By date and account, over all actions. */
function daysOf(world: World, { days }: Sum): readonly PlannedDay[] {
  const quotas = new Map(
    [...world.accounts].map(([id, { rules, taken }]) => [
      id,
      dayQuotas(rules, {
        today: labelOf(rules.calendar.zone.dayOf(world.now)),
        daysSent: taken.daysSent,
        dates: [
          ...taken.days.filter(hasMail).map(({ day }) => day),
          ...[...days.values()].filter(({ accountId }) => accountId === id).map(({ day }) => day),
        ],
      }),
    ]),
  );
  const byDay = new Map<string, { accountId: number; date: string; count: number; quota: number }>();
  for (const { accountId, action, day, count: more } of days.values()) {
    const key = `${day} ${accountId}`;
    const known = byDay.get(key) ?? { accountId, date: day, count: 0, quota: 0 };
    const quota = quotas.get(accountId)?.(action, day) ?? 0;
    byDay.set(key, { ...known, count: known.count + more, quota: known.quota + quota });
  }
  return [...byDay.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { accountId, ...day }]) => ({ ...day, accountId: formatId('account', accountId) }));
}

function* capacityOf(
  store: Store,
  campaign: CampaignRow,
  world: World,
  { days }: Sum,
): Script<readonly AccountCapacity[]> {
  const found: AccountCapacity[] = [];
  for (const { account, rules } of world.accounts.values()) {
    const action =
      world.steps.find((step) => (step.action === 'email') === (account.type === 'email'))?.action ??
      (account.type === 'email' ? 'email' : 'message');
    const use = yield* readUse(
      store,
      { accountId: account.id, workspaceId: campaign.workspace_id },
      rules,
      world.now,
    );
    // The first time at which it may send: what binds there.
    const at = rules.calendar.next(world.now);
    const limits = limitsAt(rules, action, Number.isNaN(at) ? world.now : at, use).sort(
      (one, other) => roomOf(one) - roomOf(other),
    );
    const { daysSent } = use.taken;
    const own = [...days.values()].filter(({ accountId }) => accountId === account.id);
    found.push({
      accountId: formatId('account', account.id),
      perDay: Math.min(rules.dailyQuota, quotaOn(rules, action, { daysSent, restOfWeek: 0, restOfMonth: 0 })),
      binding: limits[0] ?? { kind: 'window', max: 0, used: 0 },
      next: limits[1] ?? null,
      doneOn: own.reduce<string | null>((last, { day }) => (last === null || day > last ? day : last), null),
    });
  }
  return found;
}
