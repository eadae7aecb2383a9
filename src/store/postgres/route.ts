import pg from 'pg';
import { PillarboxError } from '../../core/errors.js';
import type { Logger } from '../../log/log.js';
import { processOf } from './connections.js';
import { explainFailure } from './failures.js';

/** How long the server itself goes on with something that nobody ends. */
export interface Limits {
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
}

/**
 * Below the 20 s of the client: whoever is told that nothing was stored is told the truth, because the server has
 * given up before him. Waiting for a lock is given up a little earlier, so that it is told apart from slow work.
 */
const LIMITS: Limits = { statementMs: 15_000, lockMs: 10_000, idleInTransactionMs: 30_000 };

/** The way to the database. */
export interface Route {
  readonly url: string;
  /** Where a session is a session: for LISTEN and migrations. Undefined: a pooler stands there and nothing else was said. */
  readonly directUrl: string | undefined;
  /**
   * A pooler answers in the server's place, and the next transaction may be another session's: no prepared
   * statements, no settings, no locks that outlast a transaction.
   */
  readonly pooled: boolean;
  readonly limits: Limits;
}

interface Greeting {
  readonly pooled: boolean;
  readonly limits: Limits;
  /** The server's own limit for a statement, as this role gets it; 0: none. */
  readonly givesUpAfterMs: number;
  readonly user: string;
}

/** Looks once, before anything is sent that a pooler would refuse or take amiss. */
export async function findRoute(url: string, directUrl: string | undefined, log: Logger): Promise<Route> {
  const { pooled, limits, givesUpAfterMs, user } = await greet(url, 'databaseUrl');
  // Asked whether it is needed or not: nobody would be woken by what leads nowhere.
  if (directUrl !== undefined && (await greet(directUrl, 'databaseDirectUrl')).pooled) {
    throw new PillarboxError(
      'invalid_config',
      'databaseDirectUrl: leads to a connection pooler too; it should lead to PostgreSQL itself',
    );
  }
  if (!pooled) return { url, directUrl: directUrl ?? url, pooled, limits };
  log.info({}, 'a connection pooler stands before PostgreSQL; no session is taken for granted');
  if (givesUpAfterMs === 0 || givesUpAfterMs > LIMITS.statementMs) {
    const advice = `alter role ${pg.escapeIdentifier(user)} set statement_timeout = '15s'`;
    log.warn(
      { advice },
      'behind a pooler PostgreSQL gives up when its role says so, and that is late or never',
    );
  }
  if (directUrl === undefined) {
    log.warn(
      {},
      'databaseDirectUrl (DATABASE_DIRECT_URL) is not set: workers look for mail by themselves, nobody wakes them',
    );
    return { url, directUrl, pooled, limits };
  }
  return { url, directUrl, pooled, limits };
}

type Option = 'databaseUrl' | 'databaseDirectUrl';

/** A URL names files too, and may be none at all. What is said of it must not repeat it: it holds a password. */
function clientFor(url: string, option: Option): pg.Client {
  try {
    return new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
      application_name: 'pillarbox',
    });
  } catch (error) {
    const { code, path } = error as { code?: string; path?: string };
    const why =
      path === undefined
        ? 'should be postgres://user:password@host:port/database, with special characters as %40'
        : `names the file ${path}, which can't be read (${code ?? 'unknown'})`;
    throw new PillarboxError('invalid_config', `${option}: ${why}`, { cause: error });
  }
}

/** A server names its own process in its greeting; a pooler names none that exists. */
async function greet(url: string, option: Option): Promise<Greeting> {
  const client = clientFor(url, option);
  client.on('error', () => undefined); // a connection that breaks shows in the query that fails
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number; name: string; setting: number; user: string }>(
      `select pg_backend_pid() as pid, name, setting::bigint::int as setting, current_user as user from pg_settings
       where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`,
    );
    const set = new Map(rows.map(({ name, setting }) => [name, setting]));
    const shorter = (name: string, ours: number) => {
      const theirs = set.get(name) ?? 0;
      return theirs === 0 ? ours : Math.min(theirs, ours);
    };
    return {
      pooled: rows[0]?.pid !== processOf(client),
      user: rows[0]?.user ?? '',
      givesUpAfterMs: set.get('statement_timeout') ?? 0,
      // What an operator has set shorter stays.
      limits: {
        statementMs: shorter('statement_timeout', LIMITS.statementMs),
        lockMs: shorter('lock_timeout', LIMITS.lockMs),
        idleInTransactionMs: shorter('idle_in_transaction_session_timeout', LIMITS.idleInTransactionMs),
      },
    };
  } catch (error) {
    const explained = explainFailure(error);
    if (!(explained instanceof PillarboxError)) throw explained;
    // Remedies speak of the one that everybody has.
    const message = explained.message.replaceAll('databaseUrl', option);
    throw new PillarboxError(explained.code, message, { cause: explained.cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}
