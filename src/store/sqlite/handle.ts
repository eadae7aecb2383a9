import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { PillarboxError } from '../../core/errors.js';
import type { Query } from '../script.js';
import { Statements } from './statements.js';

export { DatabaseSync };

type Value = null | number | bigint | string | Uint8Array;

/** SQLite waits this long inside one call, with the event loop standing still; then we wait outside of it. */
const BUSY_INSIDE_MS = 50;
const BUSY_OUTSIDE_MS = 10;
/** How long another process may hold the write lock before a caller is told. */
const BUSY_GIVE_UP_MS = 30_000;

const BUSY = 5;
const UNAVAILABLE = new Map([
  [BUSY, 'another process holds its write lock'],
  [6, 'another connection holds a lock'],
  [7, 'there is no memory left'],
  [8, 'the file is read-only'],
  [10, 'reading or writing the file failed'],
  [11, 'the file is damaged'],
  [13, 'the disk is full'],
  [14, 'the file cannot be opened'],
  [15, 'too many processes lock it at once'],
  [26, 'the file is not a database'],
]);

/** The primary result code; extended codes carry it in their low byte. */
const primaryCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

/** In place of a path: a database that lives as long as its connection, and belongs to it alone. */
export const IN_MEMORY = ':memory:';

/**
 * One connection to the file. Everything on it is synchronous: a transaction runs from begin to commit without
 * giving way, so no other work of this process can land inside it.
 */
export class SqliteHandle {
  readonly path: string;
  readonly #db: DatabaseSyncInstance;
  readonly #statements = new Statements((sql) => this.#db.prepare(sql));
  /** Apart from the others: a statement answers objects or arrays, and whoever asks next must not be surprised. */
  readonly #arrayStatements = new Statements((sql) => {
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  });

  constructor(path: string) {
    this.path = path === IN_MEMORY ? path : resolve(path);
    try {
      if (path !== IN_MEMORY) makeDirectoryOf(this.path);
      this.#db = new DatabaseSync(this.path);
      this.#db.exec(`pragma busy_timeout = ${String(BUSY_INSIDE_MS)}`);
      if (path !== IN_MEMORY) this.#configure();
    } catch (error) {
      throw explainOpening(error, this.path);
    }
  }

  #configure(): void {
    // Switching to WAL needs the file for itself; another process may be doing the same at this moment.
    this.#patiently(() => this.#db.exec('pragma journal_mode = wal'));
    // FULL: a commit that was answered is on the disk. NORMAL would lose the last ones with the power.
    this.#db.exec('pragma synchronous = full');
    // Four times the default: fewer checkpoints, 1.6 times the inserts, a log of 16 MB at most in normal work.
    this.#db.exec('pragma wal_autocheckpoint = 4000');
    // What is deleted from a page that is written anyway is overwritten: no byte more is written for it.
    this.#db.exec('pragma secure_delete = fast');
    const mode = this.all({ sql: 'pragma journal_mode', parameters: [] })[0] as { journal_mode: string };
    const sync = this.all({ sql: 'pragma synchronous', parameters: [] })[0] as { synchronous: number };
    if (mode.journal_mode !== 'wal' || sync.synchronous !== 2) {
      throw new PillarboxError(
        'store_unavailable',
        `${this.path}: this file system does not support SQLite's WAL mode`,
      );
    }
  }

  #patiently(work: () => void): void {
    const deadline = performance.now() + 5_000;
    for (;;) {
      try {
        work();
        return;
      } catch (error) {
        if (primaryCode(error) !== BUSY || performance.now() > deadline) throw error;
      }
    }
  }

  prepare(sql: string): StatementSyncInstance {
    return this.#statements.get(sql);
  }

  /** Rows as arrays, for the reads that every message goes through. */
  arrays(sql: string, ...parameters: Value[]): readonly unknown[][] {
    return this.#arrayStatements.get(sql).all(...parameters) as unknown[][];
  }

  all(query: Query): readonly unknown[] {
    return this.prepare(query.sql).all(...(query.parameters as Value[]));
  }

  /** Reads need no lock in WAL mode and are never busy for long. */
  read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainFailure(error);
    }
  }

  /** All or nothing. The lock is taken at the start, so the work itself can't fail halfway for want of it. */
  async write<T>(work: () => T): Promise<T> {
    const deadline = performance.now() + BUSY_GIVE_UP_MS;
    for (;;) {
      try {
        return this.#immediate(work);
      } catch (error) {
        if (primaryCode(error) !== BUSY || performance.now() > deadline) throw explainFailure(error);
      }
      await sleep(BUSY_OUTSIDE_MS);
    }
  }

  #immediate<T>(work: () => T): T {
    this.prepare('begin immediate').run();
    try {
      const result = work();
      this.prepare('commit').run();
      return result;
    } catch (error) {
      // SQLite may have rolled back by itself, for example when the disk is full.
      if (this.#db.isTransaction) this.prepare('rollback').run();
      throw error;
    }
  }

  /** Whether the write lock that somebody else holds at this moment keeps us out, as it must. */
  seesWriteLock(): boolean {
    try {
      this.#db.exec('pragma busy_timeout = 0');
      this.prepare('begin immediate').run();
    } catch (error) {
      if (primaryCode(error) === BUSY) return true;
      throw explainFailure(error);
    } finally {
      this.#db.exec(`pragma busy_timeout = ${String(BUSY_INSIDE_MS)}`);
    }
    this.prepare('rollback').run();
    return false;
  }

  /** What this work deletes is overwritten, pages that it leaves empty included. */
  overwriting<T>(work: () => T): T {
    this.#db.exec('pragma secure_delete = on');
    try {
      return work();
    } finally {
      this.#db.exec('pragma secure_delete = fast');
    }
  }

  /** Writes the log back into the file and cuts it to nothing. False: another connection is reading or writing. */
  truncateLog(): boolean {
    const [row] = this.all({ sql: 'pragma wal_checkpoint(truncate)', parameters: [] }) as { busy: number }[];
    return row?.busy === 0;
  }

  /** Writes the whole file anew: nothing is left of what was deleted. False: another connection is in the way. */
  vacuum(): boolean {
    try {
      this.#db.exec('vacuum');
      return true;
    } catch (error) {
      if (primaryCode(error) === BUSY) return false;
      throw explainFailure(error);
    }
  }

  /** Changes whenever another connection, of this process or another, has committed. Undefined: it can't be read now. */
  dataVersion(): number | undefined {
    try {
      return (this.prepare('pragma data_version').get() as { data_version: number }).data_version;
    } catch {
      return undefined;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#arrayStatements.clear();
    if (this.#db.isOpen) this.#db.close();
  }
}

/** One level is made, such as `data/`; a path that is wrong further up is a mistake to be told. */
function makeDirectoryOf(path: string): void {
  if (existsSync(dirname(path))) return;
  try {
    mkdirSync(dirname(path));
  } catch (error) {
    const directory = resolve(dirname(path));
    const message = `SQLite could not make the directory ${directory}: ${whyNotMade(error, dirname(directory))}`;
    throw new PillarboxError('store_unavailable', message, { cause: error });
  }
}

function whyNotMade(error: unknown, parent: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `there is no ${parent}; make that one first, or correct the path`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `this process must be allowed to write into ${parent}`;
  return message;
}

const CANNOT_OPEN = 14;

/** SQLite writes files beside its own: the directory is what it must be let into. */
function explainOpening(error: unknown, path: string): unknown {
  if (primaryCode(error) !== CANNOT_OPEN) return explainFailure(error);
  const why = `SQLite could not open ${path}: this process must be allowed to write the file and its directory ${dirname(path)}`;
  return new PillarboxError('store_unavailable', why, { cause: error });
}

export function explainFailure(error: unknown): unknown {
  const why = UNAVAILABLE.get(primaryCode(error));
  if (why === undefined) return error;
  return new PillarboxError('store_unavailable', `SQLite could not do it: ${why}`, { cause: error });
}

/** Another process held the write lock for as long as a caller is kept waiting. */
export const isBusy = (error: unknown): boolean =>
  error instanceof PillarboxError && primaryCode(error.cause ?? {}) === BUSY;
