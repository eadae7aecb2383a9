import { scopesOfRole, SCOPES, type Role, type Scope } from '../core/access.js';
import { PillarboxError } from '../errors.js';
import { findApiKey, noteKeyUse } from '../store/scripts/api-keys.js';
import {
  addSession,
  endSession,
  findSession,
  forgetLoginFailures,
  noteLoginFailure,
  tooManyFailures,
  touchSession,
} from '../store/scripts/sessions.js';
import { findUserByEmail, membershipsOf, type Membership } from '../store/scripts/users.js';
import type { Store } from '../store/store.js';
import { verifyPassword } from './password.js';
import { csrfTokenOf, hashToken, makeToken } from './token.js';

/** Who is asking, for which workspace, and what he may do there. */
export interface Principal {
  readonly workspaceId: number;
  readonly scopes: ReadonlySet<Scope>;
  /** For the audit log: `key Billing`, `ada@example.org`. */
  readonly actor: string;
  /** Undefined: a key, not a person. */
  readonly person?: Person | undefined;
}

export interface Person {
  readonly userId: number;
  readonly email: string;
  readonly role: Role;
  readonly memberships: readonly Membership[];
  readonly csrfToken: string;
}

const MINUTE_MS = 60_000;
const THROTTLE_WINDOW_MS = 15 * MINUTE_MS;
/** Of one address, and of one place from which many are tried. */
const FAILURES_OF_ADDRESS = 10;
const FAILURES_OF_PLACE = 100;
const IDLE_MS = 12 * 60 * MINUTE_MS;
const LONGEST_SESSION_MS = 14 * 24 * 60 * MINUTE_MS;
/** A use is noted once a minute at most: it is for people to look at. */
const NOTE_EVERY_MS = MINUTE_MS;

/** Tells who is asking. Keys and sessions are looked up each time, so a revoked one ends at once, everywhere. */
export class Gatekeeper {
  readonly #keysNoted = new Map<number, number>();

  constructor(private readonly store: Store) {}

  async ofKey(key: string): Promise<Principal | undefined> {
    const found = await this.store.read(findApiKey(this.store, hashToken(key)));
    if (!found) return undefined;
    const { id, workspaceId, name, scopes } = found;
    await this.#noteUse(id);
    // Whoever may administer may do everything.
    const all = scopes.includes('admin') ? SCOPES : scopes;
    return { workspaceId, scopes: new Set(all), actor: `key ${name}` };
  }

  /** `workspaceId`: the one he wants to work in; his first one unless he says. Undefined: not logged in, or not there. */
  async ofSession(token: string, workspaceId?: number): Promise<Principal | undefined> {
    const hash = hashToken(token);
    const session = await this.store.read(findSession(this.store, hash));
    if (!session) return undefined;
    const now = Date.now();
    if (now - session.seenAt > IDLE_MS || now - session.createdAt > LONGEST_SESSION_MS) {
      await this.store.transaction(endSession(this.store, hash));
      return undefined;
    }
    if (now - session.seenAt > NOTE_EVERY_MS)
      await this.store.transaction(touchSession(this.store, hash, now));
    const memberships = await this.store.read(membershipsOf(this.store, session.userId));
    const here =
      workspaceId === undefined
        ? memberships[0]
        : memberships.find((membership) => membership.workspaceId === workspaceId);
    if (!here) return undefined;
    const { userId, email } = session;
    return {
      workspaceId: here.workspaceId,
      scopes: new Set(scopesOfRole(here.role)),
      actor: email,
      person: { userId, email, role: here.role, memberships, csrfToken: csrfTokenOf(token) },
    };
  }

  /** The token of a new session. Throws `too_many_attempts` or `wrong_credentials`, the same for whoever is unknown. */
  async logIn(email: string, password: string, place: string): Promise<string> {
    const now = Date.now();
    const address = email.toLowerCase();
    await this.#throttle(`email ${address}`, FAILURES_OF_ADDRESS, now);
    await this.#throttle(`place ${place}`, FAILURES_OF_PLACE, now);
    const user = await this.store.read(findUserByEmail(this.store, address));
    if (!(await verifyPassword(password, user?.password))) {
      for (const subject of [`email ${address}`, `place ${place}`]) {
        await this.store.transaction(noteLoginFailure(this.store, subject, now, THROTTLE_WINDOW_MS));
      }
      throw new PillarboxError('wrong_credentials', 'the address or the password is wrong');
    }
    const token = makeToken();
    await this.store.transaction(addSession(this.store, hashToken(token), (user as { id: number }).id, now));
    await this.store.transaction(forgetLoginFailures(this.store, `email ${address}`));
    return token;
  }

  async logOut(token: string): Promise<void> {
    await this.store.transaction(endSession(this.store, hashToken(token)));
  }

  async #throttle(subject: string, limit: number, now: number): Promise<void> {
    const since = now - THROTTLE_WINDOW_MS;
    const oldest = await this.store.read(tooManyFailures(this.store, subject, limit, since));
    if (oldest === undefined) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest + THROTTLE_WINDOW_MS - now) / 1_000));
    throw new PillarboxError('too_many_attempts', 'too many failed log-ins; wait a while', {
      retryAfterSeconds,
    });
  }

  async #noteUse(id: number): Promise<void> {
    const now = Date.now();
    if (now - (this.#keysNoted.get(id) ?? 0) < NOTE_EVERY_MS) return;
    this.#keysNoted.set(id, now);
    await this.store.transaction(noteKeyUse(this.store, id, now)).catch(() => undefined);
  }
}
