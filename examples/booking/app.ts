import fastify, { type FastifyInstance } from 'fastify';
import { PillarboxError, type Logger, type Pillarbox } from 'pillarbox';
import type { Booking, Person } from './booking.js';
import { Bookings } from './bookings.js';
import { cancellationMail, confirmationMail } from './mails.js';
import { inlinePost, transactionalPost } from './post.js';

export interface BookingOptions {
  readonly box: Pillarbox;
  /** The SQLite file of the box: bookings and mails share it. */
  readonly databasePath: string;
  readonly host: Person;
  /** Send at once and fall back to the queue, or queue in the booking's own transaction. See `post.ts`. */
  readonly post: 'inline' | 'transaction';
  readonly log: Logger;
}

interface BookingRequest {
  readonly guest: Person;
  readonly title: string;
  readonly startsAt: string;
  readonly minutes: number;
}

/** Listens nowhere yet. Closing it closes its table, not the box. */
export function buildBookingApp(options: BookingOptions): FastifyInstance {
  const { box, host, log } = options;
  const bookings = new Bookings(options.databasePath);
  const post = options.post === 'inline' ? inlinePost(box, bookings, log) : transactionalPost(box, bookings);

  const app = fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });
  app.addHook('onClose', () => {
    bookings.close();
  });
  app.setErrorHandler((error, _request, reply) => {
    const isGuestsFault = error instanceof PillarboxError && error.code === 'invalid_input';
    return isGuestsFault ? reply.code(400).send({ message: error.message }) : reply.send(error);
  });

  app.post<{ Body: BookingRequest }>('/bookings', { schema: { body: BOOKING } }, async (request, reply) => {
    const now = Date.now();
    const startsAt = Date.parse(request.body.startsAt);
    // Also false for what is no instant at all, such as the 61st second of a minute.
    if (!(startsAt > now)) return reply.code(400).send({ message: 'startsAt is not in the future' });
    const booking = await post(
      () => bookings.add({ ...request.body, startsAt }, now),
      (made) => confirmationMail(made, host),
    );
    return booking
      ? reply.code(201).send(shown(booking))
      : reply.code(409).send({ message: 'somebody else has that hour' });
  });

  app.post<{ Params: { id: string } }>('/bookings/:id/cancel', async (request, reply) => {
    const booking = await post(
      () => bookings.cancel(request.params.id, Date.now()),
      (cancelled) => cancellationMail(cancelled, host),
    );
    return booking ? shown(booking) : reply.code(404).send({ message: 'there is no such booking' });
  });

  return app;
}

/** Instants as people and JSON write them. */
const shown = ({ startsAt, bookedAt, cancelledAt, ...rest }: Booking) => ({
  ...rest,
  startsAt: new Date(startsAt).toISOString(),
  bookedAt: new Date(bookedAt).toISOString(),
  cancelledAt: cancelledAt === null ? null : new Date(cancelledAt).toISOString(),
});

const LOCAL = "[\\w!#$&'*+/=?^{|}~-]+(?:\\.[\\w!#$&'*+/=?^{|}~-]+)*";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** Nothing that a line of a mail could not carry. */
const LINE = '^[^\\p{Cc}\\p{Cs}]+$';

const BOOKING = {
  type: 'object',
  additionalProperties: false,
  required: ['guest', 'title', 'startsAt', 'minutes'],
  properties: {
    guest: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'email'],
      properties: {
        name: { type: 'string', maxLength: 100, pattern: LINE },
        email: {
          type: 'string',
          maxLength: 254,
          pattern: `^(?=[^@]{1,64}@)${LOCAL}@(?:${LABEL}\\.)+[A-Za-z]{2,63}$`,
        },
      },
    },
    title: { type: 'string', maxLength: 200, pattern: LINE },
    startsAt: { type: 'string', format: 'date-time' },
    minutes: { type: 'integer', minimum: 5, maximum: 480 },
  },
} as const;
