import { parseAddress } from './core/address.js';
import { parseId } from './core/ids.js';
import type { State } from './core/lifecycle.js';
import type { Lane } from './core/message.js';
import { invalidInput } from './errors.js';
import { ask, type Script } from './store/script.js';
import type { MessageFilter } from './store/scripts/message-list.js';
import type { Store } from './store/store.js';

export interface ListOptions {
  readonly state?: State | readonly State[] | undefined;
  readonly lane?: Lane | undefined;
  readonly campaignId?: string | undefined;
  readonly accountId?: string | undefined;
  /** Exactly this address. */
  readonly to?: string | undefined;
  /** Those that died of this cause, as `deadGroups` names it. */
  readonly fingerprint?: string | undefined;
  /**
   * An id, an idempotency key, a Message-ID, the beginning of an address, or words of the subject (of the newest
   * 50,000 that match the rest).
   */
  readonly q?: string | undefined;
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

const LARGEST_PAGE = 200;
const USUAL_PAGE = 50;
const LONGEST_QUESTION = 998;

export function readLimit(limit = USUAL_PAGE): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_PAGE) return limit;
  throw invalidInput('limit', `should be a whole number from 1 to ${String(LARGEST_PAGE)}`);
}

/** What is asked, as the store understands it; undefined: nothing can match. Throws `invalid_input`. */
export function* readFilter(
  store: Store,
  workspaceId: number,
  options: ListOptions & { readonly limit: number },
): Script<(MessageFilter & { readonly text: string | undefined }) | undefined> {
  const { state, lane, campaignId, accountId, cursor, limit } = options;
  const before = cursor === undefined ? undefined : (parseId('message', cursor) ?? badCursor());
  const to = options.to === undefined ? undefined : addressOf(plain('to', options.to));
  const text = options.q === undefined ? undefined : plain('q', options.q).trim() || undefined;
  // No message belongs to a campaign yet.
  if (campaignId !== undefined) return undefined;
  const channelIds = accountId === undefined ? undefined : yield* channelsOf(store, workspaceId, accountId);
  if (channelIds?.length === 0) return undefined;
  const fingerprint =
    options.fingerprint === undefined ? undefined : plain('fingerprint', options.fingerprint);
  const states = statesOf(state, fingerprint);
  if (states?.length === 0) return undefined;
  return {
    ...{ states, lane, channelIds: channelIds === 'all' ? undefined : channelIds },
    ...{ to, fingerprint, text, before, limit },
  };
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

/** As it would have been stored: the domain in lower case. */
function addressOf(text: string): string {
  const parsed = parseAddress(text);
  return 'address' in parsed ? parsed.address : text;
}

function plain(field: string, text: string): string {
  if (text.includes('\0') || !text.isWellFormed())
    throw invalidInput(field, 'holds characters that no text has');
  if (text.length > LONGEST_QUESTION) throw invalidInput(field, 'is too long');
  return text;
}

/** `all`: the account is the only one, so that asking for it narrows nothing. */
function* channelsOf(
  { db }: Store,
  workspaceId: number,
  accountId: string,
): Script<readonly number[] | 'all'> {
  const account = parseId('account', accountId);
  if (account === undefined) return [];
  const channels = yield* ask(
    db.selectFrom('channels').select(['id', 'account_id']).where('workspace_id', '=', workspaceId),
  );
  const own = channels.filter((channel) => channel.account_id === account);
  return own.length > 0 && own.length === channels.length ? 'all' : own.map(({ id }) => id);
}

function badCursor(): never {
  throw invalidInput('cursor', 'is not a cursor that a list gave');
}
