import { askCompiled, type Script } from './script.js';
import type { Store } from './store.js';

export interface BulkColumn {
  readonly name: string;
  readonly type: 'text' | 'int' | 'bigint';
}

export type BulkRow = readonly (string | number | null)[];

/** Half the price of one row a call; longer lists gain nothing more. */
const ROWS_A_CALL = 50;

/**
 * Many rows in few calls. On PostgreSQL one parameter for all of them; on SQLite bound values, because what is unpacked
 * in SQL is parsed anew for each column. `tail`: what follows the rows.
 */
export function* insertMany<Row>(
  store: Store,
  table: string,
  columns: readonly BulkColumn[],
  rows: readonly BulkRow[],
  tail = '',
): Script<readonly Row[]> {
  if (rows.length === 0) return [];
  const names = columns.map(({ name }) => name).join(', ');
  const into = `insert into ${store.at(table)} (${names})`;
  if (store.dialect === 'postgres') {
    const shape = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
    return yield* askCompiled<Row>({
      sql: `${into} select ${names} from json_to_recordset($1::json) as r(${shape}) ${tail}`,
      parameters: [JSON.stringify(rows.map((row) => objectOf(columns, row)))],
    });
  }
  const one = `(${columns.map(() => '?').join(', ')})`;
  const answered: Row[] = [];
  for (let from = 0; from < rows.length;) {
    const count = rows.length - from >= ROWS_A_CALL ? ROWS_A_CALL : 1;
    answered.push(
      ...(yield* askCompiled<Row>({
        sql: `${into} values ${Array.from({ length: count }, () => one).join(', ')} ${tail}`,
        parameters: rows.slice(from, from + count).flat(),
      })),
    );
    from += count;
  }
  return answered;
}

/** The first column says which row. */
export function* updateMany(
  store: Store,
  table: string,
  columns: readonly BulkColumn[],
  rows: readonly BulkRow[],
): Script<void> {
  if (rows.length === 0) return;
  const [key, ...changed] = columns.map(({ name }) => name);
  if (store.dialect === 'postgres') {
    const shape = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
    yield* askCompiled({
      sql: `update ${store.at(table)} t set ${changed.map((name) => `${name} = r.${name}`).join(', ')}
        from json_to_recordset($1::json) as r(${shape}) where t.${String(key)} = r.${String(key)}`,
      parameters: [JSON.stringify(rows.map((row) => objectOf(columns, row)))],
    });
    return;
  }
  const sql = `update ${table} set ${changed.map((name) => `${name} = ?`).join(', ')} where ${String(key)} = ?`;
  for (const [id = null, ...values] of rows) yield* askCompiled({ sql, parameters: [...values, id] });
}

const objectOf = (columns: readonly BulkColumn[], row: BulkRow): Readonly<Record<string, unknown>> =>
  Object.fromEntries(columns.map(({ name }, place) => [name, row[place]]));
