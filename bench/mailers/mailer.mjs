// @ts-check
import { openDatabase } from '../database.mjs';

/** How many connections to the server every sender may have. */
export const CONNECTIONS = 20;
/** Mails a sender works on at once where it can be told: enough that no connection ever waits for the next one. */
export const AT_ONCE = 2 * CONNECTIONS;

/**
 * Somebody who delivers mail: a queue with a sender behind it, or a sender alone.
 *
 * @typedef {object} Mailer
 * @property {string} title
 * @property {string} keeps What is durable, and what is left of a finished mail.
 * @property {'postgres' | 'sqlite' | 'redis' | 'none'} queue
 * @property {(url: string, mails: number) => Promise<void>} fill
 * @property {(job: Job) => Promise<{ start: () => Promise<void>, stop: () => Promise<void> }>} consumer
 * @property {(url: string) => Promise<Watch>} watch
 *
 * @typedef {object} Job
 * @property {string} url Of the queue.
 * @property {{ url: string, caFile?: string, mailsInFlight?: number }} smtp
 * @property {number} mails Of interest to those without a queue.
 * @property {() => void} handled Called when the server has accepted a mail.
 *
 * @typedef {object} Watch A look at the queue from outside.
 * @property {() => Promise<boolean>} isEmpty
 * @property {(mails: number) => Promise<void>} check Throws unless every mail is settled as delivered.
 * @property {() => Promise<void>} close
 */

/**
 * @param {Pick<import('../contenders/pillarbox.mjs').Contender, 'isEmpty' | 'check'>} contender
 * @returns {Mailer['watch']}
 */
export const watchTables =
  ({ isEmpty, check }) =>
  async (url) => {
    const db = await openDatabase(url);
    return { isEmpty: () => isEmpty(db), check: (mails) => check(db, mails), close: () => db.close() };
  };
