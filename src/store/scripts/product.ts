import { askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';

/** The database's own name and version, for people. */
export function* productOf({ dialect }: Store): Script<string> {
  const sql = dialect === 'postgres' ? 'show server_version' : 'select sqlite_version() as server_version';
  const [row] = yield* askCompiled<{ server_version: string }>({ sql, parameters: [] });
  return `${dialect === 'postgres' ? 'PostgreSQL' : 'SQLite'} ${row?.server_version.split(' ')[0] ?? ''}`;
}
