// @ts-check
import { createPillarbox } from '../dist/index.js';
import { Gatekeeper } from '../dist/access/gatekeeper.js';
import { hashToken, hintOf, makeApiKey } from '../dist/access/token.js';
import { buildServer } from '../dist/http/server.js';
import { addApiKey } from '../dist/store/scripts/api-keys.js';
import { log } from './contenders/pillarbox.mjs';
import { percentile } from './figures.mjs';

const WARM_UP = 3;
const SAMPLES = 40;
const PUBLIC_URL = 'http://127.0.0.1:8025';

/** @typedef {(url: string) => Promise<any>} Ask */

/**
 * Asks everything in turns, over HTTP without a socket, and tells the 95th percentile of each.
 *
 * @template Context
 * @param {string} url
 * @param {import('./child.mjs').Parent} parent
 * @param {Record<string, (context: Context) => string>} questions What is asked, each time a little differently.
 * @param {(ask: Ask, dice: () => number) => Promise<Context>} begin
 */
export async function askEverything(url, parent, questions, begin) {
  const box = await createPillarbox({ databaseUrl: url, workspace: 'bench', log });
  const gatekeeper = new Gatekeeper(box.store, box.home.id);
  const app = await buildServer({ box, gatekeeper, publicUrl: PUBLIC_URL, cronSecret: undefined, log });
  const ask = await asker(app, box);
  const context = await begin(ask, mulberry(7));
  /** @type {Record<string, number>} */
  const p95 = {};
  for (const [name, addressOf] of Object.entries(questions)) {
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
