// @ts-check
// Publishes, tells or cancels an event in a process of its own, and dies by SIGKILL at one point of a transaction.
import { silent } from '../../dist/log/log.js';
import { FanOut } from '../../dist/notifications/fan-out.js';
import { openStore } from '../../dist/store/open.js';
import { cancelEvent, publishEvent } from '../../dist/store/scripts/events.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { telling } from './told-store.mjs';

/**
 * @typedef {object} TellerOptions
 * @property {string} url
 * @property {number | 'commits' | 'committed'} at Before which statement, before the commit, or after it.
 * @property {{ publish: import('#pillarbox/store/scripts/events').NewEvent } | { cancel: number, workspaceId: number } | { tell: true }} act
 * @property {number} now
 * @property {number} windowMs
 */

/** @type {TellerOptions} */
const { url, at, act, now, windowMs } = JSON.parse(process.argv[2] ?? '');
let statements = 0;
const store = telling(await openStore({ databaseUrl: url, leaseMs: 60_000, log: silent }), (point) => {
  if (typeof point === 'number') statements = point;
  // Whose turn it was not has asked for it and written nothing: the end of that is no place to die.
  if (point !== at || (typeof point === 'string' && statements < 3)) return;
  process.kill(process.pid, 'SIGKILL');
  // A signal to oneself may arrive an instant later: nothing may happen in between.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
if ('publish' in act) await store.transaction(() => publishEvent(store, act.publish, now, windowMs));
else if ('cancel' in act)
  await store.transaction(() => cancelEvent(store, act.workspaceId, act.cancel, 'mara', now));
else {
  const fanOut = new FanOut(store, silent);
  // While others have the turn there is nothing to do. Whoever waits for us ends us.
  for (;;) {
    await fanOut.chore();
    await sleep(5);
  }
}
process.exit(1);
