import { EventInput } from '../../notifications/input.js';
import {
  Event,
  EventDetail,
  EventsStanding,
  Known,
  presentEvent,
  presentEventDetail,
  presentEventsStanding,
  Published,
} from '../../presentation/event.js';
import { page } from '../../presentation/shape.js';
import { Type } from '../../vendor/typebox.js';
import { accepted } from '../answers.js';
import { pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const closed = { additionalProperties: false } as const;
const LONGEST_NAME = 200;

const WithId = Type.Object({ id: Type.String() });
const Filter = Type.Object(
  {
    ...pageQuery,
    topic: Type.Optional(Type.String({ maxLength: LONGEST_NAME })),
    type: Type.Optional(Type.String({ maxLength: LONGEST_NAME })),
    q: Type.Optional(Type.String({ maxLength: 255 })),
  },
  closed,
);

export const eventRoutes: readonly Route[] = [
  route(
    'send',
    {
      method: 'POST',
      url: '/api/events',
      operation: 'publishEvent',
      summary:
        'Something happened: all active subscriptions of its topic are told. 200 if its key was published within three minutes',
      body: EventInput,
      example: {
        type: 'section.opened',
        topic: 'section:09214',
        dedupeKey: '09214:Open',
        template: { id: 'open-seat' },
        payload: {
          courseTitle: 'Linear Algebra',
          courseString: '01:640:250',
          sectionNumber: '05',
          meetingSummary: 'Mon, Thu 10:20',
          termId: '20269',
          campusCode: 'NB',
          indexNumber: '09214',
          statusAfter: 'Open',
        },
      },
      answer: Known,
      accepted: Published,
      errors: ['invalid_config'],
    },
    async ({ body, workspace, principal }) => {
      const result = await workspace.events.publish(body, {}, principal.actor);
      const id = result.eventId;
      return 'duplicate' in result ? { id, ...result } : accepted({ id, ...result });
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/events',
      operation: 'listEvents',
      summary:
        'What happened, newest first, and who was told; `q`: an id, a dedupe key, or how a topic or a type begins',
      query: Filter,
      answer: page(Event),
    },
    async ({ query, workspace }) => {
      const { items, nextCursor } = await workspace.events.list(query);
      return { items: items.map(presentEvent), nextCursor };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/events/standing',
      operation: 'getEventsStanding',
      summary: 'How many events there were lately, and of which topics and types',
      answer: EventsStanding,
    },
    async ({ workspace }) => presentEventsStanding(await workspace.events.standing()),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/events/:id',
      operation: 'getEvent',
      summary: 'One event: who was told, who not, and why',
      params: WithId,
      answer: EventDetail,
    },
    async ({ params, workspace }) => presentEventDetail(await workspace.events.get(params.id)),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/events/:id/cancel',
      operation: 'cancelEvent',
      summary: 'Nobody more is told of it, also while it is being told',
      params: WithId,
      answer: EventDetail,
      errors: ['illegal_move'],
    },
    async ({ params, workspace, principal }) =>
      presentEventDetail(await workspace.events.cancel(params.id, principal.actor)),
  ),
];
