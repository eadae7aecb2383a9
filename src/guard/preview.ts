import { isDeepStrictEqual } from 'node:util';
import type { Verdict } from '../core/account-standing.js';
import { DELIVERY_DEFAULTS } from '../core/delivery-settings.js';
import { LANES, type Lane } from '../core/message.js';
import { rulesOf } from '../core/rules.js';
import type { AccountSending } from '../core/sending.js';
import {
  judgeChange,
  lookAhead,
  movedWords,
  windowAt,
  type CampaignEnd,
  type Effect,
  type Line,
} from '../core/sending-preview.js';
import { labelOf, zoneNamed } from '../core/zone.js';
import { mergeDelivery, mergeSending, type SendingInput } from '../settings/input.js';
import type { Script } from '../store/script.js';
import { presentAccounts } from '../store/scripts/accounts.js';
import { campaignNames } from '../store/scripts/campaigns.js';
import { readEverybodysUse } from '../store/scripts/everybodys-use.js';
import { guardedAccounts } from '../store/scripts/guard-use.js';
import { readSending } from '../store/scripts/openings.js';
import { readDueTimes } from '../store/scripts/pace.js';
import { readSettings } from '../store/scripts/settings.js';
import type { Store } from '../store/store.js';

/** What a change of the settings would do to what waits now, in numbers and in words. */
export interface Preview extends Effect {
  readonly plate: Verdict;
  /** In which direction mail would move, in a sentence; empty: in none. */
  readonly effect: string;
  /** Those that have something waiting, as far as all of it was looked at. */
  readonly campaigns: readonly (CampaignEnd & { readonly name: string })[];
  /** The workspace's window as it is, and as it would be. */
  readonly window: Readonly<Record<'now' | 'then', ReturnType<typeof windowAt>>>;
}

/** As many of one account are looked at, and as many of all: each is placed twice. */
const MOST_OF_ONE = 10_000;
const MOST_OF_ALL = 20_000;

export function* previewSending(
  store: Store,
  workspaceId: number,
  given: SendingInput,
  now: number,
): Script<Preview> {
  const present = yield* readSending(store, workspaceId);
  const wanted = mergeSending(present, given);
  const { lines, more } = yield* readLines(store, workspaceId, [present, wanted], now);
  const { effect, campaigns } = lookAhead(lines, labelOf(zoneNamed(present.timezone).dayOf(now)));
  const names = yield* campaignNames(
    store,
    campaigns.map(({ id }) => id),
  );
  const changed = !isDeepStrictEqual(JSON.parse(JSON.stringify(present)), JSON.parse(JSON.stringify(wanted)));
  const guarded = yield* readGuarded(store, workspaceId);
  return {
    ...effect,
    // Of a line that was not looked at to its end, nobody knows whose last it holds.
    campaigns: more ? [] : campaigns.map((each) => ({ ...each, name: names.get(each.id) ?? '' })),
    effect: movedWords({ effect }),
    plate: judgeChange({ now, present, wanted, changed, guarded, effect, more }),
    window: { now: windowAt(present, now), then: windowAt(wanted, now) },
  };
}

function* readLines(
  store: Store,
  workspaceId: number,
  [present, wanted]: readonly [Parameters<typeof rulesOf>[0], Parameters<typeof rulesOf>[0]],
  now: number,
): Script<{ readonly lines: readonly Line[]; readonly more: boolean }> {
  const known = new Map(
    (yield* presentAccounts(store, workspaceId)).map((account) => {
      const sending = { ...(JSON.parse(account.sending) as AccountSending), type: account.type };
      return [account.id, { now: rulesOf(present, sending, now), then: rulesOf(wanted, sending, now) }];
    }),
  );
  const everybody = [...known].map(([id, rules]) => ({ id, rules: rules.now }));
  const uses = yield* readEverybodysUse(store, workspaceId, everybody, now);
  const channels = yield* guardedAccounts(store, workspaceId);
  const share = Math.max(1, Math.min(MOST_OF_ONE, Math.floor(MOST_OF_ALL / Math.max(1, channels.length))));
  const lines: Line[] = [];
  let more = false;
  for (const { channelId, accountId, action } of channels) {
    const [rules, use] = [known.get(accountId), uses.get(accountId)];
    if (!rules || !use) continue;
    const due = yield* readDueTimes(store, channelId, share + 1);
    more ||= due.length > share;
    if (due.length === 0) continue;
    const looked = due.slice(0, share);
    lines.push({
      ...{ account: accountId, action, ...rules, use },
      due: looked.map(({ at }) => at),
      campaigns: looked.map(({ campaignId }) => campaignId),
    });
  }
  return { lines, more };
}

function* readGuarded(store: Store, workspaceId: number): Script<Readonly<Record<Lane, boolean>>> {
  const saved = (yield* readSettings(store, workspaceId, 'delivery')) ?? {};
  const { lanes } = mergeDelivery(DELIVERY_DEFAULTS, saved);
  return Object.fromEntries(LANES.map((lane) => [lane, lanes[lane].guarded])) as Record<Lane, boolean>;
}
