import type { LaneDelivery } from '../core/delivery-settings.js';
import { PillarboxError } from '../core/errors.js';
import {
  eventCounts,
  eventReasons,
  eventSentence,
  type EventCounts,
  type EventReason,
} from '../core/event.js';
import { formatId, parseId } from '../core/ids.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { readLimit, type Page } from '../core/page.js';
import { writeRetryPolicy } from '../core/retry.js';
import type { Links } from '../links/links.js';
import { ensureChannel, type Account } from '../store/scripts/accounts.js';
import { countSendingOf } from '../store/scripts/event-figures.js';
import {
  cancelEvent,
  listEvents,
  publishEvent,
  readEvent,
  readEventCounts,
  type NewEvent,
  type StoredEvent,
} from '../store/scripts/events.js';
import { ensureGuardedChannel } from '../store/scripts/openings.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { runWithin, type Tx } from '../store/tx.js';
import type { TemplateLibrary } from '../templates/library.js';
import { cursorNumber } from './cursor.js';
import { readEventInput, type EventInput } from './input.js';

/** The same key within this time is the same event. */
export const DEDUPE_WINDOW_MS = 3 * 60_000;

export interface PublishOptions {
  /** Your own open transaction on the same database: the event happened exactly when your rows say so. */
  readonly tx?: Tx | undefined;
}

export type PublishResult =
  | { readonly eventId: string; readonly matched: number }
  /** Inside the window of its key: nobody is told twice. */
  | { readonly eventId: string; readonly duplicate: true };

export interface EventListOptions {
  readonly topic?: string | undefined;
  readonly type?: string | undefined;
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** What happened, and who was told of it. */
export interface EventView {
  readonly event: StoredEvent;
  readonly counts: EventCounts;
  readonly reasons: readonly EventReason[];
  readonly plate: { readonly level: 'fine' | 'look' | 'act'; readonly sentence: string };
}

export interface EventsPorts {
  readonly store: Store;
  readonly account: Account;
  readonly library: TemplateLibrary;
  readonly links: Links;
  readonly lane: () => Promise<LaneDelivery>;
}

const PUBLISH_OPTIONS: OptionNames<PublishOptions> = { tx: true };
const LIST_OPTIONS: OptionNames<EventListOptions> = { topic: true, type: true, limit: true, cursor: true };

/** Something happened, and those who want to know are told. */
export class Events {
  constructor(private readonly ports: EventsPorts) {}

  /**
   * Stores an event and tells all active subscriptions of its topic: up to 500 with the answer, the rest by workers.
   * Within three minutes the same `dedupeKey` is the same event. Throws `invalid_input` with the field.
   */
  async publish(given: EventInput, options: PublishOptions = {}): Promise<PublishResult> {
    knownOptions(options, PUBLISH_OPTIONS);
    const { store, account, library, links } = this.ports;
    const { tx } = options;
    const wish = readEventInput(given);
    // Without a secret no mail of it could be made: better said here than by a million dead letters.
    links.subscriptionUrls(account.workspaceId, 1);
    const { template, ...said } = wish;
    const version =
      template.version ?? (await library.newestVersion(account.workspaceId, template.id)) ?? null;
    const lane = await this.ports.lane();
    const now = await store.now();
    const publish = (): Script<{ readonly channelId: number; readonly result: PublishResult }> =>
      publishScript(
        store,
        account,
        lane,
        { ...said, templateId: template.id, templateVersion: version },
        now,
      );
    const { channelId, result } =
      tx === undefined ? await store.transaction(publish) : await runWithin(tx, store, publish());
    if (tx === undefined) store.wake(channelId);
    return result;
  }

  /** Nobody more is told, from the commit on. Throws `not_found`, or `illegal_move` if it was cancelled before. */
  async cancel(id: string, actor = 'library'): Promise<EventView> {
    const { store, account } = this.ports;
    const number = numberOf(id);
    const now = await store.now();
    const done = await store.transaction(() => cancelEvent(store, account.workspaceId, number, actor, now));
    if (done === undefined) throw unknown(id);
    if (done === false) throw new PillarboxError('illegal_move', 'this event was cancelled before');
    return this.get(id);
  }

  async get(id: string): Promise<EventView> {
    const { store, account } = this.ports;
    const event = await store.read(readEvent(store, account.workspaceId, numberOf(id)));
    const [view] = event ? await this.#views([event]) : [];
    if (!view) throw unknown(id);
    return view;
  }

  /** Newest first. */
  async list(options: EventListOptions = {}): Promise<Page<EventView>> {
    knownOptions(options, LIST_OPTIONS);
    const { store, account } = this.ports;
    const { topic, type, cursor } = options;
    const limit = readLimit(options.limit);
    const before = cursorNumber('event', cursor);
    const events = await store.read(
      listEvents(store, account.workspaceId, { topic, type }, { before, limit }),
    );
    const last = events.length === limit ? events.at(-1) : undefined;
    return { items: await this.#views(events), nextCursor: last ? formatId('event', last.id) : null };
  }

  async #views(events: readonly StoredEvent[]): Promise<readonly EventView[]> {
    const { store } = this.ports;
    const ids = events.map(({ id }) => id);
    const counted = await store.read(readEventCounts(store, ids));
    const sending = await store.read(countSendingOf(store, ids));
    return events.map((event) => {
      const { accepted = 0, ended = [] } = counted.get(event.id) ?? {};
      const figures = {
        ...{ accepted, ended, sending: sending.get(event.id) ?? 0 },
        matched: event.matched ?? 0,
        seen: event.seen ?? 0,
        skips: JSON.parse(event.skips ?? '{}') as Record<string, number>,
      };
      const isCancelled = event.cancelled_at !== null;
      return {
        event,
        counts: eventCounts(figures),
        reasons: eventReasons(figures),
        plate: eventSentence({ ...figures, isCancelled, cancelledBy: event.cancelled_by }),
      };
    });
  }
}

function* publishScript(
  store: Store,
  account: Account,
  lane: LaneDelivery,
  event: Omit<
    NewEvent,
    'workspaceId' | 'lifeMs' | 'channelId' | 'sender' | 'retryPolicy' | 'doubtPolicy' | 'subjects'
  >,
  now: number,
): Script<{ readonly channelId: number; readonly result: PublishResult }> {
  const channelId = yield* notificationChannel(store, account.id, lane.guarded);
  const published = yield* publishEvent(
    store,
    {
      ...event,
      workspaceId: account.workspaceId,
      lifeMs: lane.expirySeconds === null ? null : lane.expirySeconds * 1_000,
      channelId,
      sender: account.emailAddress,
      retryPolicy: writeRetryPolicy(lane.retryPolicy),
      doubtPolicy: lane.onDoubt,
      subjects: '{}',
    },
    now,
    DEDUPE_WINDOW_MS,
  );
  const eventId = formatId('event', published.eventId);
  const result = published.duplicate
    ? ({ eventId, duplicate: true } as const)
    : { eventId, matched: published.matched };
  return { channelId, result };
}

/** In which an account's notifications wait. */
export const notificationChannel = (store: Store, accountId: number, guarded: boolean): Script<number> =>
  guarded
    ? ensureGuardedChannel(store, accountId, 'email')
    : ensureChannel(store, accountId, 'email', 'notification');

const unknown = (id: string): PillarboxError =>
  new PillarboxError('not_found', `there is no event ${id.slice(0, 60)} here`);

function numberOf(id: string): number {
  const number = parseId('event', id);
  if (number === undefined) throw unknown(id);
  return number;
}
