import { CompiledQuery } from '../vendor/kysely.js';
import { invalidInput, type PillarboxError } from '../core/errors.js';
import type { Query } from './script.js';

/** Asks one question inside of a caller's transaction. */
export type Run = (query: Query) => Promise<readonly unknown[]>;

/** A `pg` client that said `begin`, or anything that answers like one. Not a pool: its queries go to many clients. */
export interface PgTx {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  readonly totalCount?: never;
  /** TypeORM's DataSource, which is a pool too. */
  readonly createQueryRunner?: never;
}

/** The transaction of `db.transaction().execute(…)`. */
export interface KyselyTx {
  executeQuery(query: CompiledQuery): Promise<{ rows: unknown[] }>;
  readonly isTransaction: true;
}

/** The client of `prisma.$transaction(async (tx) => …)`. */
export interface PrismaTx {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
  readonly $transaction?: never;
}

/** Drizzle on PostgreSQL: the `tx` of `db.transaction(async (tx) => …)`. */
export interface DrizzleTx {
  execute(query: never): PromiseLike<unknown>;
  rollback(): never;
}

/** Knex: the `trx` of `knex.transaction(async (trx) => …)`. */
export interface KnexTx {
  raw(sql: string, bindings: never): PromiseLike<unknown>;
  isCompleted(): boolean;
}

/** postgres.js: the `sql` of `sql.begin(async (sql) => …)`. */
export interface PostgresJsTx {
  unsafe(text: string, values: never): PromiseLike<readonly unknown[]>;
  savepoint(name: string, work: never): Promise<unknown>;
}

/** TypeORM: a QueryRunner after `startTransaction()`. */
export interface TypeOrmRunner {
  query(text: string, values: unknown[], structured: true): Promise<{ readonly records: readonly unknown[] }>;
  readonly isTransactionActive: boolean;
}

/** TypeORM: the manager of `dataSource.transaction(async (manager) => …)`. */
export interface TypeOrmManager {
  getRepository(entity: never): unknown;
  readonly queryRunner?: TypeOrmRunner | undefined;
  readonly createQueryRunner?: never;
}

/** MikroORM: the `em` of `em.transactional(async (em) => …)`, or after `em.begin()`. */
export interface MikroOrmTx {
  getTransactionContext(): unknown;
  isInTransaction(): boolean;
}

/** A SQLite handle that said `begin`, of the library that Pillarbox itself uses: see `seesWriteLock`. */
export interface SqliteTx {
  prepare(text: string): SqliteStatement;
}

interface SqliteStatement {
  /** Drivers like better-sqlite3 say here whether a statement answers rows, and refuse to be asked if not. */
  readonly reader?: boolean;
  all(...values: never[]): unknown[];
  run(...values: never[]): unknown;
}

/** Whatever else runs a query in a transaction and answers its rows. */
export type FunctionTx = ((text: string, values: readonly unknown[]) => Promise<readonly unknown[]>) & {
  /** Knex and postgres.js can be called too, and would not know what to do with a query. */
  readonly raw?: never;
  readonly unsafe?: never;
};

export type AnyTx =
  | PgTx
  | KyselyTx
  | PrismaTx
  | DrizzleTx
  | KnexTx
  | PostgresJsTx
  | TypeOrmRunner
  | TypeOrmManager
  | MikroOrmTx
  | SqliteTx
  | FunctionTx;

export const WHAT_TO_PASS =
  'give the pg client that said begin, the transaction of Drizzle, Knex, Kysely, MikroORM, postgres.js, Prisma or TypeORM, ' +
  'a SQLite handle that said begin, or a function that runs a query in your transaction';

const refuse = (why: string): PillarboxError => invalidInput('tx', why);

/** How a transaction is asked. Throws `invalid_input` for what is none, with what to give instead. */
export function runnerOf(tx: unknown): Run {
  if ((typeof tx !== 'object' && typeof tx !== 'function') || tx === null) throw noTransaction();
  for (const [known, runner] of FORMS) if (known(tx)) return runner(tx as never);
  throw noTransaction();
}

const noTransaction = () => refuse(`is not a transaction: ${WHAT_TO_PASS}`);

type Form = readonly [known: (tx: object) => boolean, runner: (tx: never) => Run];
const has =
  (...names: readonly string[]) =>
  (tx: object): boolean =>
    names.every((name) => name in tx);
const isFunction = (tx: object): boolean => typeof tx === 'function';

/** In this order: some can be called, and MikroORM's manager has methods of several others. */
const FORMS: readonly Form[] = [
  [has('getTransactionContext'), mikroOrm],
  [has('raw', 'transaction'), knex],
  [has('unsafe'), postgresJs],
  [
    isFunction,
    (tx: FunctionTx) =>
      ({ sql, parameters }) =>
        tx(sql, parameters),
  ],
  [has('executeQuery'), kysely],
  [has('$queryRawUnsafe'), prisma],
  [has('execute', 'transaction', 'select'), drizzle],
  [has('all', 'transaction', 'select'), drizzleOnSqlite],
  [has('isTransactionActive', 'query'), queryRunner],
  [has('getRepository'), entityManager],
  [has('createQueryRunner'), dataSource],
  [has('query'), pgClient],
  [has('prepare'), sqliteHandle],
];

function mikroOrm(tx: MikroOrmTx): Run {
  const inner = tx.getTransactionContext();
  if (inner === undefined) {
    throw refuse(
      'is a MikroORM manager that is not in a transaction: give that of em.transactional(async (em) => …)',
    );
  }
  // Knex's transaction, or Kysely's from version 7 on.
  return runnerOf(inner);
}

/** Its `raw` counts question marks, ours are numbered: a value that is asked for twice is given twice. */
function knex(tx: KnexTx & { isTransaction?: boolean }): Run {
  if (tx.isTransaction !== true)
    throw refuse(
      'is a Knex that is not in a transaction: give the trx of knex.transaction(async (trx) => …)',
    );
  return async ({ sql, parameters }) => {
    const values: unknown[] = [];
    const numbered = /\$\d/.test(sql);
    const text = numbered
      ? sql.replaceAll(/\?|\$(\d+)/g, (mark, number?: string) => {
          if (number === undefined) return `\\${mark}`;
          values.push(parameters[Number(number) - 1]);
          return '?';
        })
      : sql;
    return rowsOf(await tx.raw(text, (numbered ? values : parameters) as never));
  };
}

function postgresJs(tx: PostgresJsTx & { begin?: unknown }): Run {
  if (typeof tx.begin === 'function')
    throw refuse(
      'is a postgres.js that is not in a transaction: give the sql of sql.begin(async (sql) => …)',
    );
  return async ({ sql, parameters }) => {
    // It would write a text that is JSON already as JSON once more.
    const text = sql.replaceAll(/(\$\d+)::(jsonb?)\b/g, '$1::text::$2');
    return [...(await tx.unsafe(text, [...parameters] as never))];
  };
}

function kysely(tx: KyselyTx): Run {
  if ((tx.isTransaction as unknown) === false)
    throw refuse('is a Kysely that is not in a transaction: give that of db.transaction().execute(…)');
  return async ({ sql, parameters }) => (await tx.executeQuery(CompiledQuery.raw(sql, [...parameters]))).rows;
}

function prisma(tx: PrismaTx): Run {
  return async ({ sql, parameters }) => rowsOf(await tx.$queryRawUnsafe(sql, ...parameters));
}

/** Its own `sql` can't be had without its package; what it makes of one is a text and its values. */
function drizzle(tx: DrizzleTx): Run {
  if (!('rollback' in tx))
    throw refuse('is a Drizzle that is not in a transaction: give the tx of db.transaction(async (tx) => …)');
  return async ({ sql, parameters }) => {
    const written = { toQuery: () => ({ sql, params: [...parameters] }) };
    return rowsOf(await tx.execute({ getSQL: () => written } as never));
  };
}

function drizzleOnSqlite(): never {
  throw refuse(
    'is a Drizzle on SQLite, where a transaction is that of a handle: give the handle, a DatabaseSync that pillarbox exports',
  );
}

function queryRunner(tx: TypeOrmRunner): Run {
  if (!tx.isTransactionActive)
    throw refuse('is a TypeORM QueryRunner that is not in a transaction: call its startTransaction() first');
  return async ({ sql, parameters }) => (await tx.query(sql, [...parameters], true)).records;
}

function entityManager({ queryRunner: runner }: TypeOrmManager): Run {
  if (!runner)
    throw refuse(
      'is a TypeORM manager that is not in a transaction: give that of dataSource.transaction(async (manager) => …)',
    );
  return queryRunner(runner);
}

function dataSource(): never {
  throw refuse(
    'is a TypeORM DataSource, whose queries go to many connections: give the manager of dataSource.transaction(async (manager) => …)',
  );
}

function pgClient(tx: PgTx): Run {
  if (typeof (tx.totalCount as unknown) === 'number')
    throw refuse(
      'is a pool, whose queries go to many connections: give the client of pool.connect() that said begin',
    );
  return async ({ sql, parameters }) => (await tx.query(sql, [...parameters])).rows;
}

function sqliteHandle(tx: SqliteTx): Run {
  return ({ sql, parameters }) => {
    const statement = tx.prepare(sql);
    const values = parameters as never[];
    if (statement.reader !== false) return Promise.resolve(statement.all(...values));
    statement.run(...values);
    return Promise.resolve([]);
  };
}

/** Some drivers answer rows, others what has rows, and those without any for a statement that has none. */
function rowsOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  const { rows } = (answer ?? {}) as { rows?: unknown };
  return Array.isArray(rows) ? rows : [];
}
