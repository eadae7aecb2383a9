// @ts-check
import { randomBytes } from 'node:crypto';

const WORDS =
  'account order invoice message welcome reset password campaign deliver schedule window please confirm your the and for with from team update notice receipt total amount balance month report link below thanks regards support privacy policy'.split(
    ' ',
  );
const BODY_BYTES = 1_820;

/** Words and numbers, so that the databases can compress it about as well as real mail. Plain ASCII, no quotes. */
export const BODIES = Array.from({ length: 64 }, (_, seed) => prose(BODY_BYTES, seed + 1));

/** @typedef {{ to: string, subject: string, text: string, idempotencyKey: string }} BenchMail */

/**
 * A mail that is 2 KB as JSON. All contenders store this same object. Its key is random, as callers' keys are:
 * ordered ones would flatter every index.
 *
 * @param {number} n
 * @returns {BenchMail}
 */
export const aMail = (n) => ({
  to: `user${n}@example.test`,
  subject: `Message number ${n}`,
  text: BODIES[n % BODIES.length] ?? '',
  idempotencyKey: randomBytes(12).toString('base64url'),
});

/** @param {number} count */
export const mails = (count) => Array.from({ length: count }, (_, n) => aMail(n));

/**
 * @param {number} bytes
 * @param {number} seed
 */
function prose(bytes, seed) {
  let state = seed * 7_919;
  const next = (/** @type {number} */ below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  let text = '';
  while (text.length < bytes) text += `${WORDS[next(WORDS.length)]}${next(10_000).toString(36)} `;
  return text.slice(0, bytes);
}
