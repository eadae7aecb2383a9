import type { WorkspaceProfile } from '../core/delivery-settings.js';
import {
  buildJob,
  jobEventOf,
  type JobEvent,
  type JobFacts,
  type JobPreferences,
  type NotificationJob,
} from '../core/mail-job.js';
import type { Preferences } from '../core/preferences.js';
import type { Script } from '../store/script.js';
import type { EventRow } from '../store/scripts/events.js';
import { readSettings } from '../store/scripts/settings.js';
import type { Subscription } from '../store/scripts/subscriptions.js';
import type { Store } from '../store/store.js';

/** Events are told in many claims: what is made of one is made once. */
const EVENTS_KEPT = 100;

export function jobEvent(row: EventRow, events: Map<number, JobEvent>): JobEvent {
  const known = events.get(row.id);
  if (known) return known;
  if (events.size >= EVENTS_KEPT) events.clear();
  const event = jobEventOf({
    number: row.id,
    dedupeKey: row.dedupe_key,
    traceId: row.trace_id,
    template: { id: row.template_id, version: row.template_version },
    payload: JSON.parse(row.payload) as Record<string, unknown>,
    eventAt: row.event_at,
  });
  events.set(row.id, event);
  return event;
}

/** What is told of an event to one who wants to know. */
export function jobOf({
  subscription,
  ...facts
}: Omit<JobFacts, 'subscription'> & { readonly subscription: Subscription }): NotificationJob {
  const { id, status, contact, contactGiven, name, preferences } = subscription;
  return buildJob({
    ...facts,
    subscription: {
      ...{ number: id, status, name, email: contactGiven ?? contact },
      preferences: asInJob(preferences),
    },
  });
}

/** What subscriptions without a locale read. */
export function* defaultLocaleOf(store: Store, workspaceId: number): Script<string> {
  const profile = (yield* readSettings(store, workspaceId, 'workspace')) as
    Partial<WorkspaceProfile> | undefined;
  return profile?.defaultLocale ?? 'en';
}

const asInJob = ({
  notifyOn,
  maxNotifications,
  deliveryWindow,
  snoozeUntil,
}: Preferences): JobPreferences => ({
  ...(notifyOn && { notifyOn }),
  ...(maxNotifications !== null && { maxNotifications }),
  ...(deliveryWindow && { deliveryWindow }),
  ...(snoozeUntil !== null && { snoozeUntil: new Date(snoozeUntil).toISOString() }),
});
