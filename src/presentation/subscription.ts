import { formatId } from '../core/ids.js';
import { SUBSCRIPTION_STATUSES } from '../core/subscription.js';
import { subscriptionSentence } from '../core/subscription-words.js';
import type { HistoryEntry, Subscription as KnownSubscription } from '../store/scripts/subscriptions.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { instant, list, nullable, text, whole, word } from './shape.js';
import { LevelWord } from './words.js';

const Preferences = Type.Object({
  notifyOn: nullable(list(text('Open')), 'Values of `payload.statusAfter`; null: any.'),
  maxNotifications: nullable(Type.Integer(), 'Null: as often as it happens.'),
  deliveryWindow: nullable(
    Type.Object({ startMinutes: whole(480), endMinutes: whole(1_320) }),
    'Minutes of the local day; a start behind the end spans midnight.',
  ),
  snoozeUntil: nullable(instant()),
});

export const Subscription = Type.Object(
  {
    id: text('sub_3k'),
    number: whole(115, 'Later ones have larger ones.'),
    topic: text('section:09214'),
    contactType: text('email'),
    contactValue: text('ada@example.org', 'As it was given; compared in its canonical form.'),
    name: nullable(Type.String(), undefined, 'Ada Lovelace'),
    locale: nullable(Type.String(), 'Null: the default of the workspace.', 'fr-CA'),
    timezone: nullable(Type.String(), 'Null: UTC.', 'America/Toronto'),
    status: word(SUBSCRIPTION_STATUSES, { title: 'SubscriptionStatus' }),
    preferences: Preferences,
    notified: whole(3, 'How often of `maxNotifications`; without a limit nobody counts.'),
    plate: Type.Object({
      level: LevelWord,
      sentence: text('Told 3 of 5 times. 2 more, then no further ones.'),
    }),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'Subscription' },
);
export type Subscription = Static<typeof Subscription>;

export const presentSubscription = (known: KnownSubscription): Subscription => ({
  id: formatId('subscription', known.id),
  number: known.id,
  topic: known.topic,
  contactType: known.contactType,
  contactValue: known.contactGiven ?? known.contact,
  name: known.name,
  locale: known.locale,
  timezone: known.timezone,
  status: known.status,
  preferences: {
    ...known.preferences,
    snoozeUntil: presentInstant(known.preferences.snoozeUntil),
  },
  notified: known.notified,
  plate: subscriptionSentence(known),
  createdAt: iso(known.createdAt),
  updatedAt: iso(known.updatedAt),
});

export const SubscriptionHappening = Type.Object(
  {
    id: text('hap_3k'),
    at: instant(),
    kind: text(
      'notify_sent',
      '`created`, `updated`, `status_changed`, `confirmation_sent` or `notify_sent`.',
    ),
    actor: nullable(Type.String(), 'Who did it; null: the engine.', 'recipient'),
    eventId: nullable(Type.String(), undefined, 'evt_3k'),
    messageId: nullable(Type.String(), undefined, 'msg_4k7q'),
    details: nullable(
      Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true }),
      'What changed, before and after; of `notify_sent` the state as it was told.',
      { statusAfter: 'Open' },
    ),
  },
  { title: 'SubscriptionHappening' },
);

export const presentHappening = (entry: HistoryEntry): Static<typeof SubscriptionHappening> => ({
  id: formatId('happening', entry.id),
  at: iso(entry.at),
  kind: entry.kind,
  actor: entry.actor,
  eventId: entry.eventId === null ? null : formatId('event', entry.eventId),
  messageId: entry.messageId === null ? null : formatId('message', entry.messageId),
  details: entry.details,
});

export const ImportReport = Type.Object(
  {
    imported: whole(1_190),
    updated: whole(12),
    rejected: list(
      Type.Object({ line: whole(3_107), reason: text('contactValue: has no @') }),
      'The first thousand lines that were left out.',
    ),
    rejectedTotal: whole(1),
  },
  { title: 'SubscriptionImport' },
);
