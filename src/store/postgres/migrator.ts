import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PillarboxError } from '../../core/errors.js';
import type { Logger } from '../../log/log.js';
import {
  backfillStep,
  latestOf,
  pendingOf,
  prepareRecords,
  recordMigration,
  run,
  type MigrationReport,
} from '../migrate.js';
import { postgresDefinitions, type DefinitionDialect } from '../migrations/dialect.js';
import type { Migration } from '../migrations/index.js';
import type { Backfill, LargeIndex } from '../migrations/parts.js';
import { askCompiled, runAsync, type Script } from '../script.js';
import { explainFailure, isLockedOut } from './failures.js';

/** Any number will do as long as nobody else in the database uses it: the bytes of "pbox". */
const MIGRATION_LOCK = 0x70626f78;
const ASK_AGAIN_MS = 250;
const SAY_EVERY_MS = 5_000;
/** Whoever waits for a table's lock keeps everybody behind him waiting too: he lets them pass and tries again. */
const LOCK_MS = 3_000;

interface MigratorOptions {
  /** Undefined: there is only a pooler. */
  readonly url: string | undefined;
  readonly schema: string;
  readonly log: Logger;
}

/** The report of a schema that needs nothing; undefined if it does. */
export function* schemaVersion(
  schema: string,
  migrations: readonly Migration[],
): Script<MigrationReport | undefined> {
  const [there] = yield* askCompiled<{ there: boolean }>({
    sql: `select to_regclass('${schema}.migrations') is not null as there`,
    parameters: [],
  });
  if (!there?.there) return undefined;
  const pending = yield* pendingOf(postgresDefinitions(schema), migrations);
  return pending.length === 0 ? { version: latestOf(migrations), applied: [] } : undefined;
}

/**
 * Brings the schema up to date on a connection of its own, without a limit of time. One process does it, the others
 * wait and say so. A migration is one transaction; what takes long is done in parts beside the traffic, and whoever
 * comes after a process that died goes on where it was.
 */
export async function migratePostgres(
  { url, schema, log }: MigratorOptions,
  migrations: readonly Migration[],
): Promise<MigrationReport> {
  if (url === undefined) {
    throw new PillarboxError(
      'invalid_config',
      'databaseDirectUrl: should lead to PostgreSQL itself: the schema is to be changed, and not through a pooler',
    );
  }
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: 'pillarbox migrations',
  });
  client.on('error', () => undefined); // a connection that breaks shows in the query that fails
  try {
    await client.connect();
    return await new Migrator(client, schema, log).migrate(migrations);
  } catch (error) {
    throw explainFailure(error, schema);
  } finally {
    // The lock goes with the session.
    await client.end().catch(() => undefined);
  }
}

class Migrator {
  readonly #dialect: DefinitionDialect;

  constructor(
    private readonly client: pg.Client,
    private readonly schema: string,
    private readonly log: Logger,
  ) {
    this.#dialect = postgresDefinitions(schema);
  }

  async migrate(migrations: readonly Migration[]): Promise<MigrationReport> {
    await this.client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${String(LOCK_MS)}`,
    );
    // The server notices within seconds that we died, and not when it is done with what nobody waits for.
    await this.client.query(
      `select set_config(name, '2000', false) from pg_settings where name = 'client_connection_check_interval'`,
    );
    await this.#lock();
    await this.#together(() => this.#records());
    const pending = await this.#run(pendingOf(this.#dialect, migrations));
    for (const migration of pending) await this.#apply(migration);
    return { version: latestOf(migrations), applied: pending.map(({ name }) => name) };
  }

  /** `create schema if not exists` wants the right to make one even if it is there. */
  *#records(): Script<void> {
    const [known] = yield* askCompiled<{ there: boolean }>({
      sql: `select to_regnamespace('${this.schema}') is not null as there`,
      parameters: [],
    });
    if (!known?.there) yield* run(`create schema ${this.schema}`);
    yield* prepareRecords(this.#dialect);
  }

  /**
   * Asked for again and again rather than waited for: a session that waits inside a statement would itself be waited
   * for by an index that is built beside the traffic.
   */
  async #lock(): Promise<void> {
    const began = performance.now();
    for (let sayAt = began + ASK_AGAIN_MS; ;) {
      const { rows } = await this.client.query<{ ours: boolean }>(
        `select pg_try_advisory_lock(${String(MIGRATION_LOCK)}) as ours`,
      );
      if (rows[0]?.ours) return;
      const now = performance.now();
      if (now >= sayAt) {
        const seconds = Math.round((now - began) / 1_000);
        this.log.info({ seconds }, 'another process is migrating the database; waiting for it');
        sayAt = now + SAY_EVERY_MS;
      }
      await sleep(ASK_AGAIN_MS);
    }
  }

  async #apply(migration: Migration): Promise<void> {
    const { version, name } = migration;
    const dialect = this.#dialect;
    const backfills = migration.backfills?.(dialect) ?? [];
    const indexes = migration.indexes?.(dialect) ?? [];
    if (backfills.length + indexes.length === 0) {
      await this.#together(() => applyStatements(dialect, migration, 'whole'));
      return;
    }
    this.log.info({ migration: name }, 'a migration in parts; others may work beside it');
    const parts = await this.#run(finishedParts(dialect, version));
    if (!parts.has(STATEMENTS)) await this.#together(() => applyStatements(dialect, migration, 'part'));
    for (const backfill of backfills) await this.#backfill(version, backfill);
    for (const index of indexes) await this.#index(index);
    await this.#together(() => recordMigration(dialect, migration, Date.now()));
  }

  async #backfill(version: number, backfill: Backfill): Promise<void> {
    const part = `backfill ${backfill.name}`;
    let sayAt = performance.now() + SAY_EVERY_MS;
    for (let cursor: number | undefined = 0; cursor !== undefined;) {
      cursor = await this.#together(() => oneStep(this.#dialect, version, part, backfill));
      if (performance.now() < sayAt) continue;
      this.log.info({ part, cursor }, 'migrating the database');
      sayAt = performance.now() + SAY_EVERY_MS;
    }
  }

  /** Whether it is there says all: nothing has to be written down. One that was given up half-way is built anew. */
  async #index({ name, unique, on }: LargeIndex): Promise<void> {
    for (;;) {
      const { rows } = await this.client.query<{ valid: boolean }>(
        `select i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
         join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`,
        [this.schema, name],
      );
      if (rows[0]?.valid) return;
      try {
        // It waits for everybody who was there before it, however long, and keeps nobody waiting.
        await this.client.query('set lock_timeout = 0');
        if (rows[0]) await this.client.query(`drop index concurrently ${this.schema}.${name}`);
        await this.client.query(`create ${unique ? 'unique ' : ''}index concurrently ${name} on ${on}`);
      } catch (error) {
        if (!isLockedOut(error)) throw error;
        this.log.warn({ err: error, index: name }, 'an index was locked out by others; trying again');
        await sleep(ASK_AGAIN_MS);
      } finally {
        await this.client.query(`set lock_timeout = ${String(LOCK_MS)}`).catch(() => undefined);
      }
    }
  }

  /** One transaction. Locked out by others, it lets them pass and begins again. */
  async #together<T>(script: () => Script<T>): Promise<T> {
    for (;;) {
      try {
        await this.client.query('begin');
        const result = await this.#run(script());
        await this.client.query('commit');
        return result;
      } catch (error) {
        await this.client.query('rollback').catch(() => undefined);
        if (!isLockedOut(error)) throw error;
        this.log.warn({ err: error }, 'a migration was locked out by others; trying again');
      }
      await sleep(ASK_AGAIN_MS);
    }
  }

  #run<T>(script: Script<T>): Promise<T> {
    return runAsync(script, async ({ sql, parameters }) => {
      const { rows } = await this.client.query(sql, [...parameters]);
      return rows as unknown[];
    });
  }
}

const STATEMENTS = 'statements';

function* applyStatements(
  dialect: DefinitionDialect,
  migration: Migration,
  as: 'whole' | 'part',
): Script<void> {
  for (const statement of migration.statements(dialect)) yield* run(statement);
  if (as === 'whole') yield* recordMigration(dialect, migration, Date.now());
  else yield* finishPart(dialect, migration.version, STATEMENTS);
}

/** The step and how far it went are written together: a step that was cut off is done again, one that was not is not. */
function* oneStep(
  dialect: DefinitionDialect,
  version: number,
  part: string,
  backfill: Backfill,
): Script<number | undefined> {
  const [known] = yield* askCompiled<{ cursor: string | null; finished_at: string | null }>({
    sql: `select cursor, finished_at from ${dialect.at('migration_parts')} where version = $1 and part = $2`,
    parameters: [version, part],
  });
  if (known && known.finished_at !== null) return undefined;
  const next = yield* backfillStep(dialect, backfill, Number(known?.cursor ?? 0));
  if (next === undefined) {
    yield* finishPart(dialect, version, part);
    return undefined;
  }
  yield* askCompiled({
    sql: `insert into ${dialect.at('migration_parts')} (version, part, cursor) values ($1, $2, $3)
      on conflict (version, part) do update set cursor = excluded.cursor`,
    parameters: [version, part, next],
  });
  return next;
}

function* finishedParts(dialect: DefinitionDialect, version: number): Script<ReadonlySet<string>> {
  const rows = yield* askCompiled<{ part: string }>({
    sql: `select part from ${dialect.at('migration_parts')} where version = $1 and finished_at is not null`,
    parameters: [version],
  });
  return new Set(rows.map(({ part }) => part));
}

function* finishPart(dialect: DefinitionDialect, version: number, part: string): Script<void> {
  yield* askCompiled({
    sql: `insert into ${dialect.at('migration_parts')} (version, part, finished_at) values ($1, $2, $3)
      on conflict (version, part) do update set finished_at = excluded.finished_at`,
    parameters: [version, part, Date.now()],
  });
}
