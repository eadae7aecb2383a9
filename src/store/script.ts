import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Compilable, CompiledQuery } from '../vendor/kysely.js';

/** One statement with its parameters, ready for either database. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * A piece of database work that is written once and run by either database, or inside a caller's own
 * transaction. It yields statements and is handed their rows. Being a generator it has no opinion about
 * waiting: SQLite runs it to the end inside one synchronous transaction, so that no other work of the process
 * can slip between its statements; PostgreSQL awaits each step.
 */
export type Script<T> = Generator<Query, T, readonly unknown[]>;

/**
 * What a transaction runs: a script, or a way to make it. A script runs once; with a way to make it, the transaction is
 * tried again when the database had to choose a victim (a deadlock, a serialization failure).
 */
export type Scripted<T> = Script<T> | (() => Script<T>);

export const scriptOf = <T>(script: Scripted<T>): Script<T> =>
  typeof script === 'function' ? script() : script;

/** Asks one question of the database, typed by the query that was built for it. */
export function* ask<Row>(query: Compilable<Row>): Script<readonly Row[]> {
  return yield* askCompiled<Row>(query.compile());
}

export function* askCompiled<Row>(query: CompiledQuery<Row> | Query): Script<readonly Row[]> {
  const rows = yield { sql: query.sql, parameters: query.parameters };
  return rows as readonly Row[];
}

export function* askOne<Row>(query: Compilable<Row>): Script<Row | undefined> {
  const [row] = yield* ask(query);
  return row;
}

const BREATH: Query = { sql: '', parameters: [] };

/**
 * Between two steps of a long look, or of what is reckoned from it: whatever else the process has to do comes first. Not
 * within a transaction of SQLite, which nothing may slip into.
 */
export function* giveWay(): Script<void> {
  yield BREATH;
}

/** What else has to happen before the next statement of a transaction. */
class Wait implements Query {
  readonly sql = '';
  readonly parameters = [];

  constructor(readonly until: Promise<unknown>) {}
}

/**
 * Inside of a transaction, until something else of this process has happened; what rejects rolls it back. Only on
 * PostgreSQL, and only while the transaction holds nothing that the other one could want: nobody sees such a deadlock.
 */
export function* waitFor(until: Promise<unknown>): Script<void> {
  yield new Wait(until);
}

export function runSync<T>(script: Script<T>, run: (query: Query) => readonly unknown[]): T {
  let step = script.next([]);
  while (!step.done) step = script.next(step.value === BREATH ? [] : run(step.value));
  return step.value;
}

/** Like `runSync`, but gives way where the script says so. */
export async function runInSteps<T>(
  script: Script<T>,
  run: (query: Query) => readonly unknown[],
): Promise<T> {
  let step = script.next([]);
  while (!step.done) {
    if (step.value === BREATH) await nextTurn();
    step = script.next(step.value === BREATH ? [] : run(step.value));
  }
  return step.value;
}

export async function runAsync<T>(
  script: Script<T>,
  run: (query: Query) => Promise<readonly unknown[]>,
): Promise<T> {
  let step = script.next([]);
  while (!step.done) {
    if (step.value instanceof Wait) await step.value.until;
    if (step.value === BREATH) await nextTurn();
    step = script.next(step.value.sql === '' ? [] : await run(step.value));
  }
  return step.value;
}
