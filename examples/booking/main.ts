import { createPillarbox } from 'pillarbox';
import { pino } from 'pino';
import { buildBookingApp } from './app.js';

const {
  DATABASE_URL: databaseUrl = 'sqlite:./data/booking.db',
  SMTP_URL: smtpUrl = 'smtp://127.0.0.1:2525',
  MAIL_FROM: from = 'Bookings <bookings@example.org>',
  HOST_NAME: name = 'Grace Hopper',
  HOST_EMAIL: email = 'grace@example.org',
  BOOKING_POST: post = 'inline',
  PORT: port = '3000',
} = process.env;

if (!databaseUrl.startsWith('sqlite:')) {
  throw new Error(
    'DATABASE_URL: this example keeps its bookings in SQLite, such as sqlite:./data/booking.db',
  );
}
if (post !== 'inline' && post !== 'transaction') {
  throw new Error('BOOKING_POST: should be inline or transaction');
}

const log = pino();
const box = await createPillarbox({ databaseUrl, smtpUrl, from, log });
const app = buildBookingApp({
  box,
  databasePath: databaseUrl.slice('sqlite:'.length),
  host: { name, email },
  post,
  log,
});
await box.start();
const address = await app.listen({ host: '127.0.0.1', port: Number(port) });
log.info({ address, post }, `bookings are taken at ${address}`);

/** First no more requests, then no more mail: what a request has stored is not left behind. */
async function stop(): Promise<void> {
  await app.close();
  await box.stop();
}
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
