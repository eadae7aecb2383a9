// @ts-check
import { reason } from '../../scripts/services/waiting.mjs';
import { MAILERS } from '../mailers/index.mjs';
import { CONNECTIONS } from '../mailers/mailer.mjs';
import { deliver, relay } from '../mailing.mjs';
import { farAway } from '../servers/far-line.mjs';
import { startNodeSink } from '../servers/node-sink.mjs';
import { findPostfix } from '../servers/postfix.mjs';
import { findSmtpSink, startSmtpSink } from '../servers/smtp-sink.mjs';

/** @typedef {import('./group.mjs').Runner} Runner */

const ROUND_TRIP_MS = 40;
/** One mail a round trip on each connection. */
const BOUND = CONNECTIONS / (ROUND_TRIP_MS / 1_000);
const OURS = MAILERS.pillarboxPostgres.title;
const THEIRS = MAILERS.nodemailerPool.title;
const POSTFIX = 'Postfix as a smarthost';
const chunked = (/** @type {number} */ mails) => `${OURS}, CHUNKING, mailsInFlight ${mails}`;

/** @type {import('./group.mjs').Group} */
export const far = {
  title: `Deliver mails of 3 KB to a server ${ROUND_TRIP_MS} ms away, 1 process, ${CONNECTIONS} connections`,
  notes: [
    `a process of its own passes on what is said ${ROUND_TRIP_MS / 2} ms later, in both directions; connecting itself takes no time, for nobody`,
    `share: of ${BOUND} mails/s, which is one mail a round trip on each connection`,
    `DATA to Postfix's smtp-sink; CHUNKING to a small sink in Node that offers it`,
    `${POSTFIX}: from the first mail handed in, next door, until the sink has the last one`,
  ],
  metrics: { delivered: 'mails/s', share: 'of one a round trip' },
  goals: [
    { of: OURS, metric: 'delivered', against: THEIRS, atLeast: 2.6 },
    { of: OURS, metric: 'share', atLeast: 0.9 },
    { of: chunked(4), metric: 'delivered', against: chunked(1), atLeast: 3 },
    { of: OURS, metric: 'delivered', against: POSTFIX, atLeast: 1.5 },
  ],
  open: async ({ ground, sizes }) => {
    const mails = sizes.far;
    const { directory } = ground;
    const noSink = await findSmtpSink().then(() => undefined, reason);
    const noPostfix = noSink ?? (await findPostfix().then(() => undefined, reason));
    const sink = async () => farAway(await startSmtpSink(directory), ROUND_TRIP_MS);
    const nothing = { url: '', drop: async () => {} };
    return [
      runner(OURS, noSink, async () =>
        deliver({
          mailer: 'pillarboxPostgres',
          mails,
          place: await ground.fresh('postgres'),
          sink: await sink(),
        }),
      ),
      runner(THEIRS, noSink, async () =>
        deliver({ mailer: 'nodemailerPool', mails, place: nothing, sink: await sink() }),
      ),
      ...[1, 4].map((mailsInFlight) =>
        runner(chunked(mailsInFlight), undefined, async () => {
          const near = await startNodeSink({ secure: false, chunking: true });
          const { smtp, ...rest } = await farAway(near, ROUND_TRIP_MS);
          return deliver({
            mailer: 'pillarboxPostgres',
            mails: mails * mailsInFlight,
            place: await ground.fresh('postgres'),
            sink: { ...rest, smtp: { ...smtp, mailsInFlight } },
          });
        }),
      ),
      runner(POSTFIX, noPostfix, async () => relay({ directory, mails, sink: await sink() })),
    ];
  },
};

/**
 * @param {string} name
 * @param {string | undefined} missing
 * @param {() => Promise<{ delivered: number }>} run
 * @returns {Runner}
 */
function runner(name, missing, run) {
  if (missing !== undefined) return { name, missing };
  return {
    name,
    run: async () => {
      const { delivered } = await run();
      return { delivered, share: delivered / BOUND };
    },
  };
}
