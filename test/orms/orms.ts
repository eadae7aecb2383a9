import { EntitySchema, MikroORM, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle as drizzleOnPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOnPostgresJs } from 'drizzle-orm/postgres-js';
import { knex as openKnex } from 'knex';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import type { Tx } from 'pillarbox';
import { DataSource } from 'typeorm';
import { openPrisma } from './prisma-client.js';

/** What an application does with its database, as its authors show it. */
export interface Orm {
  /** Stores a booking and does `work` in one transaction, which is undone if that throws. */
  book(name: string, work: (tx: Tx) => Promise<void>): Promise<void>;
  /** What somebody might pass who has not begun a transaction. */
  readonly outside: Readonly<Record<string, unknown>>;
  close(): Promise<unknown>;
}

const BOOK = 'insert into bookings (name) values ($1)';

export const ORMS: Readonly<Record<string, (url: string) => Promise<Orm>>> = {
  pg: async (url) => {
    const pool = new pg.Pool({ connectionString: url });
    const client = await pool.connect();
    return {
      book: async (name, work) => {
        await client.query('begin');
        try {
          await client.query(BOOK, [name]);
          await work(client);
          await client.query('commit');
        } catch (error) {
          await client.query('rollback');
          throw error;
        }
      },
      outside: { 'the pool': pool, 'a client': client },
      close: () => {
        client.release();
        return pool.end();
      },
    };
  },

  'Drizzle on pg': (url) => {
    const db = drizzleOnPg(url);
    return Promise.resolve({
      book: (name, work) =>
        db.transaction(async (tx) => {
          await tx.execute(drizzleSql`insert into bookings (name) values (${name})`);
          await work(tx);
        }),
      outside: { db },
      close: () => db.$client.end(),
    });
  },

  'Drizzle on postgres.js': (url) => {
    const db = drizzleOnPostgresJs(url);
    return Promise.resolve({
      book: (name, work) =>
        db.transaction(async (tx) => {
          await tx.execute(drizzleSql`insert into bookings (name) values (${name})`);
          await work(tx);
        }),
      outside: { db },
      close: () => db.$client.end(),
    });
  },

  Knex: (url) => {
    const knex = openKnex({ client: 'pg', connection: url });
    return Promise.resolve({
      book: (name, work) =>
        knex.transaction(async (trx) => {
          await trx('bookings').insert({ name });
          await work(trx);
        }),
      outside: { knex },
      close: () => knex.destroy(),
    });
  },

  Kysely: (url) => {
    const db = new Kysely<object>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    });
    return Promise.resolve({
      book: (name, work) =>
        db.transaction().execute(async (trx) => {
          await trx.executeQuery(CompiledQuery.raw(BOOK, [name]));
          await work(trx);
        }),
      outside: { db },
      close: () => db.destroy(),
    });
  },

  'postgres.js': (url) => {
    const sql = postgres(url);
    return Promise.resolve({
      book: async (name, work) => {
        await sql.begin(async (trx) => {
          await trx`insert into bookings (name) values (${name})`;
          await work(trx);
        });
      },
      outside: { sql },
      close: () => sql.end(),
    });
  },

  'TypeORM, its manager': async (url) => {
    const dataSource = await new DataSource({ type: 'postgres', url }).initialize();
    return {
      book: (name, work) =>
        dataSource.transaction(async (manager) => {
          await manager.query(BOOK, [name]);
          await work(manager);
        }),
      outside: { dataSource, 'the manager of all': dataSource.manager },
      close: () => dataSource.destroy(),
    };
  },

  'TypeORM, a QueryRunner': async (url) => {
    const dataSource = await new DataSource({ type: 'postgres', url }).initialize();
    const runner = dataSource.createQueryRunner();
    return {
      book: async (name, work) => {
        await runner.startTransaction();
        try {
          await runner.query(BOOK, [name]);
          await work(runner);
          await runner.commitTransaction();
        } catch (error) {
          await runner.rollbackTransaction();
          throw error;
        }
      },
      outside: { runner },
      close: async () => {
        await runner.release();
        await dataSource.destroy();
      },
    };
  },

  Prisma: (url) => {
    const prisma = openPrisma(url);
    return Promise.resolve({
      book: (name, work) =>
        prisma.$transaction(async (tx) => {
          await tx.$executeRawUnsafe(BOOK, name);
          await work(tx);
        }),
      outside: { prisma },
      close: () => prisma.$disconnect(),
    });
  },

  MikroORM: async (url) => {
    const Booking = new EntitySchema<{ name: string }>({
      ...{ name: 'Booking', tableName: 'bookings' },
      properties: { name: { type: 'text', primary: true } },
    });
    const orm = await MikroORM.init({ driver: PostgreSqlDriver, clientUrl: url, entities: [Booking] });
    return {
      book: (name, work) =>
        orm.em.fork().transactional(async (em) => {
          em.create(Booking, { name });
          await em.flush();
          await work(em);
        }),
      outside: { em: orm.em.fork() },
      close: () => orm.close(),
    };
  },

  'a function': async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const run = async (text: string, values: readonly unknown[]) =>
      (await client.query(text, [...values])).rows as unknown[];
    return {
      book: async (name, work) => {
        await client.query('begin');
        try {
          await client.query(BOOK, [name]);
          await work(run);
          await client.query('commit');
        } catch (error) {
          await client.query('rollback');
          throw error;
        }
      },
      outside: { run },
      close: () => client.end(),
    };
  },
};
