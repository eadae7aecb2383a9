// @ts-check
import { MAILERS } from '../mailers/index.mjs';
import { CONNECTIONS } from '../mailers/mailer.mjs';
import { deliver } from '../mailing.mjs';
import { startNodeSink } from '../servers/node-sink.mjs';

const CLEAR = 'in clear';
const SECURE = 'TLS and AUTH';
const mailer = /** @type {const} */ ('pillarboxPostgres');

/** @type {import('./group.mjs').Group} */
export const smtpTls = {
  title: `Deliver mails of 3 KB with TLS and AUTH, and without, ${MAILERS[mailer].title}, ${CONNECTIONS} connections`,
  notes: ['the same small sink in Node, in a process of its own; it checks the log-in of each connection'],
  metrics: { delivered: 'mails/s', cpu: 'µs CPU of the sender a mail' },
  goals: [{ of: SECURE, metric: 'delivered', against: CLEAR, atLeast: 0.7 }],
  open: async ({ ground, sizes }) =>
    [CLEAR, SECURE].map((name) => ({
      name,
      run: async () => {
        const place = await ground.fresh('postgres');
        const sink = await startNodeSink({ secure: name === SECURE });
        return deliver({ mailer, mails: sizes.smtp, place, sink });
      },
    })),
};
