import { parentPort, workerData } from 'node:worker_threads';
import { connectForRenewal } from '../store/renewal.js';
import type { RenewerData, RenewerSaid } from './renewer.js';
import { readLeases } from './shared-leases.js';

/**
 * Renews leases from a thread of its own, so that a main thread that is busy for a while does not lose its work
 * to another worker. It renews only what the main thread said it holds: a lease that was made but never heard of
 * must run out. And it gives up on a main thread that does not come back: then somebody else should go on.
 */
const { access, everyMs, giveUpMs, heartbeat, leases } = workerData as RenewerData;
const beats = new BigInt64Array(heartbeat);
const say = (said: RenewerSaid) => parentPort?.postMessage(said);
const { renew, disconnect } = await connectForRenewal(access);
let renewing = false;

/** The only message there is. */
parentPort?.once('message', () => {
  clearInterval(timer);
  parentPort?.close();
  disconnect();
});

const renewAll = () => {
  const silentMs = Number(process.hrtime.bigint() - Atomics.load(beats, 0)) / 1e6;
  if (renewing || silentMs > giveUpMs) return;
  const held = readLeases(leases);
  if (held.length === 0) return;
  renewing = true;
  // An outage is not an end: the next tick tries again, and if the lease runs out meanwhile the fence decides.
  void Promise.resolve(held)
    .then(renew)
    .then(
      () => say({ renewed: true }),
      (error: unknown) => say({ failed: error instanceof Error ? error.message : String(error) }),
    )
    .finally(() => {
      renewing = false;
    });
};
const timer = setInterval(renewAll, everyMs);
// What the thread before has left may not have long to go.
renewAll();
say({ ready: true });
