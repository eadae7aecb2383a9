import type { EntityManager as MikroManager } from '@mikro-orm/postgresql';
import type { NodePgDatabase, NodePgTransaction } from 'drizzle-orm/node-postgres';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Knex } from 'knex';
import type { Kysely, Transaction } from 'kysely';
import type pg from 'pg';
import type { DatabaseSync, Tx } from 'pillarbox';
import type { Sql, TransactionSql } from 'postgres';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { expectTypeOf, test } from 'vitest';
import type { Prisma, PrismaTransaction } from './prisma-client.js';

test('the compiler takes transactions, as their libraries type them', () => {
  expectTypeOf<pg.Client>().toExtend<Tx>();
  expectTypeOf<pg.PoolClient>().toExtend<Tx>();
  expectTypeOf<NodePgTransaction<Record<string, never>, Record<string, never>>>().toExtend<Tx>();
  expectTypeOf<Parameters<Parameters<PostgresJsDatabase['transaction']>[0]>[0]>().toExtend<Tx>();
  expectTypeOf<Knex.Transaction>().toExtend<Tx>();
  expectTypeOf<Transaction<object>>().toExtend<Tx>();
  expectTypeOf<TransactionSql>().toExtend<Tx>();
  expectTypeOf<EntityManager>().toExtend<Tx>();
  expectTypeOf<QueryRunner>().toExtend<Tx>();
  expectTypeOf<PrismaTransaction>().toExtend<Tx>();
  expectTypeOf<MikroManager>().toExtend<Tx>();
  expectTypeOf<InstanceType<typeof DatabaseSync>>().toExtend<Tx>();
  expectTypeOf<(text: string, values: readonly unknown[]) => Promise<unknown[]>>().toExtend<Tx>();
});

test('and refuses what is in none, wherever its type tells', () => {
  expectTypeOf<pg.Pool>().not.toExtend<Tx>();
  expectTypeOf<NodePgDatabase>().not.toExtend<Tx>();
  expectTypeOf<PostgresJsDatabase>().not.toExtend<Tx>();
  expectTypeOf<Knex>().not.toExtend<Tx>();
  expectTypeOf<Kysely<object>>().not.toExtend<Tx>();
  expectTypeOf<Sql>().not.toExtend<Tx>();
  expectTypeOf<DataSource>().not.toExtend<Tx>();
  expectTypeOf<Prisma>().not.toExtend<Tx>();
  expectTypeOf<(text: string) => string>().not.toExtend<Tx>();
  expectTypeOf<string>().not.toExtend<Tx>();
  expectTypeOf<object>().not.toExtend<Tx>();
});
