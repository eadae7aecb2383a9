import { CLOCK } from '../postgres/time.js';
import { askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';

/** The database's own name and version, for people. */
export function* productOf({ dialect }: Store): Script<string> {
  const sql = dialect === 'postgres' ? 'show server_version' : 'select sqlite_version() as server_version';
  const [row] = yield* askCompiled<{ server_version: string }>({ sql, parameters: [] });
  return `${dialect === 'postgres' ? 'PostgreSQL' : 'SQLite'} ${row?.server_version.split(' ')[0] ?? ''}`;
}

/** Real time by the clock of its own; undefined: it has none, and reads that of this machine. */
export function* clockOf({ dialect, at }: Store): Script<number | undefined> {
  const sql =
    dialect === 'postgres' ? `select ${CLOCK} as clock` : `select null as clock from ${at('facts')} limit 1`;
  const [row] = yield* askCompiled<{ clock: number | null }>({ sql, parameters: [] });
  return row?.clock ?? undefined;
}
