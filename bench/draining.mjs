// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { Child, play } from './children.mjs';
import { CONTENDERS } from './contenders/index.mjs';
import { settleDown, withDatabase } from './database.mjs';
import { instant } from './figures.mjs';

const LOOK_EVERY_MS = 5;
const LONGEST_DRAIN_MS = 300_000;

/**
 * Fills a fresh queue and has it drained: from the first mail handled, so that start-up counts for nobody, until
 * the queue is empty, so that the last settlement counts for all. Then looks whether it was done right.
 *
 * @param {import('./database.mjs').Ground} ground
 * @param {{ contender: import('./contenders/index.mjs').ContenderName, dialect: 'postgres' | 'sqlite',
 *   mails: number, processes: number }} load
 * @returns {Promise<{ perSecond: number, cpuMicroseconds: number }>} the CPU time of the processes, per mail
 */
export async function drain(ground, { contender, dialect, mails, processes }) {
  const place = await ground.fresh(dialect);
  const { url } = place;
  const { isEmpty, check } = CONTENDERS[contender];
  try {
    await play('fill', { contender, url, mails });
    await settleDown(url);
    const children = Array.from({ length: processes }, () => new Child('drain', { contender, url }));
    try {
      await Promise.all(children.map((child) => child.heard('ready')));
      const startedAt = await handleAll(children, mails);
      await withDatabase(url, (db) => waitUntil(() => isEmpty(db)));
      const seconds = (instant() - startedAt) / 1_000;
      for (const child of children) child.tell({ kind: 'stop' });
      const results = await Promise.all(children.map((child) => child.heard('result')));
      const handled = results.reduce((sum, result) => sum + result['handled'], 0);
      if (handled !== mails) throw new Error(`${contender} handled ${handled} of ${mails} mails`);
      await withDatabase(url, (db) => check(db, mails));
      const cpu = results.reduce((sum, result) => sum + result['cpuMicroseconds'], 0);
      return { perSecond: mails / seconds, cpuMicroseconds: cpu / mails };
    } finally {
      await Promise.all(children.map((child) => child.end()));
    }
  } finally {
    await place.drop();
  }
}

/**
 * @param {readonly Child[]} children
 * @param {number} mails
 * @returns {Promise<number>} when the first of them was handled
 */
export function handleAll(children, mails) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`${mails} mails were not handled in time`)),
      LONGEST_DRAIN_MS,
    );
    const handled = children.map(() => 0);
    let startedAt = Infinity;
    for (const [place, child] of children.entries()) {
      void child.gone.then(() => reject(new Error('a consumer ended too early')));
      child.onEach('handled', (message) => {
        handled[place] = message['handled'];
        startedAt = Math.min(startedAt, message['firstAt']);
        if (handled.reduce((sum, some) => sum + some, 0) < mails) return;
        clearTimeout(late);
        resolve(startedAt);
      });
      child.tell({ kind: 'go' });
    }
  });
}

/** @param {() => Promise<boolean>} isSo */
export async function waitUntil(isSo) {
  const deadline = Date.now() + LONGEST_DRAIN_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('the queue did not become empty');
    await sleep(LOOK_EVERY_MS);
  }
}
