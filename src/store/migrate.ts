import { PillarboxError } from '../errors.js';
import type { DefinitionDialect } from './migrations/dialect.js';
import { MIGRATIONS, SCHEMA_VERSION } from './migrations/index.js';
import { askCompiled, type Script } from './script.js';

/** Any number will do as long as nobody else in the database uses it: the bytes of "pbox". */
const MIGRATION_LOCK = 0x70626f78;

export interface MigrationReport {
  readonly version: number;
  readonly applied: readonly string[];
}

/**
 * Brings the schema up to date, inside one transaction: either all of it or nothing. Processes that start at the
 * same time wait for each other, on PostgreSQL by a lock, on SQLite because the transaction is immediate.
 */
export function* migrate(dialect: DefinitionDialect, schema: string, nowMs: number): Script<MigrationReport> {
  if (dialect.name === 'postgres') {
    yield* run(`select pg_advisory_xact_lock(${String(MIGRATION_LOCK)})`);
    yield* run(`create schema if not exists ${schema}`);
  }
  const migrations = dialect.at('migrations');
  yield* run(`create table if not exists ${migrations} (
    version ${dialect.integer} primary key, name text not null, applied_at ${dialect.bigint} not null)`);
  const [present] = yield* askCompiled<{ version: number | null }>({
    sql: `select max(version) as version from ${migrations}`,
    parameters: [],
  });
  const version = present?.version ?? 0;
  if (version > SCHEMA_VERSION) throw newerSchema(version);

  const pending = MIGRATIONS.filter((migration) => migration.version > version);
  for (const migration of pending) {
    for (const statement of migration.statements(dialect)) yield* run(statement);
    yield* run(
      `insert into ${migrations} (version, name, applied_at) values (${String(migration.version)}, '${migration.name}', ${String(nowMs)})`,
    );
  }
  return { version: SCHEMA_VERSION, applied: pending.map((migration) => migration.name) };
}

function* run(sql: string): Script<void> {
  yield* askCompiled({ sql, parameters: [] });
}

const newerSchema = (version: number) =>
  new PillarboxError(
    'schema_too_new',
    `the database has schema version ${String(version)}, this program knows ${String(SCHEMA_VERSION)}: upgrade Pillarbox before starting it`,
  );
