import { readTerms, type Terms } from '../core/campaign.js';
import { calendarFor, type Calendar } from '../core/calendar.js';
import {
  DELIVERY_DEFAULTS,
  type DeliverySettings,
  type LaneDelivery,
  type WorkspaceProfile,
} from '../core/delivery-settings.js';
import { formatId } from '../core/ids.js';
import { recipientSlots, windowSlots } from '../core/plan/account-slots.js';
import { FirstFit, type Bounds, type SendingAccount, type Step } from '../core/plan/first-fit.js';
import { Ledger } from '../core/plan/ledger.js';
import { OwnSlots } from '../core/plan/own-slots.js';
import { totalsWithPlanned, withPlanned, type PlannedGrain } from '../core/plan/planned.js';
import { DayRoom } from '../core/plan/room.js';
import type { Taken } from '../core/plan/taken.js';
import { Totals } from '../core/plan/totals.js';
import { rulesOf, type Rules } from '../core/rules.js';
import type { AccountSending, SendingSettings, SendingWindow } from '../core/sending.js';
import type { Action } from '../core/message.js';
import type { Script } from '../store/script.js';
import { presentAccounts, type Account } from '../store/scripts/accounts.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import { guardedAccounts, readUse, type GuardedAccount } from '../store/scripts/guard-use.js';
import { readSending } from '../store/scripts/openings.js';
import {
  readCampaignInstants,
  readInstants,
  readWaiting,
  type WaitingGrain,
} from '../store/scripts/planned.js';
import { readSequence, readSequenceVersion, type SequenceStep } from '../store/scripts/sequences.js';
import { readSettings } from '../store/scripts/settings.js';
import type { Store } from '../store/store.js';

/** One account of a campaign, and what holds for it. */
export interface CampaignAccount {
  readonly account: Account;
  readonly rules: Rules;
  readonly window: SendingWindow;
  readonly holidays: readonly string[];
  /** What of its time was taken when it was read, by whatever campaign. */
  readonly taken: Taken;
}

/** Everything that a plan follows from, as it is at one moment: what is free, and what the campaign sets itself. */
export interface World {
  readonly now: number;
  readonly terms: Terms;
  readonly settings: SendingSettings;
  readonly lane: LaneDelivery;
  /** Empty: the workspace has none. */
  readonly postalAddress: string;
  readonly sequence: {
    readonly id: number;
    readonly publicId: string;
    readonly version: number;
    readonly name: string;
  } | null;
  readonly steps: readonly SequenceStep[];
  readonly accounts: ReadonlyMap<number, CampaignAccount>;
  /** Its guarded channels. 0: it has none yet, and nothing can be stored for it. */
  channelOf(accountId: number, action: Action): number;
  /** Places people on what is free; all that one world makes share it. */
  fitFor(steps: readonly Step[]): FirstFit;
  /** The window of a person in that zone, by what an account's own is; undefined: the account's holds. */
  windowOf(accountId: number | undefined, timezone: string | null): Calendar | undefined;
}

const MS_A_DAY = 86_400_000;

/** Its accounts in their order, without those that are gone; those that are paused only if all of them are. */
export function* readCampaignAccounts(store: Store, campaign: CampaignRow): Script<readonly Account[]> {
  const wanted = JSON.parse(campaign.account_ids) as readonly number[];
  const present = new Map(
    (yield* presentAccounts(store, campaign.workspace_id)).map((account) => [account.id, account]),
  );
  const known = wanted.flatMap((id) => present.get(id) ?? []);
  const active = known.filter(({ pausedAt }) => pausedAt === null);
  return active.length > 0 ? active : known;
}

/** The version that was pinned at its launch, or the newest. */
export function* readSteps(
  store: Store,
  { workspace_id, sequence_id, sequence_version }: CampaignRow,
): Script<{ readonly sequence: World['sequence']; readonly steps: readonly SequenceStep[] }> {
  if (sequence_id === null) return { sequence: null, steps: [] };
  const found =
    sequence_version === null
      ? yield* readSequence(store, workspace_id, sequence_id)
      : yield* readSequenceVersion(store, workspace_id, sequence_id, sequence_version);
  if (!found) return { sequence: null, steps: [] };
  return {
    sequence: {
      id: sequence_id,
      publicId: formatId('sequence', sequence_id),
      version: found.version,
      name: found.name,
    },
    steps: found.steps,
  };
}

export function* readWorld(store: Store, campaign: CampaignRow, now: number): Script<World> {
  const workspaceId = campaign.workspace_id;
  const terms = readTerms(campaign.terms);
  const settings = yield* readSending(store, workspaceId);
  const delivery = (yield* readSettings(store, workspaceId, 'delivery')) as
    Partial<DeliverySettings> | undefined;
  const profile = (yield* readSettings(store, workspaceId, 'workspace')) as
    Partial<WorkspaceProfile> | undefined;
  const { sequence, steps } = yield* readSteps(store, campaign);
  const all = yield* readCampaignAccounts(store, campaign);
  const channels = yield* guardedAccounts(store, workspaceId);
  const waiting = yield* readWaiting(
    store,
    channels.map(({ channelId }) => channelId),
  );
  const accounts = new Map<number, CampaignAccount>();
  const senders: SendingAccount[] = [];
  let totals: Totals | undefined;
  for (const known of all.map((account) => withRules(account, settings, now))) {
    const { account, rules, window, holidays } = known;
    const use = yield* readUse(store, { accountId: account.id, workspaceId }, rules, now);
    totals ??= new Totals(rules, totalsWithPlanned(use.totals, rules.house, now, waiting));
    const taken = withPlanned(use.taken, rules, now, grainsOf(account.id, channels, waiting));
    accounts.set(account.id, { ...known, taken });
    const planning = { now, seed: campaign.seed, taken };
    const own = channels
      .filter(({ accountId }) => accountId === account.id)
      .map(({ channelId }) => channelId);
    senders.push({
      id: account.id,
      type: account.type,
      capacity: capacityOf(rules, account.type, steps),
      slots:
        terms.timezone === 'account'
          ? windowSlots(new Ledger(rules, account.id, planning, totals))
          : recipientSlots(
              new OwnSlots(rules, account.id, planning, totals, yield* readInstants(store, own, now)),
              calendarFor(window, holidays, now),
            ),
    });
  }
  const byAccount = new Map<number, Map<Action, number>>();
  for (const { accountId, action, channelId } of channels)
    byAccount.set(accountId, (byAccount.get(accountId) ?? new Map<Action, number>()).set(action, channelId));
  const bounds = yield* boundsOf(store, campaign, terms, accounts, now);
  return {
    ...{ now, terms, settings, sequence, steps, accounts },
    postalAddress: profile?.postalAddress?.trim() ?? '',
    lane: { ...DELIVERY_DEFAULTS.lanes.campaign, ...delivery?.lanes?.campaign },
    channelOf: (accountId, action) => byAccount.get(accountId)?.get(action) ?? 0,
    fitFor: (wanted) => new FirstFit(able(senders), wanted, bounds),
    windowOf(accountId, timezone) {
      const known = accountId === undefined ? undefined : accounts.get(accountId);
      if (terms.timezone === 'account' || !known || timezone === null) return undefined;
      return calendarFor({ ...known.window, timezone }, known.holidays, now);
    },
  };
}

/** Nobody is dealt to an account that may never send what it is asked for, unless all others are like it. */
const able = (senders: readonly SendingAccount[]): readonly SendingAccount[] =>
  senders.filter(
    ({ type, capacity }) =>
      capacity > 0 || senders.every((other) => other.type !== type || other.capacity === 0),
  );

function withRules(account: Account, settings: SendingSettings, now: number): Omit<CampaignAccount, 'taken'> {
  const sending = JSON.parse(account.sending) as AccountSending;
  return {
    account,
    rules: rulesOf(settings, { ...sending, type: account.type }, now),
    window: sending.window ?? settings,
    holidays: [...settings.holidays, ...(sending.holidays ?? [])],
  };
}

function* grainsOf(
  accountId: number,
  channels: readonly GuardedAccount[],
  waiting: readonly WaitingGrain[],
): Generator<PlannedGrain> {
  const own = new Map(
    channels
      .filter((each) => each.accountId === accountId)
      .map(({ channelId, action }) => [channelId, action]),
  );
  for (const { channelId, first, last, count } of waiting) {
    const action = own.get(channelId);
    if (action) yield { action, first, last, count };
  }
}

/** How many a day an account could send of what it is first asked for. */
function capacityOf(rules: Rules, type: Account['type'], steps: readonly SequenceStep[]): number {
  const usual: Action = type === 'email' ? 'email' : 'message';
  const asked = steps.find(({ action }) => (action === 'email') === (type === 'email'))?.action ?? usual;
  const { hour, day, week, month } = rules.limits[asked];
  return Math.min(hour, week, month) === 0 ? 0 : Math.min(day, rules.dailyQuota);
}

function* boundsOf(
  store: Store,
  campaign: CampaignRow,
  { startAt, endAt, dailyLimit, maxNewPerDay, deal }: Terms,
  accounts: World['accounts'],
  now: number,
): Script<Bounds> {
  const [first] = accounts.values();
  const bounds = { deal, startAt: Math.max(startAt ?? now, now), endAt: endAt ?? undefined };
  if (!first || (dailyLimit === null && maxNewPerDay === null)) return bounds;
  const { house } = first.rules;
  const rows = yield* readCampaignInstants(store, campaign.id, now - MS_A_DAY);
  const counted = (only: (step: number | null) => boolean) => {
    const days = new Map<number, number>();
    for (const { at, step } of rows) {
      const day = house.dayOf(at);
      if (only(step)) days.set(day, (days.get(day) ?? 0) + 1);
    }
    return days;
  };
  return {
    ...bounds,
    ...(dailyLimit !== null && {
      rooms: [
        new DayRoom(
          house,
          dailyLimit,
          counted(() => true),
        ),
      ],
    }),
    ...(maxNewPerDay !== null && {
      newRooms: [
        new DayRoom(
          house,
          maxNewPerDay,
          counted((step) => step === null || step === 1),
        ),
      ],
    }),
  };
}
