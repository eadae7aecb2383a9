import { canonicalAddress } from '../core/address.js';
import { bulkTally, type BulkTally } from '../core/bulk-tally.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { formatId, parseId } from '../core/ids.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { readLimit, type Page } from '../core/page.js';
import { EMAIL_CONTACT, type SubscriptionStatus } from '../core/subscription.js';
import { eventTitle } from '../core/event-words.js';
import { happeningWords, type HappeningWords } from '../core/subscription-history.js';
import type { Links } from '../links/links.js';
import type { Script } from '../store/script.js';
import type { Account } from '../store/scripts/accounts.js';
import { readEvents } from '../store/scripts/events.js';
import { readTimezone } from '../store/scripts/settings.js';
import { countActive, topicsOf } from '../store/scripts/subscription-figures.js';
import {
  changeStatuses,
  saveSubscription,
  updateSubscription,
} from '../store/scripts/subscription-writes.js';
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
  EXPORT_HEAD,
  exportLine,
  importLines,
  reasonOf,
  type ImportLine,
  type ImportReport,
} from './import.js';
import {
  readNewSubscription,
  readSubscriptionPatch,
  type SubscriptionInput,
  type SubscriptionPatch,
} from './input.js';
import { subscriptionViews, type SubscriptionView } from './subscription-views.js';

export interface SubscriptionListOptions {
  readonly topic?: string | undefined;
  /** `snoozed`: active, and told again after a time. */
  readonly status?: SubscriptionStatus | 'snoozed' | undefined;
  /** The beginning of an address. */
  readonly q?: string | undefined;
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const LIST_OPTIONS: OptionNames<SubscriptionListOptions> = {
  ...{ topic: true, status: true, q: true, limit: true, cursor: true },
};

/** How many are told when something happens, and of what. */
export interface SubscriptionsStanding {
  /** Not counted further than `countedTo`. */
  readonly active: number;
  readonly countedTo: number;
  /** In the order of the letters; the first of them, where there are many. */
  readonly topics: readonly string[];
  readonly topicsAreAll: boolean;
}

/** What nobody has to be asked for first. */
export const BULK_STATUSES = [
  'active',
  'paused',
  'unsubscribed',
] as const satisfies readonly SubscriptionStatus[];
export type BulkStatus = (typeof BULK_STATUSES)[number];

const MOST_AT_ONCE = 1_000;
const COUNTED_TO = 100_000;
const TOPICS_SHOWN = 200;

export interface HistoryLine extends HistoryEntry {
  readonly words: HappeningWords;
  /** What the event is called that it tells of, while that is kept. */
  readonly about: string | null;
}

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

  /**
   * The same status for up to 1,000, in one step. Nobody is asked to confirm by it: who comes back only if he agrees is a
   * conflict, and stays as he is.
   */
  async updateMany(ids: readonly string[], status: BulkStatus, actor = 'library'): Promise<BulkTally> {
    if (!BULK_STATUSES.includes(status))
      throw invalidInput('status', `should be one of ${BULK_STATUSES.join(', ')}`);
    if (ids.length > MOST_AT_ONCE)
      throw invalidInput('ids', `are more than ${MOST_AT_ONCE.toLocaleString('en')}: ask in parts`);
    const { store, account } = this;
    const numbers = new Map(ids.map((id) => [id, parseId('subscription', id)]));
    const wanted = [...new Set([...numbers.values()].filter((number) => number !== undefined))];
    const now = await store.now();
    const done = await store.transaction(() =>
      changeStatuses(store, account.workspaceId, wanted, status, { actor, now }),
    );
    return bulkTally(numbers, done);
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

  /**
   * Imports a CSV file, line by line: columns by name (`topic`, `email` or `contactValue`, `name`, `locale`, `timezone`,
   * `status`, `notifyOn` with `|` between values, `maxNotifications`, `startMinutes`, `endMinutes`, `snoozeUntil`). Bad
   * lines are left out and told; nobody who has ended a subscription is revived. `topic`: of lines that name none.
   */
  async import(
    source: AsyncIterable<string | Uint8Array>,
    { topic }: { readonly topic?: string | undefined } = {},
    actor = 'import',
  ): Promise<ImportReport> {
    return importLines(source, topic, (batch) => this.#importBatch(batch, actor));
  }

  async #importBatch(batch: readonly ImportLine[], actor: string): Promise<readonly (boolean | string)[]> {
    const { store, account, links } = this;
    const wishes = batch.map(({ given }) => {
      try {
        return readNewSubscription(given);
      } catch (error) {
        return reasonOf(error);
      }
    });
    const addresses = wishes.flatMap((wish) =>
      typeof wish === 'string' || wish.contactType !== EMAIL_CONTACT ? [] : [wish.contact],
    );
    await this.door(addresses, (script) => store.transaction(script));
    const now = await store.now();
    return store.transaction(function* () {
      const answers: (boolean | string)[] = [];
      for (const wish of wishes) {
        if (typeof wish === 'string') {
          answers.push(wish);
          continue;
        }
        const saved = yield* saveSubscription(store, account.workspaceId, wish, { actor, now }, 'listed');
        const { status, contactType } = saved.subscription;
        // Who was asked before, and has not answered, is not asked again by a list.
        if (saved.isNew && status === 'pending' && contactType === EMAIL_CONTACT)
          yield* askToConfirm(store, account, links, saved.subscription, now);
        answers.push(saved.isNew);
      }
      return answers;
    });
  }

  /** All of them, or those of a topic, as CSV that can be imported again; in pieces, the newest first. */
  async *export(options: { readonly topic?: string | undefined } = {}): AsyncGenerator<string> {
    yield EXPORT_HEAD;
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await this.list({ ...options, limit: 200, cursor });
      if (items.length > 0) yield items.map(exportLine).join('');
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
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
    const now = await store.now();
    const items = await store.read(
      listSubscriptions(store, account.workspaceId, filter, { before, limit, now }),
    );
    const last = items.length === limit ? items.at(-1) : undefined;
    return { items, nextCursor: last ? formatId('subscription', last.id) : null };
  }

  /** With what became of each so far, and whether it is told of anything. */
  async views(subscriptions: readonly Subscription[]): Promise<readonly SubscriptionView[]> {
    const { store, account } = this;
    const now = await store.now();
    return store.read(subscriptionViews(store, account.workspaceId, subscriptions, now));
  }

  async standing(): Promise<SubscriptionsStanding> {
    const { store, account } = this;
    const active = await store.read(countActive(store, account.workspaceId, COUNTED_TO + 1));
    const topics = await store.read(topicsOf(store, account.workspaceId, TOPICS_SHOWN + 1));
    return {
      ...{ active, countedTo: COUNTED_TO, topics: topics.slice(0, TOPICS_SHOWN) },
      topicsAreAll: topics.length <= TOPICS_SHOWN,
    };
  }

  /** Where the person manages it, for whoever answers him by other means. Throws `not_found`, or `invalid_config`. */
  async manageUrl(id: string): Promise<string> {
    const { id: number } = await this.get(id);
    return this.links.subscriptionUrls(this.account.workspaceId, number).manageUrl;
  }

  /** What happened to it, newest first. */
  async history(
    id: string,
    options: { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
  ): Promise<Page<HistoryLine>> {
    const { id: number } = await this.get(id);
    const limit = readLimit(options.limit);
    const before = cursorNumber('happening', options.cursor);
    const { store, account } = this;
    const entries = await store.read(subscriptionHistory(store, number, { before, limit }));
    const timezone = await store.read(readTimezone(store, account.workspaceId));
    const events = await store.read(
      readEvents(store, [...new Set(entries.flatMap(({ eventId }) => eventId ?? []))]),
    );
    const about = (eventId: number | null): string | null => {
      const event = eventId === null ? undefined : events.get(eventId);
      return event ? eventTitle(event.type, JSON.parse(event.payload) as Record<string, unknown>) : null;
    };
    const clock = { now: await store.now(), timezone };
    const last = entries.length === limit ? entries.at(-1) : undefined;
    return {
      items: entries.map((entry) => ({
        ...entry,
        ...{ words: happeningWords(entry, clock), about: about(entry.eventId) },
      })),
      nextCursor: last ? formatId('happening', last.id) : null,
    };
  }
}

const unknown = (id: string): PillarboxError =>
  new PillarboxError('not_found', `there is no subscription ${id.slice(0, 60)} here`);

function numberOf(id: string): number {
  const number = parseId('subscription', id);
  if (number === undefined) throw unknown(id);
  return number;
}
