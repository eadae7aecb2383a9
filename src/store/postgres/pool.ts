import pg from 'pg';
import { PillarboxError } from '../../errors.js';
import type { Logger } from '../../log.js';

const INT8: number = pg.types.builtins.INT8;
const standardParser = pg.types.getTypeParser as (oid: number, format: string) => unknown;

/** bigint comes as text by default; ours are ids and epoch ms. Set per pool: the module is shared with the application. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format = 'text'): unknown =>
    oid === INT8 ? Number : standardParser(oid, format),
};

/** A query that takes longer than this is on a connection that nobody answers. The gate then stays shut. */
const QUERY_TIMEOUT_MS = 20_000;

export function openPool(url: string, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: QUERY_TIMEOUT_MS,
    application_name: 'pillarbox',
  });
  // Without a listener a restart of PostgreSQL ends the process: idle clients report their end here.
  pool.on('error', (error) => {
    log.warn({ err: error }, 'an idle database connection was lost');
  });
  return pool;
}

/**
 * 08: connection lost; 57: cancelled, out of time, going down or not yet up; 55P03 and 40: locked out by others;
 * 53: out of room; 25006: read-only. All of them pass, so what was to be written is tried again.
 */
const UNAVAILABLE = /^(?:08|40|53|55P03|57|58|25006|XX)/;
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/** Deadlock and serialization failures: nothing was written, and trying again is the documented answer. */
const TRY_AGAIN = new Set(['40001', '40P01']);

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
};

export const mayTryAgain = (error: unknown): boolean => TRY_AGAIN.has(codeOf(error));

/** An outage becomes `store_unavailable`, with its cause; anything else is a bug and stays what it is. */
export function explainFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PillarboxError) return error;
  const code = codeOf(error);
  const lost = /terminated|timeout|Connection|not queryable/.test(error.message) && code === '';
  if (!lost && !SOCKET.has(code) && !UNAVAILABLE.test(code)) return error;
  return new PillarboxError('store_unavailable', `PostgreSQL is not available (${code || error.message})`, {
    cause: error,
  });
}
