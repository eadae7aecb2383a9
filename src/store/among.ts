import { sql, type Expression, type RawBuilder, type SqlBool } from '../vendor/kysely.js';
import type { Store } from './store.js';

/** Ids, or texts. */
export type List = readonly number[] | readonly string[];

/**
 * "Is one of these", as one parameter: a text with a mark for each would be another text for every length, and each
 * text is planned, and on SQLite kept, by itself. Both databases look every value up in the column's index.
 */
export const among = (
  { dialect }: Pick<Store, 'dialect'>,
  column: Expression<unknown>,
  list: List,
): RawBuilder<SqlBool> =>
  dialect === 'postgres'
    ? sql<SqlBool>`${column} = any(${list}::${sql.raw(arrayTypeOf(list))})`
    : sql<SqlBool>`${column} in (select value from json_each(${JSON.stringify(list)}))`;

/** The same for statements that are written by hand; `bind` answers the mark of its parameter. */
export const amongText = (
  { dialect }: Pick<Store, 'dialect'>,
  column: string,
  list: List,
  bind: (value: string | List) => string,
): string =>
  dialect === 'postgres'
    ? `${column} = any(${bind(list)}::${arrayTypeOf(list)})`
    : `${column} in (select value from json_each(${bind(JSON.stringify(list))}))`;

const arrayTypeOf = ([first]: List): string => (typeof first === 'string' ? 'text[]' : 'bigint[]');
