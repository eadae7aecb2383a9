import { accountDay, openMinutes, type AccountDay } from '../core/account-day.js';
import {
  DELIVERY_DEFAULTS,
  type DeliverySettings,
  type HealthThresholds,
} from '../core/delivery-settings.js';
import { LANES, type Action, type Lane } from '../core/message.js';
import { ACTIONS_OF, rulesOf, type Rules } from '../core/rules.js';
import type { AccountSending } from '../core/sending.js';
import { zoneWords } from '../core/time-words.js';
import { readBounced, type Bounced } from '../store/scripts/account-health.js';
import { MOST_WAITING, type AccountQueue } from '../store/scripts/account-queues.js';
import type { Account } from '../store/scripts/accounts.js';
import { countWaitingEach, readEverybodysUse } from '../store/scripts/everybodys-use.js';
import { readSending } from '../store/scripts/openings.js';
import { readSettings } from '../store/scripts/settings.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';

/** What an account does today: of each action how much and what binds it, when it may, and what bounced. */
export interface AccountToday {
  readonly rows: readonly DayRow[];
  /** Nothing of it leaves without the guard. */
  readonly guardedOnly: boolean;
  readonly window: Window;
  readonly bounced: Bounced & Pick<HealthThresholds, 'bouncePercent' | 'days'>;
}

export type DayRow = AccountDay & {
  /** False: its mail leaves whatever these say. */
  readonly guarded: boolean;
};

/** The local day: its open times and now, in minutes of its clock. */
export interface Window {
  readonly timezone: string;
  readonly zone: string;
  readonly open: readonly (readonly [from: number, to: number])[];
  readonly minute: number;
}

interface Known {
  readonly account: Account;
  readonly rules: Rules;
  readonly channels: readonly AccountQueue[];
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** By account. As many questions for a thousand accounts as for ten, but for those that bounce. */
export function* readAccountsToday(
  store: Store,
  workspaceId: number,
  {
    accounts,
    queues,
    now,
  }: {
    readonly accounts: readonly Account[];
    readonly queues: readonly AccountQueue[];
    readonly now: number;
  },
): Script<ReadonlyMap<number, AccountToday>> {
  const settings = yield* readSending(store, workspaceId);
  const known = accounts.map((account): Known => {
    const sending = JSON.parse(account.sending) as AccountSending;
    return {
      account,
      rules: rulesOf(settings, { ...sending, type: account.type }, now),
      channels: queues.filter(({ accountId }) => accountId === account.id),
    };
  });
  const lanes = yield* guardedLanes(store, workspaceId);
  const everybody = known.map(({ account: { id }, rules }) => ({ id, rules }));
  const uses = yield* readEverybodysUse(store, workspaceId, everybody, now);
  const planned = yield* readPlannedToday(store, known, now);
  const { thresholds, accounts: bounced } = yield* readBounced(store, workspaceId, now);
  return new Map(
    known.map(({ account, rules, channels }) => {
      const use = uses.get(account.id);
      if (!use) throw new Error('of an account that was asked for, nothing was read');
      const rows = ACTIONS_OF[account.type].map((action) => {
        const channel = channels.find((each) => each.guarded && each.action === action);
        const facts = { account: account.id, action, rules, use };
        return {
          ...accountDay({ ...facts, planned: planned.get(channel?.channelId ?? 0) ?? 0 }),
          // Whoever has sent nothing yet may do so under the guard, or without it: nothing is shut to it.
          ...(channel === undefined && { standing: 'open' as const, until: null }),
          guarded: channel !== undefined || !sendsUnguarded(channels, action, lanes),
        };
      });
      return [
        account.id,
        {
          rows,
          guardedOnly: channels.length > 0 && channels.every(({ guarded }) => guarded),
          window: windowOf(rules, now),
          bounced: {
            ...(bounced.get(account.id) ?? { bounces: 0, sends: 0 }),
            ...{ bouncePercent: thresholds.bouncePercent, days: thresholds.days },
          },
        },
      ];
    }),
  );
}

/** Those whose mail is guarded unless it says otherwise. */
function* guardedLanes(store: Store, workspaceId: number): Script<ReadonlySet<Lane>> {
  const saved = (yield* readSettings(store, workspaceId, 'delivery')) as
    Partial<DeliverySettings> | undefined;
  const usual = DELIVERY_DEFAULTS.lanes;
  return new Set(LANES.filter((lane) => ({ ...usual[lane], ...saved?.lanes?.[lane] }).guarded));
}

/** What a lane has sent in the past does not matter if it is guarded by now. */
const sendsUnguarded = (
  channels: readonly AccountQueue[],
  action: Action,
  lanes: ReadonlySet<Lane>,
): boolean =>
  channels.some(
    (channel) =>
      !channel.guarded && channel.action === action && (!lanes.has(channel.lane) || channel.waiting > 0),
  );

/** Days end at another instant in another zone: those that end together are asked for together. */
function* readPlannedToday(
  store: Store,
  known: readonly Known[],
  now: number,
): Script<ReadonlyMap<number, number>> {
  const byEnd = new Map<number, number[]>();
  for (const { rules, channels } of known) {
    const end = rules.calendar.zone.dayEnd(now);
    const guarded = channels.filter((channel) => channel.guarded).map(({ channelId }) => channelId);
    byEnd.set(end, [...(byEnd.get(end) ?? []), ...guarded]);
  }
  const planned = new Map<number, number>();
  for (const [end, channelIds] of byEnd) {
    for (const [id, n] of yield* countWaitingEach(store, channelIds, end, MOST_WAITING + 1)) {
      planned.set(id, n);
    }
  }
  return planned;
}

function windowOf(rules: Rules, now: number): Window {
  const { zone } = rules.calendar;
  const minute = Math.floor((now + zone.offsetAt(now)) / MINUTE_MS) % DAY_MINUTES;
  return { timezone: zone.name, zone: zoneWords(now, zone.name), open: openMinutes(rules, now), minute };
}
