import { formatId } from '../core/ids.js';
import { SUBSCRIPTION_STATUSES } from '../core/subscription.js';
import { SUBSCRIPTION_STATES } from '../core/subscription-words.js';
import type { SubscriptionView } from '../notifications/subscription-views.js';
import type { HistoryLine, SubscriptionsStanding as KnownStanding } from '../notifications/subscriptions.js';
import { SUPPRESSION_REASONS } from '../core/suppression.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { flag, instant, list, nullable, optional, text, whole, word } from './shape.js';
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
    state: word(SUBSCRIPTION_STATES, {
      title: 'SubscriptionState',
      description: 'Its status, unless it is snoozed, or its address is one that nobody writes to.',
    }),
    notified: whole(3, 'How often of `maxNotifications`; without a limit nobody counts.'),
    told: whole(3, 'How often, as far as its history goes back; counted to a thousand.'),
    lastToldAt: nullable(instant()),
    askedAt: nullable(instant(), 'When its confirmation was asked for last.'),
    changedAt: nullable(instant(), 'When its status changed last.'),
    dead: whole(0, 'Of its newest 200 mails.'),
    waiting: whole(0, 'Of its newest 200 mails.'),
    nextAt: nullable(instant(), 'When the first of those that wait is due.'),
    others: whole(2, 'Other topics of the same contact; counted to a hundred.'),
    suppression: nullable(
      Type.Object({ reason: word(SUPPRESSION_REASONS), since: instant() }),
      'What stands in the way of its mails.',
    ),
    plate: Type.Object({
      level: LevelWord,
      sentence: text('Told 3 of 5 times, last 31 s ago. 2 more, then no further ones.'),
      evidence: optional(text('Mails may leave at any hour. Nothing waits.')),
    }),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'Subscription' },
);
export type Subscription = Static<typeof Subscription>;

export const presentSubscription = ({
  subscription: known,
  figures,
  suppression,
  state,
  plate,
}: SubscriptionView): Subscription => ({
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
  state,
  notified: known.notified,
  told: figures.told,
  lastToldAt: presentInstant(figures.lastToldAt),
  askedAt: presentInstant(figures.askedAt),
  changedAt: presentInstant(figures.changedAt),
  dead: figures.dead,
  waiting: figures.waiting,
  nextAt: presentInstant(figures.nextAt),
  others: figures.others,
  suppression: suppression ? { reason: suppression.reason, since: iso(suppression.createdAt) } : null,
  plate,
  createdAt: iso(known.createdAt),
  updatedAt: iso(known.updatedAt),
});

export const SubscriptionHappening = Type.Object(
  {
    id: text('hap_3k'),
    at: instant(),
    kind: text(
      'notify_sent',
      '`created`, `updated`, `status_changed`, `confirmation_sent`, `notify_sent` or `not_told`.',
    ),
    actor: nullable(Type.String(), 'Who did it; null: the engine.', 'recipient'),
    eventId: nullable(Type.String(), undefined, 'evt_3k'),
    messageId: nullable(Type.String(), undefined, 'msg_4k7q'),
    details: nullable(
      Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true }),
      'What changed, before and after; of `notify_sent` the state as it was told, of `not_told` state and reason.',
      { statusAfter: 'Open' },
    ),
    times: whole(1, 'How often in a row: who is left out again for the same reason gets no new line.'),
    since: instant('Of several the first; `at` is the last.'),
    headline: text('Preferences changed'),
    sentence: text('by the person', 'Who, or how; may be empty.'),
    changes: list(
      Type.Object({ what: text('at most'), before: text('no limit'), after: text('5') }),
      'The same as `details` of a change, in words.',
    ),
    snapshot: nullable(Type.String(), 'The state as it was told.', 'statusAfter: Open'),
    about: nullable(
      Type.String(),
      'What the event is called that it tells of, while that is kept.',
      'Linear Algebra',
    ),
  },
  { title: 'SubscriptionHappening' },
);

export const presentHappening = (entry: HistoryLine): Static<typeof SubscriptionHappening> => ({
  id: formatId('happening', entry.id),
  at: iso(entry.at),
  times: entry.times,
  since: iso(entry.since),
  kind: entry.kind,
  actor: entry.actor,
  eventId: entry.eventId === null ? null : formatId('event', entry.eventId),
  messageId: entry.messageId === null ? null : formatId('message', entry.messageId),
  details: entry.details,
  ...entry.words,
  about: entry.about,
});

export const SubscriptionsStanding = Type.Object(
  {
    active: whole(9_412, 'How many are told, as far as they are counted.'),
    isAll: flag(true, 'False: there are more.'),
    topics: list(text('section:09214'), 'The first 200.'),
    topicsAreAll: flag(true),
  },
  { title: 'SubscriptionsStanding' },
);

export const presentSubscriptionsStanding = ({
  active,
  countedTo,
  topics,
  topicsAreAll,
}: KnownStanding): Static<typeof SubscriptionsStanding> => ({
  ...{ active: Math.min(active, countedTo), isAll: active <= countedTo, topics, topicsAreAll },
});

export const ManageLink = Type.Object({ manageUrl: text('https://mail.example/m/AbCd') });

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
