// @ts-check
import { createPillarbox } from '../../dist/index.js';
import { Gatekeeper } from '../../dist/access/gatekeeper.js';
import { hashToken, hintOf, makeApiKey } from '../../dist/access/token.js';
import { formatId } from '../../dist/core/ids.js';
import { buildServer } from '../../dist/http/server.js';
import { addApiKey } from '../../dist/store/scripts/api-keys.js';
import { log } from '../contenders/pillarbox.mjs';
import { percentile } from '../figures.mjs';

const WARM_UP = 3;
const SAMPLES = 40;
const PUBLIC_URL = 'http://127.0.0.1:8025';

/** @typedef {{ total: number, dice: () => number, accountId: string }} Context */

const anId = (/** @type {Context} */ { total, dice }) => 1 + Math.floor(dice() * total);
const messages = (/** @type {Record<string, string>} */ query) =>
  `/api/messages?${new URLSearchParams(query).toString()}`;
const page = (/** @type {Context} */ context) => formatId('message', anId(context));

/**
 * What is asked, each time a little differently; the address of the request.
 *
 * @type {Record<string, (context: Context) => string>}
 */
export const QUESTIONS = {
  newest: () => messages({}),
  'any page': (context) => messages({ cursor: page(context) }),
  sent: (context) => messages({ state: 'sent', cursor: page(context) }),
  dead: (context) => messages({ state: 'dead', cursor: page(context) }),
  held: () => messages({ state: 'held' }),
  scheduled: () => messages({ state: 'scheduled' }),
  'retry later': () => messages({ state: 'retry_scheduled' }),
  'dead and held': () => messages({ state: 'dead,held', limit: '200' }),
  'of an account': ({ accountId }) => messages({ accountId, state: 'dead' }),
  'of an empty lane': () => messages({ lane: 'campaign', state: 'sent' }),
  address: (context) => messages({ to: `user${anId(context)}@example.test` }),
  'address and state': (context) => messages({ to: `user${anId(context)}@example.test`, state: 'dead' }),
  'rare prefix': (context) => messages({ q: `user${anId(context)}@` }),
  'common prefix': () => messages({ q: 'user1' }),
  'prefix and state': () => messages({ q: 'user19', state: 'dead' }),
  'an id': (context) => messages({ q: page(context) }),
  'words of the subject': (context) => messages({ q: `number ${anId(context)}` }),
  'admin outbox': () => '/api/admin/outbox',
  'dead groups': () => '/api/messages/dead-groups',
  dashboard: () => '/api/admin/dashboard?range=24h',
};

/**
 * Asks everything in turns.
 *
 * @param {{ url: string, total: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, total }, parent) {
  const box = await createPillarbox({ databaseUrl: url, workspace: 'bench', log });
  const gatekeeper = new Gatekeeper(box.store, box.home.id);
  const app = await buildServer({ box, gatekeeper, publicUrl: PUBLIC_URL, cronSecret: undefined, log });
  const ask = await asker(app, box);
  const [newest] = (await ask(messages({}))).data.items;
  const context = { total, dice: mulberry(7), accountId: newest.accountId };
  /** @type {Record<string, number>} */
  const p95 = {};
  for (const [name, addressOf] of Object.entries(QUESTIONS)) {
    const costs = [];
    for (let n = 0; n < WARM_UP + SAMPLES; n += 1) {
      const started = performance.now();
      await ask(addressOf(context));
      if (n >= WARM_UP) costs.push(performance.now() - started);
    }
    p95[name] = percentile(costs, 0.95);
  }
  await app.close();
  await box.stop();
  parent.tell({ kind: 'result', p95 });
}

/**
 * @param {import('fastify').FastifyInstance} app
 * @param {import('../../dist/index.js').Pillarbox} box
 */
async function asker(app, { store, home }) {
  const key = makeApiKey();
  const stored = { workspaceId: home.id, name: 'bench', scopes: /** @type {const} */ (['read']) };
  await store.transaction(
    addApiKey(store, { ...stored, hash: hashToken(key), hint: hintOf(key) }, Date.now()),
  );
  return async (/** @type {string} */ url) => {
    const reply = await app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${key}` } });
    if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.body}`);
    return reply.json();
  };
}

/** The same numbers in every round. @param {number} seed */
function mulberry(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
