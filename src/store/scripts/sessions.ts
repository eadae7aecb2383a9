import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

/** Instants of this file are real time: a virtual clock must not end sessions. */

export interface Session {
  readonly userId: number;
  readonly email: string;
  readonly createdAt: number;
  readonly seenAt: number;
}

export function* addSession({ db }: Store, hash: string, userId: number, now: number): Script<void> {
  yield* ask(db.insertInto('sessions').values({ hash, user_id: userId, created_at: now, seen_at: now }));
}

export function* findSession({ db }: Store, hash: string): Script<Session | undefined> {
  return yield* askOne(
    db
      .selectFrom('sessions as s')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .select(['s.user_id as userId', 'u.email', 's.created_at as createdAt', 's.seen_at as seenAt'])
      .where('s.hash', '=', hash),
  );
}

/** All of one person, last used first. */
export function* listSessions(
  { db }: Store,
  userId: number,
): Script<readonly (Omit<Session, 'userId' | 'email'> & { readonly hash: string })[]> {
  return yield* ask(
    db
      .selectFrom('sessions')
      .select(['hash', 'created_at as createdAt', 'seen_at as seenAt'])
      .where('user_id', '=', userId)
      .orderBy('seen_at', 'desc')
      .orderBy('created_at', 'desc'),
  );
}

export function* touchSession({ db }: Store, hash: string, now: number): Script<void> {
  yield* ask(db.updateTable('sessions').set({ seen_at: now }).where('hash', '=', hash));
}

export function* endSession({ db }: Store, hash: string): Script<void> {
  yield* ask(db.deleteFrom('sessions').where('hash', '=', hash));
}

/** What has ended by its age, for nobody will ask for it again. */
export function* forgetOldSessions({ db }: Store, createdBefore: number): Script<void> {
  yield* ask(db.deleteFrom('sessions').where('created_at', '<', createdBefore));
}
