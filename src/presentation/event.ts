import { formatId } from '../core/ids.js';
import { ALL_STATES } from '../core/lifecycle.js';
import type { EventsStanding as KnownStanding, EventView } from '../notifications/events.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { flag, instant, list, nullable, optional, text, whole } from './shape.js';
import { LevelWord, StateWord } from './words.js';

const Payload = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  examples: [{ courseTitle: 'Linear Algebra', indexNumber: '09214', statusAfter: 'Open' }],
});

const Counts = Type.Object(
  Object.fromEntries(ALL_STATES.map((state) => [state, whole(0)])) as Record<
    (typeof ALL_STATES)[number],
    ReturnType<typeof whole>
  >,
  { description: 'Messages by state, and who was left out among `skipped`; all that wait are `scheduled`.' },
);

const fields = {
  id: text('evt_3k'),
  number: whole(115, 'Later ones have larger ones.'),
  title: text('Linear Algebra', 'By the payload, where that has a title; else its type.'),
  type: text('section.opened'),
  topic: text('section:09214'),
  dedupeKey: nullable(Type.String(), undefined, '09214:Open'),
  traceId: nullable(Type.String()),
  template: Type.Object({ id: text('open-seat'), version: nullable(Type.String(), undefined, 'v1') }),
  eventAt: instant('When it happened.'),
  expiresAt: nullable(instant(), 'Nobody is told at or after this.'),
  createdAt: instant(),
  publishedBy: nullable(
    Type.String(),
    'A key, a person, or a program; null: a version that did not note it.',
    'key courses',
  ),
  repeatedAt: nullable(
    instant(
      'When it was last published again: the same key within three minutes, and nobody was told twice.',
    ),
  ),
  cancelledAt: nullable(instant()),
  cancelledBy: nullable(Type.String()),
  matched: whole(412, 'Active subscriptions of its topic when it was published.'),
  progress: Type.Object({
    seen: whole(412, 'How many of them were passed.'),
    total: whole(412),
    done: flag(true),
  }),
  counts: Counts,
  reasons: list(
    Type.Object({
      ...{ state: StateWord, reason: text('max_notifications'), count: whole(14) },
      sentence: text('had all the notifications they asked for'),
    }),
    'Why, of what was not simply told; of one event also why what waits has not left.',
  ),
  summary: Type.Object({ state: StateWord, words: text('all told') }, { description: 'In a few words.' }),
  plate: Type.Object({
    level: LevelWord,
    sentence: text('Told 398 of 412; 14 skipped.'),
    evidence: optional(text('216 wait for their hours; the next open 12:00 EST.')),
    action: optional(Type.Object({ verb: text('Open the template'), to: text('/templates/open-seat') })),
  }),
};

export const Event = Type.Object(fields, { title: 'Event' });
export type Event = Static<typeof Event>;

export const EventDetail = Type.Object({ ...fields, payload: Payload }, { title: 'EventDetail' });

export const presentEvent = ({ event, title, counts, reasons, summary, plate }: EventView): Event => {
  const matched = event.matched ?? 0;
  return {
    id: formatId('event', event.id),
    number: event.id,
    title,
    type: event.type,
    topic: event.topic,
    dedupeKey: event.dedupe_key,
    traceId: event.trace_id,
    template: { id: event.template_id, version: event.template_version },
    eventAt: iso(event.event_at),
    expiresAt: presentInstant(event.expires_at),
    createdAt: iso(event.created_at),
    publishedBy: event.published_by,
    repeatedAt: presentInstant(event.repeated_at),
    cancelledAt: presentInstant(event.cancelled_at),
    cancelledBy: event.cancelled_by,
    matched,
    progress: { seen: event.seen ?? 0, total: matched, done: event.done === 1 },
    counts,
    reasons,
    summary,
    plate,
  };
};

/** What of it changes, for those who watch it. */
export const presentEventProgress = (
  view: EventView,
): Pick<Event, 'id' | 'progress' | 'counts' | 'plate'> => {
  const { id, progress, counts, plate } = presentEvent(view);
  return { id, progress, counts, plate };
};

export const presentEventDetail = (view: EventView): Static<typeof EventDetail> => ({
  ...presentEvent(view),
  payload: JSON.parse(view.event.payload) as Record<string, unknown>,
});

export const EventsStanding = Type.Object(
  {
    days: whole(7),
    events: whole(96, 'How many there were in these days, as far as they are counted.'),
    isAll: flag(true, 'False: there are more.'),
    topics: list(text('section:09214'), 'What the newest were of.'),
    types: list(text('section.opened')),
  },
  { title: 'EventsStanding' },
);

export const presentEventsStanding = ({
  days,
  events,
  countedTo,
  topics,
  types,
}: KnownStanding): Static<typeof EventsStanding> => ({
  ...{ days, topics, types },
  events: Math.min(events, countedTo),
  isAll: events <= countedTo,
});

const published = { id: text('evt_3k'), eventId: text('evt_3k', 'The same.') };
export const Published = Type.Object({ ...published, matched: whole(412) });
export const Known = Type.Object({ ...published, duplicate: Type.Literal(true) });
