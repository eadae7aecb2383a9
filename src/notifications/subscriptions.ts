import { canonicalAddress } from '../core/address.js';
import { PillarboxError } from '../core/errors.js';
import { formatId, parseId } from '../core/ids.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { readLimit, type Page } from '../core/page.js';
import { EMAIL_CONTACT, type SubscriptionStatus } from '../core/subscription.js';
import type { Links } from '../links/links.js';
import type { Script } from '../store/script.js';
import type { Account } from '../store/scripts/accounts.js';
import { saveSubscription, updateSubscription } from '../store/scripts/subscription-writes.js';
import {
  listSubscriptions,
  readSubscription,
  subscriptionHistory,
  type HistoryEntry,
  type Subscription,
} from '../store/scripts/subscriptions.js';
import type { Store } from '../store/store.js';
import { askToConfirm } from './confirmation.js';
import { cursorNumber } from './cursor.js';
import {
  readNewSubscription,
  readSubscriptionPatch,
  type SubscriptionInput,
  type SubscriptionPatch,
} from './input.js';

export interface SubscriptionListOptions {
  readonly topic?: string | undefined;
  readonly status?: SubscriptionStatus | undefined;
  /** The beginning of an address. */
  readonly q?: string | undefined;
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const LIST_OPTIONS: OptionNames<SubscriptionListOptions> = {
  ...{ topic: true, status: true, q: true, limit: true, cursor: true },
};

/** Where addresses come in: knows again who was erased. */
export type PassDoor = (
  addresses: readonly string[],
  write: (script: Script<void>) => Promise<unknown>,
) => undefined | Promise<void>;

/** Who wants to be told of what, how often and when. */
export class Subscriptions {
  constructor(
    private readonly store: Store,
    private readonly account: Account,
    private readonly links: Links,
    private readonly door: PassDoor,
  ) {}

  /**
   * Somebody wants to be told of a topic. A known topic and contact is updated and keeps its id; who has ended it becomes
   * `pending` only. Who is `pending` gets a mail that asks for confirmation. Throws `invalid_input` with the field.
   */
  async add(given: SubscriptionInput, actor = 'library'): Promise<Subscription> {
    const wish = readNewSubscription(given);
    const { store, account } = this;
    if (wish.contactType === EMAIL_CONTACT)
      await this.door([wish.contact], (script) => store.transaction(script));
    const now = await store.now();
    return this.#saved(function* () {
      return (yield* saveSubscription(store, account.workspaceId, wish, { actor, now })).subscription;
    }, now);
  }

  /** What is left out stays as it is; a preference that is null is taken away. */
  async update(id: string, given: SubscriptionPatch, actor = 'library'): Promise<Subscription> {
    const wish = readSubscriptionPatch(given);
    const { store, account } = this;
    const number = numberOf(id);
    const now = await store.now();
    // Whoever changes something else asks nobody to confirm.
    const mayAsk = wish.status !== undefined;
    return this.#saved(
      function* () {
        const change = yield* updateSubscription(store, account.workspaceId, number, wish, { actor, now });
        if (!change) throw unknown(id);
        return change;
      },
      now,
      mayAsk,
    );
  }

  async #saved(save: () => Script<Subscription>, now: number, mayAsk = true): Promise<Subscription> {
    const { store, account, links } = this;
    const { subscription, channelId } = await store.transaction(function* () {
      const subscription = yield* save();
      const { status, contactType } = subscription;
      const asks = mayAsk && status === 'pending' && contactType === EMAIL_CONTACT;
      const channelId = asks ? yield* askToConfirm(store, account, links, subscription, now) : undefined;
      return { subscription, channelId };
    });
    if (channelId !== undefined) store.wake(channelId);
    return subscription;
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<Subscription> {
    const number = numberOf(id);
    const { store, account } = this;
    const found = await store.read(readSubscription(store, account.workspaceId, number));
    if (!found) throw unknown(id);
    return found;
  }

  /** Newest first. */
  async list(options: SubscriptionListOptions = {}): Promise<Page<Subscription>> {
    knownOptions(options, LIST_OPTIONS);
    const { topic, status, q, cursor } = options;
    const limit = readLimit(options.limit);
    const filter = { topic, status, contactPrefix: q === undefined ? undefined : canonicalAddress(q) };
    const { store, account } = this;
    const before = cursorNumber('subscription', cursor);
    const items = await store.read(listSubscriptions(store, account.workspaceId, filter, { before, limit }));
    const last = items.length === limit ? items.at(-1) : undefined;
    return { items, nextCursor: last ? formatId('subscription', last.id) : null };
  }

  /** What happened to it, newest first. */
  async history(
    id: string,
    options: { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
  ): Promise<Page<HistoryEntry>> {
    const { id: number } = await this.get(id);
    const limit = readLimit(options.limit);
    const before = cursorNumber('happening', options.cursor);
    const items = await this.store.read(subscriptionHistory(this.store, number, { before, limit }));
    const last = items.length === limit ? items.at(-1) : undefined;
    return { items, nextCursor: last ? formatId('happening', last.id) : null };
  }
}

const unknown = (id: string): PillarboxError =>
  new PillarboxError('not_found', `there is no subscription ${id.slice(0, 60)} here`);

function numberOf(id: string): number {
  const number = parseId('subscription', id);
  if (number === undefined) throw unknown(id);
  return number;
}
