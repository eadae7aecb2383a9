import { CompiledQuery } from '../vendor/kysely.js';
import { invalidInput } from '../core/errors.js';
import { runAsync, type Query, type Script } from './script.js';
import type { Store } from './store.js';

/**
 * A caller's own open transaction on the same database: whatever can run a parameterised query. The mail then
 * exists exactly when the caller's own rows do.
 */
export type Tx =
  /** A `pg` client that said `begin`, or anything that answers like one. Not a pool: its queries go to many clients. */
  | {
      query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
      readonly totalCount?: never;
    }
  /** A Kysely transaction. */
  | {
      executeQuery(query: CompiledQuery): Promise<{ rows: unknown[] }>;
      readonly isTransaction: true;
    }
  /** A Prisma transaction client. */
  | {
      $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
      readonly $transaction?: never;
    }
  /** A SQLite handle that said `begin`: node:sqlite, better-sqlite3, @photostructure/sqlite. */
  | { prepare(text: string): SqliteStatement }
  | ((text: string, values: readonly unknown[]) => Promise<readonly unknown[]>);

interface SqliteStatement {
  /** better-sqlite3 says here whether a statement answers rows, and refuses to be asked if not. */
  readonly reader?: boolean;
  all(...values: never[]): unknown[];
  run(...values: never[]): unknown;
}

type Run = (query: Query) => Promise<readonly unknown[]>;

const WHAT_TO_PASS =
  'give the pg client that said begin, a Kysely or Prisma transaction, a SQLite handle that said begin, or a function ' +
  'that runs a query in your transaction';

/** Throws `invalid_input` for what is no open transaction: the mail would outlive a rollback. */
export async function runWithin<T>(
  tx: Tx,
  store: Pick<Store, 'dialect' | 'at'>,
  script: Script<T>,
): Promise<T> {
  const run = runnerOf(tx);
  const open =
    store.dialect === 'postgres' ? await isOpenOnPostgres(run, store) : await isOpenOnSqlite(tx, run);
  if (!open) throw invalidInput('tx', `is not in a transaction: ${WHAT_TO_PASS}`);
  return runAsync(script, run);
}

/**
 * PostgreSQL takes a lock by name only inside of a transaction. This one hinders nobody, and storing a mail takes a
 * stronger one anyway.
 */
async function isOpenOnPostgres(run: Run, { at }: Pick<Store, 'at'>): Promise<boolean> {
  try {
    await run({ sql: `lock table ${at('messages')} in access share mode`, parameters: [] });
    return true;
  } catch (error) {
    if (tells(error, '25P01', /25P01|only be used in transaction blocks/)) return false;
    throw error;
  }
}

/** A handle that knows is asked; any other is told to begin, which it can't if it has begun. */
async function isOpenOnSqlite(tx: Tx, run: Run): Promise<boolean> {
  const { isTransaction, inTransaction } = tx as { isTransaction?: unknown; inTransaction?: unknown };
  if (typeof isTransaction === 'boolean') return isTransaction;
  if (typeof inTransaction === 'boolean') return inTransaction;
  try {
    await run({ sql: 'begin', parameters: [] });
  } catch (error) {
    if (tells(error, 'none', /within a transaction/)) return true;
    throw error;
  }
  await run({ sql: 'rollback', parameters: [] });
  return false;
}

/** Drivers put the code of the database in different places; the words are the same everywhere. */
const tells = (error: unknown, code: string, words: RegExp): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === code || words.test(error.message));

function runnerOf(tx: Tx): Run {
  if (typeof tx === 'function') return ({ sql, parameters }) => tx(sql, parameters);
  if (typeof tx !== 'object' || (tx as unknown) === null) throw noTransaction();
  if ('executeQuery' in tx) {
    if ((tx.isTransaction as unknown) === false) {
      throw invalidInput(
        'tx',
        'is a Kysely that is not in a transaction: give that of db.transaction().execute(…)',
      );
    }
    return async ({ sql, parameters }) =>
      (await tx.executeQuery(CompiledQuery.raw(sql, [...parameters]))).rows;
  }
  if ('$queryRawUnsafe' in tx) {
    return async ({ sql, parameters }) =>
      (await tx.$queryRawUnsafe(sql, ...parameters)) as readonly unknown[];
  }
  if ('query' in tx) {
    if (typeof (tx.totalCount as unknown) === 'number') {
      throw invalidInput(
        'tx',
        'is a pool, whose queries go to many connections: give the client of pool.connect() that said begin',
      );
    }
    return async ({ sql, parameters }) => (await tx.query(sql, [...parameters])).rows;
  }
  if ('prepare' in tx) {
    return ({ sql, parameters }) => {
      const statement = tx.prepare(sql);
      const values = parameters as never[];
      if (statement.reader !== false) return Promise.resolve(statement.all(...values));
      statement.run(...values);
      return Promise.resolve([]);
    };
  }
  throw noTransaction();
}

const noTransaction = () => invalidInput('tx', `is not a transaction: ${WHAT_TO_PASS}`);
