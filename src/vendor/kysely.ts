/** All of it that is used here; one file once it is built, see docs/decisions/0008. */
export {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
export type { Compilable, Expression, Generated, RawBuilder, Selectable, SqlBool } from 'kysely';
