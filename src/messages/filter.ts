import { canonicalAddress, parseAddress } from '../core/address.js';
import { parseId } from '../core/ids.js';
import type { OptionNames } from '../core/known-options.js';
import type { State } from '../core/lifecycle.js';
import type { Lane } from '../core/message.js';
import { invalidInput } from '../core/errors.js';
import type { Script } from '../store/script.js';
import { listChannels } from '../store/scripts/channels.js';
import type { MessageFilter } from '../store/scripts/message-list.js';
import type { Store } from '../store/store.js';
import { localSpans, readDates } from './local-days.js';

export interface ListOptions {
  readonly state?: State | readonly State[] | undefined;
  readonly lane?: Lane | undefined;
  readonly campaignId?: string | undefined;
  readonly accountId?: string | undefined;
  /** Those that tell of one event; those that tell one subscription. */
  readonly eventId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** Those that ended for this reason, as an event's `reasons` name it; only with `eventId`. */
  readonly reason?: string | undefined;
  /** Those of this step; only with `campaignId`. */
  readonly step?: number | undefined;
  /**
   * What has left or ended on this local date of its account, and what is to leave on it: `2026-11-17`, or
   * `2026-11-16/2026-11-22`. What is late belongs to today. Only with `campaignId`.
   */
  readonly day?: string | undefined;
  /** This address, in whatever spelling. */
  readonly to?: string | undefined;
  /** Those that died of this cause, as `deadGroups` names it. */
  readonly fingerprint?: string | undefined;
  /**
   * An id, an idempotency key, a Message-ID, the beginning of an address, or words of the subject (the first eight
   * that differ, in the newest 50,000 that match the rest).
   */
  readonly q?: string | undefined;
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export const LIST_OPTIONS: OptionNames<ListOptions> = {
  ...{ state: true, lane: true, campaignId: true, accountId: true, to: true, fingerprint: true, q: true },
  ...{ eventId: true, subscriptionId: true, reason: true, step: true, day: true, limit: true, cursor: true },
};

const LONGEST_QUESTION = 998;

/** What is asked, as the store understands it; undefined: nothing can match. Throws `invalid_input`. */
export function* readFilter(
  store: Store,
  workspaceId: number,
  options: ListOptions & { readonly limit: number },
  now: number,
): Script<(MessageFilter & { readonly text: string | undefined }) | undefined> {
  const { state, lane, campaignId, accountId, cursor, limit, step } = options;
  const dates = options.day === undefined ? undefined : readDates(options.day);
  checkCampaign(options);
  const reason = options.reason === undefined ? undefined : plain('reason', options.reason);
  if (reason !== undefined && options.eventId === undefined)
    throw invalidInput('reason', 'is asked of one event: give eventId, too');
  const before = cursor === undefined ? undefined : (parseId('message', cursor) ?? badCursor());
  const to = options.to === undefined ? undefined : spellingsOf(plain('to', options.to));
  const text = options.q === undefined ? undefined : plain('q', options.q).trim() || undefined;
  const campaign = named('campaign', campaignId);
  const event = named('event', options.eventId);
  const subscription = named('subscription', options.subscriptionId);
  if ([campaign, event, subscription].includes(null)) return undefined;
  const channelIds = accountId === undefined ? undefined : yield* channelsOf(store, workspaceId, accountId);
  if (channelIds?.length === 0) return undefined;
  const fingerprint =
    options.fingerprint === undefined ? undefined : plain('fingerprint', options.fingerprint);
  const states = statesOf(state, fingerprint);
  if (states?.length === 0) return undefined;
  return {
    ...{ states, lane, channelIds: channelIds === 'all' ? undefined : channelIds },
    ...{ to, fingerprint, text, before, limit, campaignId: campaign ?? undefined, step },
    ...{ eventId: event ?? undefined, subscriptionId: subscription ?? undefined, reason },
    spans: dates && (yield* localSpans(store, workspaceId, dates, now)),
  };
}

/** Null: nothing is called so, so nothing can match. */
const named = (
  kind: 'campaign' | 'event' | 'subscription',
  id: string | undefined,
): number | null | undefined => (id === undefined ? undefined : (parseId(kind, id) ?? null));

/** Steps and days are looked for among the messages of a campaign, row by row. */
function checkCampaign({ campaignId, step, day }: ListOptions): void {
  if (step !== undefined && (!Number.isInteger(step) || step < 1))
    throw invalidInput('step', 'should be the number of a step, from 1');
  const field = step !== undefined ? 'step' : day !== undefined ? 'day' : undefined;
  if (field !== undefined && campaignId === undefined)
    throw invalidInput(field, 'is asked of one campaign: give campaignId, too');
}

/** Only what is dead has a cause. */
function statesOf(
  asked: State | readonly State[] | undefined,
  fingerprint: string | undefined,
): readonly State[] | undefined {
  const states = asked === undefined ? undefined : [asked].flat();
  if (fingerprint === undefined) return states;
  return states === undefined || states.includes('dead') ? ['dead'] : [];
}

/** As it is stored, and as it would have been stored long ago: only the domain in lower case. */
function spellingsOf(text: string): readonly string[] {
  const parsed = parseAddress(text);
  const address = 'address' in parsed ? parsed.address : text;
  return [...new Set([canonicalAddress(address), address])];
}

function plain(field: string, text: string): string {
  if (text.includes('\0') || !text.isWellFormed())
    throw invalidInput(field, 'holds characters that no text has');
  if (text.length > LONGEST_QUESTION) throw invalidInput(field, 'is too long');
  return text;
}

/** `all`: the account is the only one, so that asking for it narrows nothing. */
function* channelsOf(
  store: Store,
  workspaceId: number,
  accountId: string,
): Script<readonly number[] | 'all'> {
  const account = parseId('account', accountId);
  if (account === undefined) return [];
  const channels = yield* listChannels(store, workspaceId);
  const own = channels.filter((channel) => channel.accountId === account);
  return own.length > 0 && own.length === channels.length ? 'all' : own.map(({ id }) => id);
}

function badCursor(): never {
  throw invalidInput('cursor', 'is not a cursor that a list gave');
}
