// @ts-check
import { readFileSync } from 'node:fs';
import { createPillarbox } from '../../dist/index.js';
import { SmtpTransport } from '../../dist/transport/smtp/transport.js';
import { log, pillarbox as tables } from '../contenders/pillarbox.mjs';
import { aLetter } from '../letters.mjs';
import { CONNECTIONS, watchTables } from './mailer.mjs';

/** In hand at once: on the wire, and on their way through the gate or into the store. */
const AT_ONCE = 10 * CONNECTIONS;
/** Connections are kept for the whole run, as everybody's here. */
const KEPT = 1_000_000;

/** @typedef {import('../../dist/transport/transport.js').Transport} Transport */

/**
 * The engine with the transport that it makes of `smtpUrl`.
 *
 * @param {'postgres' | 'sqlite'} queue
 * @param {string} title
 * @returns {import('./mailer.mjs').Mailer}
 */
const onDatabase = (queue, title) => ({
  title,
  keeps:
    'claim, gate and settle are each committed, each mail on its own outcome; outcome, history and content are kept',
  queue,
  fill: (url, mails) => tables.fill(url, mails, aLetter),
  consumer: async ({ url: databaseUrl, smtp, handled }) => {
    const { url, caFile, mailsInFlight } = smtp;
    const ca = caFile === undefined ? undefined : readFileSync(caFile, 'utf8');
    const hosts = { allowPrivate: true };
    const transport = counted(
      new SmtpTransport({
        ...{ url, ca, hosts, mailsInFlight },
        ...{ maxConnections: CONNECTIONS, maxMailsPerConnection: KEPT },
      }),
      handled,
    );
    const box = await createPillarbox({ databaseUrl, transport, concurrency: AT_ONCE, log });
    return { start: () => box.start(), stop: () => box.stop() };
  },
  watch: watchTables(tables),
});

/**
 * @param {Transport} transport
 * @param {() => void} handled
 * @returns {Transport}
 */
const counted = (transport, handled) => ({
  kind: transport.kind,
  get capacity() {
    return transport.capacity;
  },
  send: async (message, gate) => {
    const report = await transport.send(message, gate);
    if (report.status === 'sent') handled();
    return report;
  },
  close: () => transport.close(),
});

export const pillarboxPostgres = onDatabase('postgres', 'pillarbox, PostgreSQL');
export const pillarboxSqlite = onDatabase('sqlite', 'pillarbox, SQLite');
