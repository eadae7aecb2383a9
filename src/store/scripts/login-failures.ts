import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';

/** Instants of this file are real time: a virtual clock must not open a throttle. */

/** One failure, under each of the names that it is counted by. */
export function* noteLoginFailure({ db }: Store, subjects: readonly string[], now: number): Script<void> {
  yield* ask(
    db.insertInto('login_failures').values(subjects.map((subject) => ({ subject, failed_at: now }))),
  );
}

/** When the last failures under this name were, newest first: so many at most, and none before `since`. */
export function* lastFailures(
  { db }: Store,
  subject: string,
  since: number,
  most: number,
): Script<readonly number[]> {
  const rows = yield* ask(
    db
      .selectFrom('login_failures')
      .select('failed_at')
      .where('subject', '=', subject)
      .where('failed_at', '>', since)
      .orderBy('failed_at', 'desc')
      .limit(most),
  );
  return rows.map((row) => row.failed_at);
}

export function* forgetLoginFailures({ db }: Store, subject: string): Script<void> {
  yield* ask(db.deleteFrom('login_failures').where('subject', '=', subject));
}

export function* forgetOldLoginFailures({ db }: Store, before: number): Script<void> {
  yield* ask(db.deleteFrom('login_failures').where('failed_at', '<=', before));
}
