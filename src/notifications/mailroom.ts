import type { Mail } from '../core/mail.js';
import { jobFault, type JobEvent, type NotificationJob } from '../core/mail-job.js';
import { nextOpening } from '../core/preferences.js';
import { readRetryPolicy } from '../core/retry.js';
import { EMAIL_CONTACT } from '../core/subscription.js';
import type { Content, ContentSource, KeptContent, PreparedContents } from '../engine/contents.js';
import type { Links } from '../links/links.js';
import type { Script } from '../store/script.js';
import { accountsOfChannels } from '../store/scripts/accounts.js';
import { readEvents, type EventRow } from '../store/scripts/events.js';
import { readContent } from '../store/scripts/messages.js';
import { readSubscriptions, type Subscription } from '../store/scripts/subscriptions.js';
import { noteSubjects } from '../store/scripts/threads.js';
import type { ClaimedMessage, Store } from '../store/store.js';
import type { TemplateLibrary, TextJob, Told } from '../templates/library.js';
import { noticeOf } from '../templates/notice.js';
import { defaultLocaleOf, jobEvent, jobOf } from './jobs.js';

export interface MailroomPorts {
  readonly store: Store;
  readonly library: TemplateLibrary;
  readonly links: Links;
  readonly leaseMs: number;
}

/**
 * Makes the mails of notifications when they are claimed, all of a claim together: the job by the contract, its check,
 * its text. What may not leave, or not now, is told before anybody is connected to; the gate looks again.
 */
export function mailroom(ports: MailroomPorts): ContentSource {
  const events = new Map<number, JobEvent>();
  return {
    prepare(messages): PreparedContents {
      let made: Promise<Made> | undefined;
      return {
        async contentOf(message) {
          made ??= make(ports, messages, events);
          const { contents, clock } = await made.catch((error: unknown) => {
            made = undefined;
            throw error;
          });
          const entry = contents.get(message.id);
          return entry ? judged(entry, clock()) : UNKNOWN;
        },
      };
    },
  };
}

interface Made {
  readonly contents: ReadonlyMap<number, Entry>;
  /** The database's time, carried on. */
  readonly clock: () => number;
}

interface Entry {
  readonly content: Content;
  /** Whose preferences hold; undefined: nobody's. */
  readonly subscription?: Subscription | undefined;
}

const fault = (code: string, message: string): Content => ({
  fault: { class: 'permanent', scope: 'message', code, message },
});
const UNKNOWN = fault('content_missing', 'the event of this mail is not there any more');
const kept = (content: KeptContent): Content => ({ kept: content });

/** Preferences may have changed since it was told: those of now hold. */
function judged({ content, subscription }: Entry, now: number): Content {
  if (!subscription || !('mail' in content)) return content;
  const { preferences, timezone } = subscription;
  const { snoozeUntil, deliveryWindow } = preferences;
  if (snoozeUntil !== null && snoozeUntil > now)
    return { ...content, kept: { why: 'closed', until: snoozeUntil } };
  const opening = deliveryWindow && nextOpening(deliveryWindow, timezone ?? 'UTC', now);
  if (!opening) return content;
  return opening.opensAt > now
    ? { ...content, kept: { why: 'closed', until: opening.opensAt } }
    : { ...content, closesAt: opening.closesAt };
}

/** One message on its way to its text, or to why it has none. */
type Draft =
  | { readonly message: ClaimedMessage; readonly entry: Entry }
  | {
      readonly message: ClaimedMessage;
      readonly text: TextJob;
      readonly from: Mail['from'];
      readonly subscription?: Subscription;
    };

async function make(
  { store, library, links, leaseMs }: MailroomPorts,
  messages: readonly ClaimedMessage[],
  events: Map<number, JobEvent>,
): Promise<Made> {
  const now = await store.now();
  const tick = performance.now();
  const known = await store.read(readKnown(store, messages));
  const drafts = messages.map((message) => draftOf(message, known, { events, links, leaseMs }));
  const open = drafts.flatMap((draft) => ('text' in draft ? [draft] : []));
  const told = await library.renderMany(open.map(({ text }) => text));
  const contents = new Map<number, Entry>();
  const subjects: { id: number; subject: string }[] = [];
  for (const draft of drafts) if ('entry' in draft) contents.set(draft.message.id, draft.entry);
  for (const [n, { message, text, from, subscription }] of open.entries()) {
    const content = contentOf(text.job, told[n], from);
    contents.set(message.id, { content, subscription });
    if ('mail' in content) subjects.push({ id: message.id, subject: content.mail.subject });
  }
  // Lists show it: of what has left nobody could say later what it was, when its reader has another name by then.
  await store.transaction(() => noteSubjects(store, subjects));
  return { contents, clock: () => Math.floor(now + (performance.now() - tick) * store.speed) };
}

interface Known {
  readonly events: ReadonlyMap<number, EventRow>;
  readonly subscriptions: ReadonlyMap<number, Subscription>;
  readonly accounts: ReadonlyMap<
    number,
    { readonly emailAddress: string; readonly displayName: string | null }
  >;
  readonly locales: ReadonlyMap<number, string>;
  /** What is stored and did not come with the claim. */
  readonly large: ReadonlyMap<number, string>;
}

function* readKnown(store: Store, messages: readonly ClaimedMessage[]): Script<Known> {
  const numbers = (field: 'eventId' | 'subscriptionId' | 'channelId'): readonly number[] => [
    ...new Set(messages.flatMap((message) => message[field] ?? [])),
  ];
  const locales = new Map<number, string>();
  for (const workspaceId of new Set(messages.map((message) => message.workspaceId)))
    locales.set(workspaceId, yield* defaultLocaleOf(store, workspaceId));
  const large = new Map<number, string>();
  for (const { id, mail, bytes } of messages) {
    if (mail !== null || bytes === 0) continue;
    const text = yield* readContent(store, id);
    if (text !== undefined) large.set(id, text);
  }
  return {
    events: yield* readEvents(store, numbers('eventId')),
    subscriptions: yield* readSubscriptions(store, numbers('subscriptionId')),
    accounts: yield* accountsOfChannels(store, numbers('channelId')),
    ...{ locales, large },
  };
}

interface Making {
  readonly events: Map<number, JobEvent>;
  readonly links: Links;
  readonly leaseMs: number;
}

function draftOf(message: ClaimedMessage, known: Known, making: Making): Draft {
  const account = known.accounts.get(message.channelId);
  const from = {
    email: account?.emailAddress ?? message.sender,
    ...(account?.displayName != null && { name: account.displayName }),
  };
  const { workspaceId, eventId, subscriptionId } = message;
  const stored = storedOf(message, known.large.get(message.id));
  if (stored && 'job' in stored) {
    const { job } = stored;
    const status = job.subscription?.status ?? 'active';
    if (status === 'active') return { message, from, text: { workspaceId, job } };
    return { message, entry: { content: kept({ why: 'unsubscribed', reason: status }) } };
  }
  const subscription = subscriptionId === null ? undefined : known.subscriptions.get(subscriptionId);
  const end = subscriptionId === null ? undefined : endOf(known, eventId, subscription);
  if (end) return { message, entry: { content: end } };
  if (stored) return { message, entry: { content: stored, subscription } };
  const event = eventId === null ? undefined : known.events.get(eventId);
  if (!event || !subscription) return { message, entry: { content: UNKNOWN } };
  const told = jobEvent(event, making.events);
  const job = jobOf({
    ...{ message: message.id, event: told, subscription },
    locale: subscription.locale ?? known.locales.get(workspaceId) ?? 'en',
    links: making.links.subscriptionUrls(workspaceId, subscription.id),
    policy: readRetryPolicy(message.retryPolicy),
    leaseSeconds: making.leaseMs / 1_000,
  });
  const wrong = jobFault(job);
  if (wrong) return { message, entry: { content: fault(wrong.code, wrong.message) } };
  const { timezone } = subscription;
  return {
    ...{ message, from, subscription },
    text: { workspaceId, job, event: told, ...(timezone !== null && { timezone }) },
  };
}

/** Why it is not told, whatever it says; undefined: it is. */
function endOf(
  { events }: Known,
  eventId: number | null,
  subscription: Subscription | undefined,
): Content | undefined {
  if (eventId !== null && (events.get(eventId)?.cancelled_at ?? null) !== null)
    return kept({ why: 'ended', reason: 'event_cancelled' });
  if (subscription?.status !== 'active')
    return kept({ why: 'unsubscribed', reason: subscription?.status ?? 'unsubscribed' });
  return subscription.contactType === EMAIL_CONTACT
    ? undefined
    : kept({ why: 'unsubscribed', reason: 'not_email' });
}

/** What is kept of it: a mail that somebody may have, or a job that another producer handed in. */
function storedOf(
  { mail }: ClaimedMessage,
  large: string | undefined,
): { readonly mail: Mail } | { readonly job: NotificationJob } | undefined {
  const text = mail ?? large;
  if (text === undefined) return undefined;
  const stored = JSON.parse(text) as { readonly job?: NotificationJob };
  return stored.job ? { job: stored.job } : { mail: stored as unknown as Mail };
}

function contentOf(
  { recipient, links }: NotificationJob,
  told: Told | undefined,
  from: Mail['from'],
): Content {
  if (!told) throw new Error('a job had no answer');
  if ('fault' in told) return { fault: told.fault };
  return { mail: noticeOf(told, { from, to: recipient, links }) };
}
