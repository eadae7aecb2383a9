// @ts-check
import { composeSteps } from '../../dist/sequences/compose.js';
import { RenderPool } from '../../dist/templates/render-pool.js';
import { timed } from '../figures.mjs';

/** Batches under way at once: one is rendered while the next is made. */
const AHEAD = 2;
const WARM_UP_SHARE = 0.2;

const ROW =
  '<tr><td style="padding:8px 0;border-bottom:1px solid #e5e5e5;font:15px/1.4 Arial,sans-serif;color:#333">';
const SUBJECT = 'Rooms in autumn, {{ contact.name }}';
const HTML = `<!doctype html><html lang="{{ locale }}"><body><table>${`${ROW}A line of text that all get.</td></tr>\n`.repeat(17)}
${ROW}Dear {{ contact.name }} of {{ contact.attributes.company }} in {{ contact.attributes.city | default: "town" }},</td></tr>
{% if contact.attributes.job %}${ROW}how is it to be {{ contact.attributes.job }}?</td></tr>{% endif %}
${ROW}{{ contact.attributes.guests | number }} guests until {{ contact.attributes.until | date: "long" }}, {{ account.name }}, {{ campaign.name }}</td></tr>
</table><a href="{{ unsubscribeUrl }}">Unsubscribe</a> {{ postalAddress }}</body></html>`;

const ACCOUNT = { id: 1, name: 'Front desk', emailAddress: 'desk@example.test', displayName: 'Front desk' };
const CAMPAIGN = { id: 1, name: 'Autumn' };
const POSTAL = 'Quay 4, Hamburg';

const contactOf = (/** @type {number} */ n) => ({
  ...{ id: n + 1, email: `reader.${n}@example.test`, emailGiven: null, name: `Reader ${n}` },
  ...{ linkedinId: null, timezone: null },
  attributes: {
    ...{ company: `Company & Sons ${n}`, city: 'Hamburg', job: 'an engineer' },
    ...{ guests: 1000 + n, until: '2026-11-16' },
  },
});
const urlOf = (/** @type {number} */ n) => `https://mail.example.test/u/AAAAAAAAAAAAAAAAAAAAAAAAAAA${n}`;

const SOURCE = { subject: SUBJECT, html: HTML };
const SETTING = {
  variables: { account: ACCOUNT, campaign: CAMPAIGN, postalAddress: POSTAL },
  ...{ locale: 'en', timezone: 'UTC' },
};
const STEP = {
  ...{
    order: 1,
    delayDays: 0,
    delayUnit: /** @type {const} */ ('days'),
    action: /** @type {const} */ ('email'),
  },
  ...{ subject: SUBJECT, body: HTML, bodyText: null },
};
const RUNAWAY = { text: '{% for i in (1..9999) %}{% for j in (1..9999) %}{{ i }}{% endfor %}{% endfor %}' };

/** @typedef {(pool: RenderPool, first: number, count: number) => Promise<readonly unknown[]>} Way */

const numbers = (/** @type {number} */ first, /** @type {number} */ count) =>
  Array.from({ length: count }, (_, place) => first + place);
const jobOf = (/** @type {number} */ n) => ({
  source: SOURCE,
  setting: SETTING,
  own: { contact: contactOf(n), unsubscribeUrl: urlOf(n) },
});

/** @type {Record<string, Way>} */
const WAYS = {
  pool: (pool, first, count) => pool.render(numbers(first, count).map(jobOf)),
  compose: (pool, first, count) =>
    composeSteps(
      pool,
      numbers(first, count).map((n) => ({
        ...{ step: STEP, steps: [STEP], contact: contactOf(n), account: ACCOUNT, campaign: CAMPAIGN },
        ...{ unsubscribeUrl: urlOf(n), postalAddress: POSTAL },
      })),
    ),
};

/**
 * Makes mails of one template for many people, and lets one run away beside others.
 *
 * @param {{ way: string, mails: number, batch: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ way, mails, batch }, parent) {
  const make = WAYS[way];
  if (!make) throw new Error(`${way}: there is no such way`);
  const pool = new RenderPool();
  const makeAll = async (/** @type {number} */ count) => {
    let next = 0;
    const lane = async () => {
      while (next < count) {
        const first = next;
        next += batch;
        check(await make(pool, first, batch), first);
      }
    };
    await Promise.all(Array.from({ length: AHEAD }, lane));
  };
  await makeAll(Math.ceil(mails * WARM_UP_SHARE));
  const { seconds, cpuMicroseconds } = await timed(() => makeAll(mails));
  const runawayMs = await stopRunaway(pool);
  await pool.close();
  parent.tell({
    ...{ kind: 'result', perSecond: mails / seconds, cpuMicroseconds: cpuMicroseconds / mails },
    runawayMs,
  });
}

/**
 * @param {readonly unknown[]} made
 * @param {number} first
 */
function check(made, first) {
  for (const [place, each] of made.entries()) {
    const { mail, subject, html, text } = /** @type {any} */ (each);
    const got = mail ?? { subject, html, text };
    const company = `Company &amp; Sons ${first + place} in Hamburg`;
    const isRight =
      got.subject === `Rooms in autumn, Reader ${first + place}` &&
      got.html?.includes(company) &&
      got.text?.includes(`Company & Sons ${first + place}`);
    if (!isRight)
      throw new Error(`a mail is not the one that was asked for: ${JSON.stringify(each).slice(0, 500)}`);
  }
}

/** @param {RenderPool} pool */
async function stopRunaway(pool) {
  const jobs = numbers(0, 100).map((n) => (n === 50 ? { ...jobOf(n), source: RUNAWAY } : jobOf(n)));
  const started = performance.now();
  const made = await pool.render(jobs);
  const ms = performance.now() - started;
  check(made.slice(0, 50), 0);
  check(made.slice(51), 51);
  if (!('fault' in /** @type {object} */ (made[50]))) throw new Error('what runs away was rendered');
  return ms;
}
