// @ts-check
import { createTransport } from 'nodemailer';
import { forNodemailer, letters } from '../letters.mjs';
import { AT_ONCE, CONNECTIONS } from './mailer.mjs';

/** @typedef {import('../letters.mjs').Letter} Letter */

/**
 * The sender that all peers use: as many connections as everybody, kept for as long as there is mail.
 *
 * @param {{ url: string }} smtp
 */
export function openPool({ url }) {
  const { hostname: host, port } = new URL(url);
  const transport = createTransport({
    host,
    port: Number(port),
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: Infinity,
    ignoreTLS: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    /** @param {Letter} letter */
    send: async (letter) => {
      const { accepted } = await transport.sendMail(forNodemailer(letter));
      if (accepted.length !== 1) throw new Error('nodemailer: the recipient was not accepted');
    },
    close: () => transport.close(),
  };
}

/** @type {import('./mailer.mjs').Mailer} */
export const nodemailerPool = {
  title: 'nodemailer pool',
  keeps: 'nothing: no queue, the mails lie ready in memory',
  queue: 'none',
  fill: async () => {},

  consumer: async ({ smtp, mails, handled }) => {
    const pool = openPool(smtp);
    const waiting = letters(mails);
    const lane = async () => {
      for (let letter = waiting.pop(); letter; letter = waiting.pop()) {
        await pool.send(letter);
        handled();
      }
    };
    /** @type {Promise<unknown> | undefined} */
    let lanes;
    return {
      start: async () => {
        lanes = Promise.all(Array.from({ length: AT_ONCE }, lane));
        await lanes;
      },
      stop: async () => {
        await lanes;
        pool.close();
      },
    };
  },

  watch: async () => ({ isEmpty: async () => true, check: async () => {}, close: async () => {} }),
};
