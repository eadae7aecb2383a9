import { invalidInput } from '../core/errors.js';
import { runAsync, type Script } from './script.js';
import type { Store } from './store.js';
import { runnerOf, WHAT_TO_PASS, type AnyTx, type Run } from './tx-forms.js';

/** Pillarbox's own SQLite: in one process, only handles of one library see each other's locks. */
export { DatabaseSync } from './sqlite/handle.js';

/**
 * A caller's own open transaction on the same database: whatever can run a parameterised query. The mail then
 * exists exactly when the caller's own rows do.
 */
export type Tx = AnyTx;

type Asked = Pick<Store, 'dialect' | 'at' | 'seesWriteLock'>;

/** Throws `invalid_input` for what is no open transaction: the mail would outlive a rollback. */
export async function runWithin<T>(tx: Tx, store: Asked, script: Script<T>): Promise<T> {
  const run = runnerOf(tx);
  const open =
    store.dialect === 'postgres' ? await isOpenOnPostgres(run, store) : await isOpenOnSqlite(tx, run);
  if (!open) throw invalidInput('tx', `is not in a transaction: ${WHAT_TO_PASS}`);
  if (store.dialect === 'sqlite') await refuseStrangers(run, store);
  return runAsync(script, run);
}

/**
 * PostgreSQL takes a lock by name only inside of a transaction. This one hinders nobody, and storing a mail takes a
 * stronger one anyway.
 */
async function isOpenOnPostgres(run: Run, { at }: Asked): Promise<boolean> {
  try {
    await run({ sql: `lock table ${at('messages')} in access share mode`, parameters: [] });
    return true;
  } catch (error) {
    if (tells(error, '25P01', /25P01|only be used in transaction blocks/)) return false;
    throw error;
  }
}

/** A handle that knows is asked; any other is told to begin, which it can't if it has begun. */
async function isOpenOnSqlite(tx: Tx, run: Run): Promise<boolean> {
  const { isTransaction, inTransaction } = tx as { isTransaction?: unknown; inTransaction?: unknown };
  if (typeof isTransaction === 'boolean') return isTransaction;
  if (typeof inTransaction === 'boolean') return inTransaction;
  try {
    await run({ sql: 'begin', parameters: [] });
  } catch (error) {
    if (tells(error, 'none', /within a transaction/)) return true;
    throw error;
  }
  await run({ sql: 'rollback', parameters: [] });
  return false;
}

/**
 * Two SQLite libraries in one process, or two copies of one, do not see each other's locks on a file: both would write,
 * and what one of them has committed would be gone. The caller's connection takes the lock, and ours has to notice.
 */
async function refuseStrangers(run: Run, store: Asked): Promise<void> {
  await run({ sql: `delete from ${store.at('messages')} where 0`, parameters: [] });
  if (store.seesWriteLock()) return;
  throw invalidInput(
    'tx',
    "is of another SQLite library than Pillarbox's own, and in one process the two do not see each other's locks: open the file " +
      'with the DatabaseSync that pillarbox exports, or keep the mail in a file of its own',
  );
}

/** Drivers put the code of the database in different places, some in what caused the error; the words are the same everywhere. */
function tells(error: unknown, code: string, words: RegExp): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as { code?: unknown }).code === code || words.test(cause.message)) return true;
  }
  return false;
}
