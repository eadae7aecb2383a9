import { PillarboxError } from '../core/errors.js';
import type { DefinitionDialect } from './migrations/dialect.js';
import type { Migration } from './migrations/index.js';
import type { Backfill } from './migrations/parts.js';
import { askCompiled, type Script } from './script.js';

export interface MigrationReport {
  readonly version: number;
  readonly applied: readonly string[];
}

export const latestOf = (migrations: readonly Migration[]): number =>
  Math.max(...migrations.map(({ version }) => version));

/** Where it is written down what is done: a migration when all of it is, a part of one until then. */
export function* prepareRecords(dialect: DefinitionDialect): Script<void> {
  const { at, integer, bigint } = dialect;
  yield* run(`create table if not exists ${at('migrations')} (
    version ${integer} primary key, name text not null, applied_at ${bigint} not null)`);
  yield* run(`create table if not exists ${at('migration_parts')} (
    version ${integer} not null, part text not null, cursor ${bigint}, finished_at ${bigint},
    primary key (version, part))`);
}

/** Throws `schema_too_new` if a newer program was here. */
export function* pendingOf(
  dialect: DefinitionDialect,
  migrations: readonly Migration[],
): Script<readonly Migration[]> {
  const rows = yield* askCompiled<{ version: number }>({
    sql: `select version from ${dialect.at('migrations')}`,
    parameters: [],
  });
  const applied = new Set(rows.map(({ version }) => version));
  const present = Math.max(0, ...applied);
  if (present > latestOf(migrations)) throw newerSchema(present, latestOf(migrations));
  return migrations.filter(({ version }) => !applied.has(version));
}

/** Written together with the last thing that a migration does. */
export function* recordMigration(
  { at }: DefinitionDialect,
  { version, name }: Migration,
  nowMs: number,
): Script<void> {
  yield* run(
    `insert into ${at('migrations')} (version, name, applied_at) values (${String(version)}, '${name}', ${String(nowMs)})`,
  );
  yield* run(`delete from ${at('migration_parts')} where version = ${String(version)}`);
}

/** All of a migration, for a database that has only one writer: nobody could work beside it anyway. */
export function* applyWhole(dialect: DefinitionDialect, migration: Migration, nowMs: number): Script<void> {
  for (const statement of migration.statements(dialect)) yield* run(statement);
  for (const backfill of migration.backfills?.(dialect) ?? []) {
    for (let cursor: number | undefined = 0; cursor !== undefined;) {
      cursor = yield* backfillStep(dialect, backfill, cursor);
    }
  }
  for (const { name, unique, on } of migration.indexes?.(dialect) ?? []) {
    yield* run(`create ${unique ? 'unique ' : ''}index ${name} on ${on}`);
  }
  yield* recordMigration(dialect, migration, nowMs);
}

const ROWS_A_STEP = 20_000;

/** One step beyond `after`. Answers where the next one begins; undefined: there are no more rows. */
export function* backfillStep(
  { at }: DefinitionDialect,
  { table, key, step = ROWS_A_STEP, statement }: Backfill,
  after: number,
): Script<number | undefined> {
  const [last] = yield* askCompiled<{ key: number | string | null }>({
    sql: `select max(${key}) as key from (
      select ${key} from ${at(table)} where ${key} > ${String(after)} order by ${key} limit ${String(step)}) rows_of_step`,
    parameters: [],
  });
  if (last?.key === undefined || last.key === null) return undefined;
  const upTo = Number(last.key);
  yield* run(statement(after, upTo));
  return upTo;
}

export function* run(sql: string): Script<void> {
  yield* askCompiled({ sql, parameters: [] });
}

const newerSchema = (version: number, known: number) =>
  new PillarboxError(
    'schema_too_new',
    `the database has schema version ${String(version)}, this program knows ${String(known)}: upgrade Pillarbox before starting it`,
  );
