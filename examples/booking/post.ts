import type { Logger, Pillarbox } from 'pillarbox';
import type { Booking } from './booking.js';
import type { Bookings } from './bookings.js';
import type { BookingMail } from './mails.js';

/** Makes a change and sees to its mail. Undefined when the change was not possible; then there is no mail. */
export type Post = (
  change: () => Booking | undefined,
  mailOf: (booking: Booking) => BookingMail,
) => Promise<Booking | undefined>;

/**
 * Fire and forget. The mail is stored and sent at once; if the server does not take it, it waits in the outbox for
 * the worker. Nobody waits for it, and a booking never fails for it. What is left to chance is a crash in the instant
 * between the two commits.
 */
export const inlinePost =
  (box: Pillarbox, bookings: Bookings, log: Logger): Post =>
  async (change, mailOf) => {
    const booking = await bookings.transaction(change);
    if (!booking) return undefined;
    const { mail, idempotencyKey } = mailOf(booking);
    void box.outbox.send(mail, { idempotencyKey }).then(
      (result) => log.info({ idempotencyKey, result }, 'mail is out, or kept for later'),
      (error: unknown) => log.error({ err: error, idempotencyKey }, 'mail was not stored'),
    );
    return booking;
  };

/**
 * The booking and its mail in one commit: both exist, or neither does, whatever happens. The worker sends it a moment
 * later. A mail that Pillarbox refuses as malformed undoes the booking.
 */
export const transactionalPost =
  (box: Pillarbox, bookings: Bookings): Post =>
  (change, mailOf) =>
    bookings.transaction(async (tx) => {
      const booking = change();
      if (!booking) return undefined;
      const { mail, idempotencyKey } = mailOf(booking);
      await box.outbox.enqueue(mail, { idempotencyKey, tx });
      return booking;
    });
