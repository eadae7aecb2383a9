import { PillarboxError } from '../core/errors.js';
import { findInvitation, invitationOf, type Invitation } from '../store/scripts/invitations.js';
import { lastFailures, noteLoginFailure } from '../store/scripts/login-failures.js';
import { addSession } from '../store/scripts/sessions.js';
import { lockUser, setPassword } from '../store/scripts/users.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { checkPassword, type Passwords } from './password.js';
import { hashToken, makeToken } from './token.js';

export const INVITATION_DAYS = 7;

const WINDOW_MS = 15 * 60_000;
const WRONG_OF_PLACE = 100;

/** One-time ways in, for people who have no password yet. */
export class Invitations {
  constructor(
    private readonly store: Store,
    private readonly homeId: number,
    private readonly now: () => number,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Undefined: there is none such, or not any more. That is counted, and throws `too_many_attempts` in the end. Nobody
   * guesses a right one, so a right one is not held up by the wrong ones of others.
   */
  async find(token: string, place: string): Promise<Invitation | undefined> {
    const { store } = this;
    const found = await store.read(findInvitation(store, hashToken(token)));
    const now = this.now();
    if (found && found.expiresAt > now) return found;
    const subject = `invitation from ${place}`;
    const wrong = await store.read(lastFailures(store, subject, now - WINDOW_MS, WRONG_OF_PLACE));
    const oldest = wrong[WRONG_OF_PLACE - 1];
    if (oldest !== undefined) {
      throw new PillarboxError('too_many_attempts', 'too many wrong invitations; wait a while', {
        retryAfterSeconds: Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1_000)),
      });
    }
    await store.transaction(() => noteLoginFailure(store, [subject], now));
    return undefined;
  }

  /** Sets the password, and answers the token of a session. Undefined: another one was faster, or it was replaced. */
  async accept({ email, userId }: Invitation, token: string, password: string): Promise<string | undefined> {
    const hash = await this.passwords.hash(checkPassword(password));
    const session = makeToken();
    const accepted = await this.store.transaction(() =>
      this.#accept(email, userId, hashToken(token), hash, hashToken(session)),
    );
    return accepted ? session : undefined;
  }

  *#accept(
    email: string,
    userId: number,
    invitation: string,
    password: string,
    session: string,
  ): Script<boolean> {
    const { store } = this;
    const now = this.now();
    yield* lockUser(store, email);
    const found = yield* findInvitation(store, invitation);
    if (found?.userId !== userId || found.expiresAt <= now) return false;
    const vouched = found.workspaceId === this.homeId;
    // This uses it up.
    yield* setPassword(store, userId, password, { own: true, vouched });
    yield* addSession(store, session, userId, now);
    return true;
  }
}

/** Whether the installation vouches for the way in that somebody has. */
export function* isVouchedFor(
  store: Store,
  homeId: number,
  user: { readonly id: number; readonly password: string | null; readonly vouchedPassword: string | null },
): Script<boolean> {
  if (user.password !== null) return user.password === user.vouchedPassword;
  return (yield* invitationOf(store, user.id))?.workspaceId === homeId;
}
