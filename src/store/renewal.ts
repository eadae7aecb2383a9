import type { RenewalAccess } from './store.js';

/** A connection of its own, for a thread that does nothing but renew leases. */
export interface RenewalConnection {
  readonly renew: (leases: readonly number[]) => Promise<void>;
  readonly disconnect: () => void;
}

/** Only the driver that is needed is loaded: it is most of what starting a worker costs. */
export async function connectForRenewal(to: RenewalAccess): Promise<RenewalConnection> {
  if (to.dialect === 'sqlite') {
    const [{ DatabaseSync }, { steadyMs }] = await Promise.all([
      import('@photostructure/sqlite'),
      import('./steady.js'),
    ]);
    const db = new DatabaseSync(to.path);
    db.exec('pragma busy_timeout = 5000');
    db.exec('pragma synchronous = full');
    const statement = db.prepare(to.statement);
    return {
      renew: (leases) => {
        statement.run(to.clockOffsetMs + steadyMs(), JSON.stringify(leases));
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
