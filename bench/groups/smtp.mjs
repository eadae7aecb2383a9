// @ts-check
import { reason } from '../../scripts/services/waiting.mjs';
import { MAILERS } from '../mailers/index.mjs';
import { CONNECTIONS } from '../mailers/mailer.mjs';
import { deliver, relay } from '../mailing.mjs';
import { findPostfix } from '../servers/postfix.mjs';
import { startRedis } from '../servers/redis.mjs';
import { findSmtpSink, startSmtpSink } from '../servers/smtp-sink.mjs';

/** @typedef {import('../mailers/index.mjs').MailerName} MailerName */
/** @typedef {import('./group.mjs').BenchContext} BenchContext */
/** @typedef {import('./group.mjs').Runner} Runner */

const POSTFIX = 'Postfix as a smarthost';
const NAMES = /** @type {MailerName[]} */ (Object.keys(MAILERS));

/** @type {[of: MailerName, against: string, atLeast: number][]} */
const GOALS = [
  ['pillarboxPostgres', MAILERS.nodemailerPool.title, 3.5],
  ['pillarboxPostgres', MAILERS.pgBoss.title, 3.3],
  ['pillarboxPostgres', MAILERS.graphileWorker.title, 3.3],
  ['pillarboxPostgres', MAILERS.bullmq.title, 3.3],
  ['pillarboxPostgres', POSTFIX, 4],
  ['pillarboxSqlite', MAILERS.nodemailerPool.title, 3.5],
];

/** @type {import('./group.mjs').Group} */
export const smtp = {
  title: `Deliver mails of 3 KB to Postfix's smtp-sink, 1 process, ${CONNECTIONS} connections`,
  notes: [
    ...Object.values(MAILERS).map(({ title, keeps }) => `${title}: ${keeps}`),
    `${POSTFIX}: from the first mail handed in until the sink has the last one, so accepting counts, for it alone`,
    'overall: the time to fill the queue, in bulk and by another process, is added to that of the delivery',
  ],
  metrics: { delivered: 'mails/s', overall: 'mails/s', cpu: 'µs CPU of the sender a mail' },
  goals: GOALS.map(([of, against, atLeast]) => ({
    of: MAILERS[of].title,
    metric: 'delivered',
    against,
    atLeast,
  })),
  open: async (bench) => {
    const { directory } = bench.ground;
    const mails = bench.sizes.smtp;
    const noSink = await findSmtpSink().then(() => undefined, reason);
    if (noSink !== undefined) {
      return [...NAMES.map((name) => MAILERS[name].title), POSTFIX].map((name) => missing(name, noSink));
    }
    const redis = await startRedis(directory).catch((/** @type {unknown} */ error) => reason(error));
    const runners = NAMES.map((mailer) => sender(bench, mailer, redis));
    const noPostfix = await findPostfix().then(() => undefined, reason);
    return [
      ...runners,
      noPostfix === undefined
        ? {
            name: POSTFIX,
            run: async () => relay({ directory, mails, sink: await startSmtpSink(directory) }),
          }
        : missing(POSTFIX, noPostfix),
    ];
  },
};

/**
 * @param {BenchContext} bench
 * @param {MailerName} mailer
 * @param {Awaited<ReturnType<typeof startRedis>> | string} redis or why there is none
 * @returns {Runner}
 */
function sender({ ground, sizes }, mailer, redis) {
  const { title: name, queue } = MAILERS[mailer];
  const run = async (/** @type {import('../mailing.mjs').Place} */ place) =>
    deliver({ mailer, mails: sizes.smtp, place, sink: await startSmtpSink(ground.directory) });
  // Whoever drains Redis leaves it empty.
  const nothing = async () => {};
  if (queue === 'none') return { name, run: () => run({ url: '', drop: nothing }) };
  if (queue !== 'redis') return { name, run: async () => run(await ground.fresh(queue)) };
  if (typeof redis === 'string') return missing(name, redis);
  return { name, run: () => run({ url: redis.url, drop: nothing }), close: redis.stop };
}

/**
 * @param {string} name
 * @param {string} why
 * @returns {Runner}
 */
const missing = (name, why) => ({ name, missing: why });
