import type { WorkspaceProfile } from '../../core/delivery-settings.js';
import type { Subscriber } from '../../links/subscribers.js';
import type { Subscription } from '../../store/scripts/subscriptions.js';
import { readerPage } from './page.js';
import { askPage, confirmPage, gonePage, managePage, stopPage, type Setting } from './subscriber-page.js';

/** The pages that recipients meet, each with when they do; in the order in which they meet them. */
export const SAMPLE_PAGES = {
  confirm: {
    title: 'Confirm',
    when: 'Behind the link of the mail that asks whether a subscription is wanted.',
  },
  confirmed: { title: 'Confirmed', when: 'After the press: from then on the subscription is active.' },
  manage: { title: 'Manage', when: 'Behind “change what you get” of a notification.' },
  unsubscribe: {
    title: 'Unsubscribe',
    when: 'Behind “unsubscribe” of a notification. Opening it changes nothing.',
  },
  stopped: { title: 'Stopped', when: 'After the press, for one topic.' },
  campaign: { title: 'Unsubscribe from campaigns', when: 'Behind “unsubscribe” of a mail of a campaign.' },
  gone: { title: 'Too old', when: 'Behind a link that is none any more, or never was one.' },
  ask: {
    title: 'Ask for the link',
    when: 'At /m, for whoever has no mail at hand. The answer is the same for everybody.',
  },
} as const;
export type SamplePage = keyof typeof SAMPLE_PAGES;

const DAY_MS = 86_400_000;

const READER = 'odile.zeller@example.org';

/** The page itself, as its code makes it, for somebody who does not exist. */
export function samplePage(name: SamplePage, given: WorkspaceProfile, locale: string, now: number): string {
  const profile = { ...given, defaultLocale: locale };
  const setting = (status: Subscription['status'], canUndo = false): Setting => ({
    ...{ profile, urlOf: () => '#' },
    subscriber: subscriberOf(status, locale, now, canUndo),
  });
  switch (name) {
    case 'confirm':
      return confirmPage(setting('pending'), false);
    case 'confirmed':
      return confirmPage(setting('active'), true);
    case 'manage':
      return managePage(setting('active'));
    case 'unsubscribe':
      return stopPage(setting('active'));
    case 'stopped':
      return stopPage(setting('unsubscribed', true));
    case 'campaign':
      return readerPage(
        { workspaceId: 0, address: READER, choice: 'none', isSample: false, canUndo: false },
        profile,
      );
    case 'gone':
      return gonePage(locale, profile);
    case 'ask':
      return askPage(locale, profile, false);
  }
}

function subscriberOf(
  status: Subscription['status'],
  locale: string,
  now: number,
  canUndo: boolean,
): Subscriber {
  const one = (id: number, topic: string, its: Subscription['status']): Subscription => ({
    ...{ id, workspaceId: 0, topic, status: its, locale, timezone: 'Europe/Paris', name: null },
    ...{ contactType: 'email', contact: READER, contactGiven: null, notified: 3 },
    preferences: {
      ...{ notifyOn: null, maxNotifications: 5, snoozeUntil: null },
      deliveryWindow: { startMinutes: 480, endMinutes: 1_200 },
    },
    ...{ createdAt: now - DAY_MS, updatedAt: now },
  });
  const subscription = one(1, 'Bread by the tide table', status);
  return {
    ...{ workspaceId: 0, subscription, address: READER, stopped: 'no', canUndo, statuses: [] },
    all: [
      subscription,
      one(2, 'Ferry to Saltmere North', 'active'),
      one(3, 'News for all guests', 'unsubscribed'),
    ],
  };
}
