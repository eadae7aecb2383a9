// @ts-check
import { randomBytes } from 'node:crypto';
import { BODIES } from './mails.mjs';

/** Who the product writes as when nobody says otherwise; the peers write as the same. */
export const FROM = { email: 'pillarbox@localhost', name: 'Pillarbox' };

const TEXT_BYTES = 850;
const HTML_BYTES = 1_000;
const ATTACHED_BYTES = 30_000;

/** @typedef {ReturnType<typeof aLetter>} Letter */

/**
 * A mail as people get it: text and html, names and words that are not ASCII, 3 KB on the wire. All senders store
 * this same object, and have to encode and fold all of it themselves.
 *
 * @param {number} n
 */
export function aLetter(n) {
  const prose = BODIES[n % BODIES.length] ?? '';
  const [text, html] = [prose.slice(0, TEXT_BYTES), prose.slice(-HTML_BYTES)];
  return {
    to: { email: `user${n}@example.test`, name: 'Zoë Lovelace' },
    subject: `Your booking № ${n} is confirmed`,
    text: `Hello Zoë,\n\n${text}\n\n– the team\nhttps://example.test/u/${n}\n`,
    html:
      `<!doctype html><html><body style="font-family:sans-serif"><p>Hello Zoë,</p><p>${html}</p>` +
      `<table><tr><td style="padding:8px;color:#333">– the team</td></tr></table>` +
      `<p><a href="https://example.test/u/${n}">unsubscribe</a></p></body></html>`,
    idempotencyKey: randomBytes(12).toString('base64url'),
  };
}

/** @param {number} count */
export const letters = (count) => Array.from({ length: count }, (_, n) => aLetter(n));

/** What some letters bring along. Random, as compressed files look. */
export const ATTACHED = randomBytes(ATTACHED_BYTES);

/**
 * The same mail in nodemailer's words.
 *
 * @param {Letter} letter
 */
export const forNodemailer = ({ to, subject, text, html }) => ({
  from: { address: FROM.email, name: FROM.name },
  to: { address: to.email, name: to.name },
  subject,
  text,
  html,
});
