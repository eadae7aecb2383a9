import { parentPort, workerData } from 'node:worker_threads';
import type { RenewalAccess } from '../store/store.js';
import type { RenewerData } from './renewer.js';

/**
 * Renews leases from a thread of its own, so that a main thread that is busy for a while does not lose its work
 * to another worker. It renews only what the main thread said it holds: a lease that was made but never heard of
 * must run out. And it gives up on a main thread that does not come back: then somebody else should go on.
 */
const { access, everyMs, giveUpMs, heartbeat } = workerData as RenewerData;
const beats = new BigInt64Array(heartbeat);
const held = new Set<number>();
const { renew, disconnect } = await connect(access);
let renewing = false;

parentPort?.on('message', ({ hold, drop, end }: { hold?: number; drop?: number; end?: true }) => {
  if (hold !== undefined) held.add(hold);
  if (drop !== undefined) held.delete(drop);
  if (!end) return;
  clearInterval(timer);
  parentPort?.close();
  disconnect();
});

const timer = setInterval(() => {
  const silentMs = Number(process.hrtime.bigint() - Atomics.load(beats, 0)) / 1e6;
  if (held.size === 0 || renewing || silentMs > giveUpMs) return;
  renewing = true;
  // An outage is not an end: the next tick tries again, and if the lease runs out meanwhile the fence decides.
  void Promise.resolve([...held])
    .then(renew)
    .catch(() => undefined)
    .finally(() => {
      renewing = false;
    });
}, everyMs);

interface Connection {
  readonly renew: (leases: number[]) => Promise<void>;
  readonly disconnect: () => void;
}

/** Only the driver that is needed is loaded: it is most of what starting a worker costs. */
async function connect(to: RenewalAccess): Promise<Connection> {
  if (to.dialect === 'sqlite') {
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const db = new DatabaseSync(to.path);
    db.exec('pragma busy_timeout = 5000');
    db.exec('pragma synchronous = full');
    const statement = db.prepare(to.statement);
    return {
      renew: (leases) => {
        statement.run(Date.now(), JSON.stringify(leases));
        return Promise.resolve();
      },
      disconnect: () => db.close(),
    };
  }
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: to.url,
    max: 1,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    application_name: 'pillarbox renewer',
  });
  pool.on('error', () => undefined);
  return {
    renew: async (leases) => {
      await pool.query(to.statement, [leases]);
    },
    disconnect: () => void pool.end().catch(() => undefined),
  };
}
