// @ts-check
import { openStore } from '../../dist/store/open.js';
import { rollOpenings } from '../../dist/store/scripts/openings.js';
import { log } from '../contenders/pillarbox.mjs';
import { withDatabase } from '../database.mjs';
import { databaseCpu } from '../database-cpu.mjs';
import { newMessage, sent, WORKER } from './claim.mjs';

/** @typedef {import('../../dist/store/store.js').Store} Store */
/** @typedef {import('../../dist/store/store.js').Claim} Claim */
/** @typedef {import('../stock/rows.mjs').Channels} Channels */

const LOOK_EVERY = 5;

/**
 * Times claim, gate and settlement in turns, of guarded or of unguarded mail, by what the database's processor does.
 *
 * @param {{ url: string, guarded: boolean, channels: Channels, each: number, mails: number, warmUp: number }} args
 *   `each`: how many of a channel are claimed at once.
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, guarded, channels, each, mails, warmUp }, parent) {
  const store = await openStore({ databaseUrl: url, leaseMs: 120_000, log });
  const atOnce = each * channels.channels;
  for (let from = 0; from < mails + warmUp; from += atOnce) {
    await store.enqueue(Array.from({ length: atOnce }, (_, n) => newMessage(channels, from + n)));
  }
  parent.tell({ kind: 'stocked' });
  await parent.heard('go');
  const moves = guarded ? guardedMoves(store) : unguardedMoves(store);
  await work(moves, channels, each, warmUp);
  const result = await withDatabase(url, async (db) => {
    const before = await databaseCpu(db);
    const { claimMs, claimed, lookMs } = await work(moves, channels, each, mails);
    const cpu = ((await databaseCpu(db)) - before) / claimed;
    return { cpu, claim: (claimMs * 1_000) / claimed, look: lookMs };
  });
  await store.close();
  parent.tell({ kind: 'result', ...result });
}

/**
 * @typedef {object} Moves
 * @property {() => Promise<unknown>} look
 * @property {Store['claim']} claim
 * @property {Store['gate']} gate
 * @property {Store['settle']} settle
 * @property {object} end What a settlement says besides.
 */

/** @param {Store} store @returns {Moves} */
const unguardedMoves = (store) => ({
  look: () => store.openChannels(),
  claim: (request) => store.claim(request),
  gate: (entries) => store.gate(entries),
  settle: (entries) => store.settle(entries),
  end: {},
});

/** @param {Store} store @returns {Moves} */
const guardedMoves = (store) => ({
  look: async () => {
    const now = await store.now();
    for (const { over, accountId } of await store.openGuarded()) {
      if (over) await store.transaction(() => rollOpenings(store, accountId, now));
    }
  },
  claim: (request) => store.claimGuarded(request),
  gate: (entries) => store.gateGuarded(entries),
  settle: (entries) => store.settleGuarded(entries),
  end: { guard: { lane: 'outbox', draw: 0 } },
});

/**
 * @param {Moves} moves
 * @param {Channels} channels
 * @param {number} limit
 * @param {number} mails
 */
async function work({ look, claim, gate, settle, end }, { firstChannelId, channels }, limit, mails) {
  const shares = Array.from({ length: channels }, (_, n) => ({ channelId: firstChannelId + n, limit }));
  let [claimMs, lookMs, looks, claimed] = [0, 0, 0, 0];
  for (let turn = 0; claimed < mails; turn += 1) {
    if (turn % LOOK_EVERY === 0) {
      const looked = performance.now();
      await look();
      lookMs += performance.now() - looked;
      looks += 1;
    }
    const started = performance.now();
    const taken = await claim({ owner: WORKER, shares, alone: false });
    claimMs += performance.now() - started;
    if (!taken) throw new Error(`nothing may leave after ${claimed} of ${mails} mails`);
    const answers = await gate(taken.messages.map((message) => asked(taken, message)));
    if (!answers.every(({ passed }) => passed)) throw new Error('a gate was shut');
    const settled = await settle(taken.messages.map((message) => ({ ...sent(taken, message), ...end })));
    if (!settled.every(Boolean)) throw new Error('a settlement was refused');
    claimed += taken.messages.length;
  }
  return { claimMs, claimed, lookMs: lookMs / looks };
}

/**
 * @param {Claim} claim
 * @param {Claim['messages'][number]} message
 */
const asked = ({ lease }, message) => ({ lease, message });
