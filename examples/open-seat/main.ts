import { createPillarbox } from 'pillarbox';
import { pino } from 'pino';
import { feedServer, SECTIONS } from './feed.js';
import { Poller } from './poller.js';
import { topicOf } from './sections.js';

const {
  DATABASE_URL: databaseUrl = 'sqlite:./data/open-seat.db',
  SMTP_URL: smtpUrl = 'smtp://127.0.0.1:2525',
  MAIL_FROM: from = 'Open seats <seats@example.org>',
  PILLARBOX_SECRET: secret = 'an example, and no secret at all',
  PUBLIC_URL: publicUrl = 'http://127.0.0.1:8025',
  READER: reader = 'ada@example.org',
  PORT: port = '3000',
} = process.env;

const log = pino();
const box = await createPillarbox({ databaseUrl, smtpUrl, from, secret, publicUrl, log });
for (const section of SECTIONS)
  await box.subscriptions.add({ topic: topicOf(section), contactType: 'email', contactValue: reader });

const feed = feedServer([...SECTIONS]);
await new Promise<void>((resolve) => feed.listen(Number(port), '127.0.0.1', resolve));
const poller = new Poller(box.events, {
  feedUrl: `http://127.0.0.1:${port}/sections`,
  everyMs: 2_000,
  warn: (error) => log.warn({ error }, 'the feed could not be read'),
});
await box.start();
const polling = poller.run();
log.info({ reader }, `sections are told of at http://127.0.0.1:${port}/sections`);

/** First no more events, then no more mail: what was published is not left behind. */
async function stop(): Promise<void> {
  poller.stop();
  await polling;
  feed.close();
  await box.stop();
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
