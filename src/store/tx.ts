import { CompiledQuery } from '../vendor/kysely.js';
import { invalidInput } from '../errors.js';
import { runAsync, type Query, type Script } from './script.js';

/**
 * A caller's own open transaction on the same database: whatever can run a parameterised query. The mail then
 * exists exactly when the caller's own rows do.
 */
export type Tx =
  /** A `pg` client, or anything that answers like one. */
  | { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> }
  /** A Kysely transaction. */
  | { executeQuery(query: CompiledQuery): Promise<{ rows: unknown[] }> }
  /** A Prisma transaction client. */
  | { $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown> }
  /** A SQLite handle: node:sqlite, better-sqlite3, @photostructure/sqlite. */
  | { prepare(text: string): SqliteStatement }
  | ((text: string, values: readonly unknown[]) => Promise<readonly unknown[]>);

interface SqliteStatement {
  /** better-sqlite3 says here whether a statement answers rows, and refuses to be asked if not. */
  readonly reader?: boolean;
  all(...values: never[]): unknown[];
  run(...values: never[]): unknown;
}

export const runWithin = <T>(tx: Tx, script: Script<T>): Promise<T> => runAsync(script, runnerOf(tx));

function runnerOf(tx: Tx): (query: Query) => Promise<readonly unknown[]> {
  if (typeof tx === 'function') return ({ sql, parameters }) => tx(sql, parameters);
  if ('executeQuery' in tx) {
    return async ({ sql, parameters }) =>
      (await tx.executeQuery(CompiledQuery.raw(sql, [...parameters]))).rows;
  }
  if ('$queryRawUnsafe' in tx) {
    return async ({ sql, parameters }) =>
      (await tx.$queryRawUnsafe(sql, ...parameters)) as readonly unknown[];
  }
  if ('query' in tx) return async ({ sql, parameters }) => (await tx.query(sql, [...parameters])).rows;
  if ('prepare' in tx) {
    return ({ sql, parameters }) => {
      const statement = tx.prepare(sql);
      const values = parameters as never[];
      if (statement.reader !== false) return Promise.resolve(statement.all(...values));
      statement.run(...values);
      return Promise.resolve([]);
    };
  }
  throw invalidInput(
    'tx',
    'is not a transaction: give a pg client, a Kysely transaction, a SQLite handle or a function',
  );
}
