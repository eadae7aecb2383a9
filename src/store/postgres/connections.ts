import pg from 'pg';
import { OutageLog, type Logger } from '../../log/log.js';
import { endsConnection, isLost, rethrow } from './failures.js';
import type { Route } from './route.js';

const INT8: number = pg.types.builtins.INT8;
const standardParser = pg.types.getTypeParser as (oid: number, format: string) => unknown;

/** bigint comes as text by default; ours are ids and epoch ms. Set per pool: the module is shared with the application. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format = 'text'): unknown =>
    oid === INT8 ? Number : standardParser(oid, format),
};

/**
 * A query that takes longer than this is on a connection that nobody answers. The gate then stays shut. The server
 * gives up before (`Limits`), so that nothing is carried out for somebody who has gone.
 */
const QUERY_TIMEOUT_MS = 20_000;

/**
 * How our statements are planned. A session keeps the plan of a prepared statement, and one that was made while the queue
 * was empty reads tables from end to end: a moment later a million mails wait, and each claim, gate and settlement walks
 * over all of them until the server's statistics are made anew. Everything we ask for has its index, so no scan is ever
 * better by more than a page; where there is no other way PostgreSQL scans all the same, and must not take its own
 * objection to that for a reason to compile the statement.
 */
export const PLANNING = { enable_seqscan: 'off', jit: 'off' } as const;

/** With what an operator has set for all programs. A URL that has `options` of its own speaks for itself. */
const planningOptions = (): string =>
  [process.env['PGOPTIONS'], ...Object.entries(PLANNING).map(([name, value]) => `-c ${name}=${value}`)]
    .filter((each) => each !== undefined && each !== '')
    .join(' ');

/** A process of the server, told from a later one with the same number by how long it has been there. */
export interface Session {
  readonly pid: number;
  readonly connectedAt: number;
}

/** Something was sent and not answered. It may have been carried out, or may still be. */
export class LostAnswer extends Error {
  constructor(
    /** Who had it; undefined behind a pooler, which does not tell. */
    readonly session: Session | undefined,
    cause: unknown,
  ) {
    super('no answer came', { cause });
  }
}

/** The connections of one process to the database. */
export class Connections {
  readonly #pool: pg.Pool;
  readonly #connectedAt = new WeakMap<pg.ClientBase, number>();

  constructor(
    private readonly route: Route,
    log: Logger,
  ) {
    const { url, pooled, limits } = route;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: 10,
      types,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: QUERY_TIMEOUT_MS,
      application_name: 'pillarbox',
      // A pooler refuses what it does not know, or passes it on to strangers.
      ...(!pooled && {
        options: planningOptions(),
        statement_timeout: limits.statementMs,
        lock_timeout: limits.lockMs,
        idle_in_transaction_session_timeout: limits.idleInTransactionMs,
      }),
    });
    const outage = new OutageLog(
      log,
      'lost idle database connections',
      'the database takes connections again',
    );
    this.#pool.on('connect', (client) => {
      this.#connectedAt.set(client, performance.now());
      outage.worked();
    });
    // Without a listener a restart of PostgreSQL ends the process: idle clients report their end here.
    this.#pool.on('error', (error) => {
      outage.failed(error);
    });
  }

  /**
   * A connection for one piece of work. If none can be had, that is an outage in which nothing was sent; if it is lost
   * meanwhile, `LostAnswer`.
   */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let broken: Error | undefined;
    const hear = (error: Error) => {
      broken = error;
    };
    const client = await this.#take(hear).catch(rethrow);
    try {
      return await work(client);
    } catch (error) {
      if (error instanceof Error && endsConnection(error)) broken = error;
      throw isLost(error) ? new LostAnswer(this.#sessionOf(client), error) : error;
    } finally {
      client.removeListener('error', hear);
      client.release(broken);
    }
  }

  /**
   * A client in use has no listener of the pool's: without one, a server that goes away ends the process. It gets ours
   * in the very call that hands it over; a promise would come a moment later, and some die in that moment.
   */
  #take(hear: (error: Error) => void): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.#pool.connect((error, client) => {
        if (!client) {
          reject(error ?? new Error('the pool gave no connection'));
          return;
        }
        client.on('error', hear);
        resolve(client);
      });
    });
  }

  query<Row>(text: string, values: unknown[]): Promise<Row[]> {
    return this.use(async (client) => (await client.query(text, values)).rows as Row[]);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  #sessionOf(client: pg.ClientBase): Session | undefined {
    if (this.route.pooled) return undefined;
    return { pid: processOf(client), connectedAt: this.#connectedAt.get(client) ?? performance.now() };
  }
}

/** The server's process behind a connection; behind a pooler only a number that the pooler made up. */
export const processOf = (client: pg.ClientBase): number =>
  (client as { processID?: number | null }).processID ?? 0;
