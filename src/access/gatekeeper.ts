import { scopesOfRole, SCOPES, type Role, type Scope } from '../core/access.js';
import { isOutage } from '../core/errors.js';
import { findApiKey, noteKeyUse } from '../store/scripts/api-keys.js';
import { endSession, findSession, touchSession } from '../store/scripts/sessions.js';
import { membershipsOf, type Membership } from '../store/scripts/users.js';
import { findWorkspace } from '../store/scripts/workspaces.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { Invitations } from './invitations.js';
import { LogIns } from './log-ins.js';
import { OwnSessions } from './own-sessions.js';
import { Passwords } from './password.js';
import { isOver } from './session-age.js';
import { csrfTokenOf, hashToken } from './token.js';

/** Who is asking, for which workspace, and what he may do there. */
export interface Principal {
  readonly workspaceId: number;
  readonly scopes: ReadonlySet<Scope>;
  /** May administer the installation's first workspace, and through it all others. */
  readonly administersInstallation: boolean;
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
/** A use is noted once a minute at most: it is for people to look at. */
const NOTE_EVERY_MS = MINUTE_MS;

/** Tells who is asking. Keys and sessions are looked up each time, so a revoked one ends at once, everywhere. */
export class Gatekeeper {
  readonly #keysNoted = new Map<number, number>();
  readonly #logIns: LogIns;
  readonly invitations: Invitations;

  constructor(
    private readonly store: Store,
    /** The installation's first workspace: whoever administers it administers the installation. */
    private readonly homeId: number,
    /** By which sessions and invitations end. Real time, whatever the clock of the installation says. */
    private readonly now: () => number = Date.now,
    readonly passwords = new Passwords(),
  ) {
    this.#logIns = new LogIns(store, passwords);
    this.invitations = new Invitations(store, homeId, now, passwords);
  }

  async ofKey(key: string): Promise<Principal | undefined> {
    const found = await this.store.read(findApiKey(this.store, hashToken(key)));
    if (!found) return undefined;
    const { id, workspaceId, name, scopes, expiresAt } = found;
    if (expiresAt !== null && expiresAt <= (await this.store.now())) return undefined;
    await this.#noteUse(id);
    // Whoever may administer may do everything.
    const isAdmin = scopes.includes('admin');
    return {
      workspaceId,
      scopes: new Set(isAdmin ? SCOPES : scopes),
      administersInstallation: isAdmin && workspaceId === this.homeId,
      actor: `key ${name}`,
    };
  }

  /**
   * In his first workspace. Undefined: not logged in, or not any more. `attended`: a person has caused this, so it is
   * a sign of life; an open page that asks by itself is none.
   */
  async ofSession(token: string, attended = true): Promise<Principal | undefined> {
    const hash = hashToken(token);
    const session = await this.store.read(findSession(this.store, hash));
    if (!session) return undefined;
    const now = this.now();
    if (isOver(session, now)) {
      await this.#ifItCan(() => endSession(this.store, hash));
      return undefined;
    }
    if (attended && now - session.seenAt > NOTE_EVERY_MS) {
      await this.#ifItCan(() => touchSession(this.store, hash, now));
    }
    const memberships = await this.store.read(membershipsOf(this.store, session.userId));
    const [first] = memberships;
    if (!first) return undefined;
    const administersInstallation = memberships.some(
      (each) => each.workspaceId === this.homeId && each.role === 'admin',
    );
    const role = administersInstallation ? 'admin' : first.role;
    const { userId, email } = session;
    return {
      workspaceId: first.workspaceId,
      scopes: new Set(scopesOfRole(role)),
      administersInstallation,
      actor: email,
      person: { userId, email, role, memberships, csrfToken: csrfTokenOf(token) },
    };
  }

  /** The same one in another workspace. Undefined: he has no business there, or there is none. A key has only one. */
  async inWorkspace(principal: Principal, workspaceId: number): Promise<Principal | undefined> {
    const { person, administersInstallation } = principal;
    if (!person) return principal.workspaceId === workspaceId ? principal : undefined;
    const membership = person.memberships.find((each) => each.workspaceId === workspaceId);
    const mayEnter =
      membership !== undefined ||
      (administersInstallation && (await this.store.read(findWorkspace(this.store, workspaceId))));
    if (!mayEnter) return undefined;
    const role = membership && !administersInstallation ? membership.role : 'admin';
    return { ...principal, workspaceId, scopes: new Set(scopesOfRole(role)), person: { ...person, role } };
  }

  /** The token of a new session. Throws `too_many_attempts` or `wrong_credentials`, the same for whoever is unknown. */
  logIn(email: string, password: string, place: string): Promise<string> {
    return this.#logIns.make(email, password, place);
  }

  /**
   * A person gives himself another password, knowing the present one. All his other sessions end. Throws as `logIn`
   * does, and counts as one: who has got hold of a session must not guess here either.
   */
  changeOwnPassword(
    { email }: Person,
    change: { readonly current: string; readonly password: string },
    token: string,
    place: string,
  ): Promise<void> {
    return this.#logIns.changePassword(email, change, hashToken(token), place);
  }

  /** Where this person is logged in. */
  sessionsOf({ userId }: Person, token: string): OwnSessions {
    return new OwnSessions(this.store, userId, token, this.now);
  }

  async logOut(token: string): Promise<void> {
    await this.store.transaction(() => endSession(this.store, hashToken(token)));
  }

  async #noteUse(id: number): Promise<void> {
    const now = Date.now();
    if (now - (this.#keysNoted.get(id) ?? 0) < NOTE_EVERY_MS) return;
    this.#keysNoted.set(id, now);
    const usedAt = await this.store.now();
    await this.#ifItCan(() => noteKeyUse(this.store, id, usedAt));
  }

  /** Whoever asks must not be refused because a note about it could not be written: a full disk can still be read. */
  async #ifItCan(note: () => Script<void>): Promise<void> {
    try {
      await this.store.transaction(note);
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
  }
}
