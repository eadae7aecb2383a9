// @ts-check
import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime from 'postal-mime';
import { compose, toBytes } from '../../dist/mime/compose.js';
import { timed } from '../figures.mjs';
import { aLetter, ATTACHED, forNodemailer, FROM } from '../letters.mjs';

const AT_ONCE = 20;
const WARM_UP_SHARE = 0.2;
const FILE = { filename: 'report.pdf', contentType: 'application/pdf' };

/** @typedef {import('../letters.mjs').Letter} Letter */
/** @typedef {(letter: Letter, n: number, attached: boolean) => Promise<Buffer> | Buffer} Composer */

/** Each gets the file as it wants it: we store base64, nodemailer is fastest with bytes. */
const OURS = [{ ...FILE, contentBase64: ATTACHED.toString('base64') }];
const THEIRS = [{ ...FILE, content: ATTACHED }];

/** @type {Record<string, Composer>} */
const COMPOSERS = {
  pillarbox: ({ to, subject, text, html }, n, attached) => {
    const mail = { from: FROM, to, subject, text, html, ...(attached && { attachments: OURS }) };
    return toBytes(compose(mail, { messageId: `<${n}@example.test>`, date: Date.now() }));
  },
  nodemailer: (letter, n, attached) => {
    const mail = { ...forNodemailer(letter), messageId: `<${n}@example.test>`, date: new Date() };
    return new MailComposer({ ...mail, ...(attached && { attachments: THEIRS }) }).compile().build();
  },
};

/**
 * Makes mails of letters, and nothing else with them.
 *
 * @param {{ composer: string, mails: number, attached: boolean }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ composer, mails, attached }, parent) {
  const make = COMPOSERS[composer];
  if (!make) throw new Error(`${composer}: there is no such composer`);
  const letters = Array.from({ length: mails }, (_, n) => aLetter(n));
  const makeAll = async (/** @type {number} */ count) => {
    let [next, bytes] = [0, 0];
    const lane = async () => {
      for (let n = next++; n < count; n = next++) {
        const made = make(/** @type {Letter} */ (letters[n]), n, attached);
        // Whoever is done at once is not made to wait a turn.
        const mail = made instanceof Promise ? await made : made;
        bytes += mail.length;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return bytes;
  };
  await makeAll(Math.ceil(mails * WARM_UP_SHARE));
  let bytes = 0;
  const { seconds, cpuMicroseconds } = await timed(async () => (bytes = await makeAll(mails)));
  const [first] = letters;
  if (first) await check(first, await make(first, 0, attached), attached);
  parent.tell({
    kind: 'result',
    perSecond: mails / seconds,
    cpuMicroseconds: cpuMicroseconds / mails,
    bytes: bytes / mails,
  });
}

/**
 * @param {Letter} letter
 * @param {Buffer} made
 * @param {boolean} attached
 */
async function check(letter, made, attached) {
  const read = await PostalMime.parse(made);
  const flat = (/** @type {string | undefined} */ text) => text?.replaceAll('\r\n', '\n').trim();
  const same = ['subject', 'text', 'html'].every((part) => {
    const key = /** @type {'subject' | 'text' | 'html'} */ (part);
    return flat(read[key]) === flat(letter[key]);
  });
  const files = read.attachments.map(({ content }) => Buffer.from(/** @type {ArrayBuffer} */ (content)));
  const rightFiles = attached ? files.length === 1 && files[0]?.equals(ATTACHED) : files.length === 0;
  if (!same || !rightFiles) throw new Error('the mail that was made is not the one that was asked for');
}
