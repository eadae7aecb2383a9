import type { LaneDelivery } from '../core/delivery-settings.js';
import { PillarboxError } from '../core/errors.js';
import {
  eventEvidence,
  eventSummary,
  eventTitle,
  fanOutEta,
  reasonWords,
  waitingReasons,
  type WordedReason,
} from '../core/event-words.js';
import { eventCounts, eventReasons, eventSentence, type EventCounts } from '../core/event.js';
import { formatId, parseId } from '../core/ids.js';
import type { State } from '../core/lifecycle.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { readLimit, type Page } from '../core/page.js';
import { writeRetryPolicy } from '../core/retry.js';
import type { Links } from '../links/links.js';
import { ensureChannel, type Account } from '../store/scripts/accounts.js';
import {
  countEventsSince,
  countSendingOf,
  namesOfEvents,
  readWaitingOf,
} from '../store/scripts/event-figures.js';
import {
  cancelEvent,
  listEvents,
  noteRepeat,
  publishEvent,
  readEvent,
  readEventCounts,
  type NewEvent,
  type StoredEvent,
} from '../store/scripts/events.js';
import { ensureGuardedChannel } from '../store/scripts/openings.js';
import { readTimezone } from '../store/scripts/settings.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { runWithin, type Tx } from '../store/tx.js';
import type { TemplateLibrary } from '../templates/library.js';
import { cursorNumber } from './cursor.js';
import { readEventInput, searchable, type EventInput } from './input.js';

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
  /** An id, a dedupe key, or how a topic or a type begins. */
  readonly q?: string | undefined;
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** What happened, and who was told of it. */
export interface EventView {
  readonly event: StoredEvent;
  readonly title: string;
  readonly counts: EventCounts;
  /** In a list or of a large one: without what waits. */
  readonly reasons: readonly WordedReason[];
  readonly summary: { readonly state: State; readonly words: string };
  readonly plate: {
    readonly level: 'fine' | 'look' | 'act';
    readonly sentence: string;
    readonly evidence?: string;
    readonly action?: { readonly verb: string; readonly to: string };
  };
}

/** How many there were lately, and what of. */
export interface EventsStanding {
  readonly days: number;
  /** Not counted further than `countedTo`. */
  readonly events: number;
  readonly countedTo: number;
  readonly topics: readonly string[];
  readonly types: readonly string[];
}

const DAY_MS = 86_400_000;
const STANDING_DAYS = 7;
/** Of the newest so many. */
const COUNTED_TO = 10_000;
const NAMES_SHOWN = 100;
/** Of an event with more messages nobody looks at what waits: it would take longer than a page should. */
const LOOKED_AT = 10_000;

export interface EventsPorts {
  readonly store: Store;
  readonly account: Account;
  readonly library: TemplateLibrary;
  readonly links: Links;
  readonly lane: () => Promise<LaneDelivery>;
}

const PUBLISH_OPTIONS: OptionNames<PublishOptions> = { tx: true };
const LIST_OPTIONS: OptionNames<EventListOptions> = {
  ...{ topic: true, type: true, q: true, limit: true, cursor: true },
};

/** Something happened, and those who want to know are told. */
export class Events {
  constructor(private readonly ports: EventsPorts) {}

  /**
   * Stores an event and tells all active subscriptions of its topic: up to 500 with the answer, the rest by workers.
   * Within three minutes the same `dedupeKey` is the same event. Throws `invalid_input` with the field.
   */
  async publish(given: EventInput, options: PublishOptions = {}, actor = 'library'): Promise<PublishResult> {
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
        { ...said, templateId: template.id, templateVersion: version, publishedBy: actor },
        { now, isOurs: tx === undefined },
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
    if (!event || !view) throw unknown(id);
    return this.#withWaiting(event, view);
  }

  /** How many there were in the last days, and of what. */
  async standing(): Promise<EventsStanding> {
    const { store, account } = this.ports;
    const { workspaceId } = account;
    const since = (await store.now()) - STANDING_DAYS * DAY_MS;
    const events = await store.read(countEventsSince(store, workspaceId, since, COUNTED_TO + 1));
    const named = (name: 'topic' | 'type') =>
      store.read(namesOfEvents(store, workspaceId, name, COUNTED_TO, NAMES_SHOWN));
    return {
      ...{ days: STANDING_DAYS, events, countedTo: COUNTED_TO },
      ...{ topics: await named('topic'), types: await named('type') },
    };
  }

  /** With what waits, for what and until when, where that is little enough to be looked at. */
  async #withWaiting(event: StoredEvent, view: EventView): Promise<EventView> {
    const { store, account } = this.ports;
    if (view.counts.scheduled === 0 || (event.made ?? 0) > LOOKED_AT) return view;
    const now = await store.now();
    const timezone = await store.read(readTimezone(store, account.workspaceId));
    const waiting = await store.read(readWaitingOf(store, event.id, now, LOOKED_AT));
    const reasons = [...waitingReasons(waiting, { now, timezone }), ...view.reasons]
      .map(({ state, reason, count, sentence }) => ({ state, reason, count, sentence }))
      .sort((a, b) => b.count - a.count);
    return { ...view, reasons, plate: { ...view.plate, ...notesOf(event, reasons, now) } };
  }

  /** Newest first. */
  async list(options: EventListOptions = {}): Promise<Page<EventView>> {
    knownOptions(options, LIST_OPTIONS);
    const { store, account } = this.ports;
    const { topic, type, cursor } = options;
    const limit = readLimit(options.limit);
    const before = cursorNumber('event', cursor);
    const text = options.q === undefined ? '' : searchable('q', options.q).trim();
    const named = text === '' ? undefined : { id: parseId('event', text), text };
    const events = await store.read(
      listEvents(store, account.workspaceId, { topic, type, named }, { before, limit }),
    );
    const last = events.length === limit ? events.at(-1) : undefined;
    return { items: await this.#views(events), nextCursor: last ? formatId('event', last.id) : null };
  }

  /** Of which something may change at any moment: the newest, and those that are still being told; so many of each. */
  async moving(most: number): Promise<readonly EventView[]> {
    const { store, account } = this.ports;
    const read = (unfinished: boolean) =>
      store.read(listEvents(store, account.workspaceId, { unfinished }, { limit: most }));
    const found = [...(await read(false)), ...(await read(true))];
    return this.#views([...new Map(found.map((event) => [event.id, event])).values()]);
  }

  async #views(events: readonly StoredEvent[]): Promise<readonly EventView[]> {
    const { store } = this.ports;
    const ids = events.map(({ id }) => id);
    const counted = await store.read(readEventCounts(store, ids));
    const sending = await store.read(countSendingOf(store, ids));
    const now = await store.now();
    return events.map((event) => {
      const { accepted = 0, ended = [] } = counted.get(event.id) ?? {};
      const figures = {
        ...{ accepted, ended, sending: sending.get(event.id) ?? 0 },
        matched: event.matched ?? 0,
        seen: event.seen ?? 0,
        skips: JSON.parse(event.skips ?? '{}') as Record<string, number>,
      };
      const isCancelled = event.cancelled_at !== null;
      const reasons = eventReasons(figures).map((each) => ({
        ...each,
        sentence: reasonWords(each, event.status_after),
      }));
      return {
        ...{ event, reasons, counts: eventCounts(figures) },
        title: eventTitle(event.type, JSON.parse(event.payload) as Record<string, unknown>),
        summary: eventSummary({ ...figures, isCancelled }),
        plate: {
          ...eventSentence({ ...figures, isCancelled, cancelledBy: event.cancelled_by }),
          ...notesOf(event, reasons, now),
        },
      };
    });
  }
}

const notesOf = (event: StoredEvent, reasons: readonly WordedReason[], now: number) => {
  const { matched, seen, created_at, cancelled_at, repeated_at, template_id } = event;
  const etaSeconds =
    cancelled_at === null
      ? fanOutEta({ matched: matched ?? 0, seen: seen ?? 0 }, now - created_at)
      : undefined;
  return eventEvidence({ reasons, templateId: template_id, etaSeconds, isRepeated: repeated_at !== null });
};

function* publishScript(
  store: Store,
  account: Account,
  lane: LaneDelivery,
  event: Omit<NewEvent, 'workspaceId' | 'lifeMs' | 'channelId' | 'sender' | 'retryPolicy' | 'doubtPolicy'>,
  { now, isOurs }: { readonly now: number; readonly isOurs: boolean },
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
    },
    now,
    DEDUPE_WINDOW_MS,
  );
  const eventId = formatId('event', published.eventId);
  // A caller's transaction may stay open for long, and whoever wants to cancel the event would wait for it.
  if (published.duplicate && isOurs) yield* noteRepeat(store, published.eventId, now);
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
