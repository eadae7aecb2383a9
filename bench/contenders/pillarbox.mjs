// @ts-check
import { createPillarbox } from '../../dist/index.js';
import { silent } from '../../dist/log/log.js';
import { count } from '../database.mjs';
import { aMail } from '../mails.mjs';

/** Sends at once: more than one claim, so that gate and settle always find a full group waiting. */
const CONCURRENCY = 1_000;
const FILL_AT_ONCE = 20_000;

/** Trouble must not pass for slowness. */
export const log = {
  ...silent,
  warn: (/** @type {object} */ facts, /** @type {string} */ text) => console.error(text, facts),
  error: (/** @type {object} */ facts, /** @type {string} */ text) => console.error(text, facts),
};

/**
 * What a queue must offer to be drained, filled and checked here.
 *
 * @typedef {object} Contender
 * @property {string} title
 * @property {string} keeps What is durable, and what is left of a finished mail.
 * @property {(url: string, mails: number, mailOf?: (n: number) => import('../../dist/index.js').MailInput) => Promise<void>} fill
 * @property {(url: string, handled: () => void) => Promise<{ start: () => Promise<void>, stop: () => Promise<void> }>} consumer
 * @property {(db: import('../database.mjs').Database) => Promise<boolean>} isEmpty
 * @property {(db: import('../database.mjs').Database, mails: number) => Promise<void>} check
 */

/**
 * Takes no time: what is left is what the queue itself costs.
 *
 * @param {() => void} handled
 * @returns {import('../../dist/transport/transport.js').Transport}
 */
export const noTransport = (handled) => ({
  kind: 'none',
  capacity: Infinity,
  send: async (_, gate) => {
    if (!(await gate())) return SHUT;
    handled();
    return { status: 'sent', provider: 'none' };
  },
  close: async () => {},
});

/** @type {import('../../dist/core/report.js').SendReport} */
const SHUT = {
  status: 'retryable',
  provider: 'none',
  error: { class: 'retryable', scope: 'message', code: 'shut', message: 'the gate did not open' },
};

/** @type {Contender} */
export const pillarbox = {
  title: 'pillarbox',
  keeps: 'claim, gate and settle are each committed; outcome, history and content are kept',

  async fill(databaseUrl, total, mailOf = aMail) {
    const box = await createPillarbox({ databaseUrl, log });
    for (let from = 0; from < total; from += FILL_AT_ONCE) {
      const size = Math.min(FILL_AT_ONCE, total - from);
      const { accepted } = await box.outbox.enqueueMany(
        Array.from({ length: size }, (_, n) => mailOf(from + n)),
      );
      if (accepted === 0) throw new Error('no mail was accepted');
    }
    await box.stop();
  },

  async consumer(databaseUrl, handled) {
    const transport = noTransport(handled);
    const box = await createPillarbox({ databaseUrl, transport, concurrency: CONCURRENCY, log });
    return { start: () => box.start(), stop: () => box.stop() };
  },

  isEmpty: async (db) =>
    (await count(
      db,
      `select case when exists (select 1 from due) or exists (select 1 from leases) then 1 else 0 end`,
    )) === 0,

  async check(db, total) {
    await expectCount(db, 'select count(*) from messages', total);
    await expectCount(db, `select count(*) from outcomes where state = 'sent'`, total);
    await expectCount(db, 'select count(*) from outcomes', total);
    await expectCount(db, `select count(*) from attempts where outcome = 'success'`, total);
    await expectCount(db, 'select count(*) from attempts', total);
    await expectCount(db, `select (select count(*) from due) + (select count(*) from leases)`, 0);
  },
};

/**
 * @param {import('../database.mjs').Database} db
 * @param {string} sql
 * @param {number} expected
 */
export async function expectCount(db, sql, expected) {
  const found = await count(db, sql);
  if (found !== expected) throw new Error(`${sql}: should be ${expected}, is ${found}`);
}
