import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

/**
 * Instants of this file are real time, as those of sessions. Every write is done by whoever has locked the person,
 * but for the end of what has run out (`ages.ts`).
 */

export interface Invitation {
  readonly userId: number;
  readonly email: string;
  /** Whose administrator vouches for whoever comes in with it. */
  readonly workspaceId: number;
  readonly expiresAt: number;
}

const invitations = ({ db }: Store) =>
  db
    .selectFrom('invitations as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['i.user_id as userId', 'u.email', 'i.workspace_id as workspaceId', 'i.expires_at as expiresAt']);

/** Undefined: it was used, replaced or withdrawn. It may have run out. */
export function* findInvitation(store: Store, hash: string): Script<Invitation | undefined> {
  return yield* askOne(invitations(store).where('i.hash', '=', hash));
}

export function* invitationOf(store: Store, userId: number): Script<Invitation | undefined> {
  return yield* askOne(invitations(store).where('i.user_id', '=', userId));
}

export interface NewInvitation {
  readonly userId: number;
  readonly hash: string;
  readonly workspaceId: number;
  readonly madeBy: number | undefined;
  readonly expiresAt: number;
}

/** For somebody who has none: whatever ended his password has ended his invitation too. */
export function* addInvitation({ db }: Store, invitation: NewInvitation, now: number): Script<void> {
  const { userId, hash, workspaceId, madeBy = null, expiresAt } = invitation;
  yield* ask(
    db.insertInto('invitations').values({
      ...{ user_id: userId, hash, workspace_id: workspaceId, made_by: madeBy },
      ...{ created_at: now, expires_at: expiresAt },
    }),
  );
}

/** Whoever may no longer administer has seen links that he could still use. */
export function* withdrawInvitations({ db }: Store, madeBy: number, workspaceId: number): Script<void> {
  yield* ask(
    db.deleteFrom('invitations').where('made_by', '=', madeBy).where('workspace_id', '=', workspaceId),
  );
}
