import { parseId } from '../core/ids.js';
import type { JobEvent, NotificationJob } from '../core/mail-job.js';
import type { Message } from '../core/message.js';
import { RETRY_POLICIES } from '../core/retry.js';
import type { Links } from '../links/links.js';
import type { Script } from '../store/script.js';
import { readEvents } from '../store/scripts/events.js';
import { readHandedIn } from '../store/scripts/messages.js';
import { readSubscriptions } from '../store/scripts/subscriptions.js';
import type { Store } from '../store/store.js';
import type { TemplateLibrary, TextJob } from '../templates/library.js';
import { defaultLocaleOf, jobEvent, jobOf } from './jobs.js';

/** Nobody waits longer for a list because of what it says in it. */
const PATIENCE_MS = 2_000;
/** So many lists are being filled in at once; the others do without. */
const MOST_LOOKS = 4;

/**
 * What notifications say in their subject before their mail is made: as it would be made now, for this reader, by the
 * rules of the mail itself. Whoever publishes an event does not pay for it, and a million who are told of it do not
 * either: it is made for those that somebody looks at. Nothing is kept of it; what leaves notes its own.
 */
export class Subjects {
  #looks = 0;

  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly library: TemplateLibrary,
    private readonly links: Links,
  ) {}

  /** The same messages. What can not be said, or not soon, is left as it is: null. */
  async putInto(messages: readonly Message[]): Promise<readonly Message[]> {
    const open = messages.filter(({ lane, subject }) => lane === 'notification' && subject === null);
    if (open.length === 0 || this.#looks >= MOST_LOOKS) return messages;
    this.#looks += 1;
    // A template that can not be rendered, a pool that is busy or closed: a list is shown all the same.
    const looked = this.#look(open)
      .catch(() => NONE)
      .finally(() => {
        this.#looks -= 1;
      });
    const subjects = await atMost(looked, PATIENCE_MS);
    return messages.map((message) => {
      const subject = subjects.get(message.number);
      return subject === undefined ? message : { ...message, subject };
    });
  }

  async #look(messages: readonly Message[]): Promise<ReadonlyMap<number, string>> {
    const jobs = await this.store.read(this.#jobs(messages));
    const made = await this.library.subjectsOf(jobs.map(({ text }) => text));
    const subjects = new Map<number, string>();
    for (const [n, { number }] of jobs.entries()) {
      const subject = made[n];
      if (subject !== undefined) subjects.set(number, subject);
    }
    return subjects;
  }

  *#jobs(
    messages: readonly Message[],
  ): Script<readonly { readonly number: number; readonly text: TextJob }[]> {
    const { store, workspaceId } = this;
    const idsOf = (kind: 'event' | 'subscription') => [
      ...new Set(messages.flatMap((message) => parseId(kind, message[`${kind}Id`] ?? '') ?? [])),
    ];
    const events = yield* readEvents(store, idsOf('event'));
    const subscriptions = yield* readSubscriptions(store, idsOf('subscription'));
    const others = messages.filter(({ eventId }) => eventId === null).map(({ number }) => number);
    const handedIn = yield* readHandedIn(store, others);
    const defaultLocale = yield* defaultLocaleOf(store, workspaceId);
    const known = new Map<number, JobEvent>();
    return messages.flatMap(({ number, eventId, subscriptionId }) => {
      const given = handedIn.get(number);
      if (given !== undefined) {
        const { job } = JSON.parse(given) as { readonly job: NotificationJob };
        return [{ number, text: { workspaceId, job } }];
      }
      const row = events.get(parseId('event', eventId ?? '') ?? 0);
      const subscription = subscriptions.get(parseId('subscription', subscriptionId ?? '') ?? 0);
      if (!row || !subscription) return [];
      const event = jobEvent(row, known);
      const { locale, timezone } = subscription;
      const job = jobOf({
        ...{ message: number, event, subscription, locale: locale ?? defaultLocale },
        // Whoever may look at lists may not act for their readers: the real links are for these alone.
        links: { manageUrl: this.links.exampleUrl('m'), unsubscribeUrl: this.links.exampleUrl('u') },
        ...{ policy: RETRY_POLICIES.notification, leaseSeconds: 120 },
      });
      return [{ number, text: { workspaceId, job, event, ...(timezone !== null && { timezone }) } }];
    });
  }
}

const NONE: ReadonlyMap<number, string> = new Map();

async function atMost(
  looked: Promise<ReadonlyMap<number, string>>,
  ms: number,
): Promise<ReadonlyMap<number, string>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ReadonlyMap<number, string>>((done) => {
    timer = setTimeout(done, ms, NONE);
  });
  return Promise.race([looked, late]).finally(() => clearTimeout(timer));
}
