import type { Role } from '../core/access.js';
import { ADDRESS_FAULT_TEXT, parseAddress } from '../core/address.js';
import { joiningOf, renewalFault, type Voucher } from '../core/vouching.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { addInvitation, withdrawInvitations } from '../store/scripts/invitations.js';
import {
  changeRole,
  countAdmins,
  ensureUser,
  findMember,
  joinWorkspace,
  lockUser,
  membershipsOf,
  removeMember,
  setPassword,
  type KnownUser,
  type ListedMember,
  type Member,
} from '../store/scripts/users.js';
import { lockWorkspace } from '../store/scripts/workspaces.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import type { Principal } from './gatekeeper.js';
import { INVITATION_DAYS, isVouchedFor } from './invitations.js';
import { checkPassword, Passwords } from './password.js';
import { personOf } from './person.js';
import { hashToken, makeToken } from './token.js';

export interface Newcomer {
  readonly email: string;
  readonly password?: string | undefined;
  readonly role: Role;
}

/** The only moment at which anybody sees the token. */
export interface MadeInvitation {
  readonly token: string;
  readonly expiresAt: number;
}

export interface Joined {
  readonly member: ListedMember;
  /** Undefined: signs in with the password that was given, or as before. */
  readonly invitation: MadeInvitation | undefined;
  /** Goes on signing in as before; a password that was given was not taken. */
  readonly knownBefore: boolean;
}

export interface Renewed {
  readonly member: ListedMember;
  readonly invitation: MadeInvitation;
}

const DAY_MS = 24 * 3_600_000;

/** The people of one workspace, as one of its administrators changes them. Who may what: `core/vouching.ts`. */
export class People {
  readonly #voucher: Voucher;

  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly by: Principal,
    /** The installation's first workspace: its administrators vouch for the installation. */
    private readonly homeId: number,
    private readonly passwords = new Passwords(),
  ) {
    this.#voucher = by.administersInstallation ? 'installation' : 'workspace';
  }

  /** Throws `conflict` for whoever is a member, or can't be added by this administrator. */
  async add({ email, password, role }: Newcomer): Promise<Joined> {
    const address = checkAddress(email);
    const hash = password === undefined ? undefined : await this.passwords.hash(checkPassword(password));
    const now = await this.store.now();
    return this.store.transaction(() => this.#join(address, role, hash, now));
  }

  async find(userId: number | undefined): Promise<ListedMember> {
    if (userId === undefined) return nobody();
    return (await this.store.read(findMember(this.store, this.workspaceId, userId))) ?? nobody();
  }

  /** A new password ends all sessions of that person. */
  async change(
    userId: number | undefined,
    { role, password }: { role?: Role | undefined; password?: string | undefined },
  ): Promise<ListedMember> {
    // Known before the costly part: a stranger's id costs nothing.
    const { id } = await this.find(userId);
    const hash = password === undefined ? undefined : await this.passwords.hash(checkPassword(password));
    return this.store.transaction(() => this.#change(id, role, hash));
  }

  /** A new way in: the present password, all sessions and the invitation of before end. */
  async invite(userId: number | undefined): Promise<Renewed> {
    const { id } = await this.find(userId);
    return this.store.transaction(() => this.#renew(id));
  }

  async remove(userId: number | undefined): Promise<ListedMember> {
    const { id } = await this.find(userId);
    return this.store.transaction(() => this.#remove(id));
  }

  *#join(email: string, role: Role, hash: string | undefined, now: number): Script<Joined> {
    const { store, workspaceId } = this;
    const known = yield* ensureUser(store, email, now);
    if (!known) throw new PillarboxError('conflict', `${email} was removed at this moment: try again`);
    const { user, made } = known;
    const joined = yield* joinWorkspace(store, workspaceId, user, role);
    if (!joined) throw new PillarboxError('conflict', `${email} is a member of this workspace already`);
    const joining = made ? 'anew' : yield* this.#joiningOf(user);
    if (joining === 'refused') throw new PillarboxError('conflict', OF_ANOTHER);
    const knownBefore = joining === 'stays';
    if (!knownBefore && hash !== undefined) yield* this.#givePassword(user.id, hash);
    const invitation = knownBefore || hash !== undefined ? undefined : yield* this.#invite(user.id);
    return { member: yield* this.#member(user.id), invitation, knownBefore };
  }

  *#joiningOf(user: KnownUser) {
    const own = user.password !== null && user.password === user.ownPassword;
    const vouched = yield* isVouchedFor(this.store, this.homeId, user);
    const voucher = vouched ? 'installation' : 'workspace';
    return joiningOf({ isSelf: this.#isSelf(user), own, voucher }, this.#voucher);
  }

  *#change(userId: number, role: Role | undefined, hash: string | undefined): Script<ListedMember> {
    const { store, workspaceId } = this;
    yield* lockWorkspace(store, workspaceId);
    const member = yield* this.#member(userId);
    if (role !== undefined && role !== member.role) {
      yield* this.#stopAdministering(member);
      yield* changeRole(store, workspaceId, userId, role);
    }
    if (hash !== undefined) {
      yield* this.#mayRenew(member);
      yield* this.#givePassword(userId, hash);
    }
    return yield* this.#member(userId);
  }

  *#renew(userId: number): Script<Renewed> {
    yield* lockWorkspace(this.store, this.workspaceId);
    yield* this.#mayRenew(yield* this.#member(userId));
    const invitation = yield* this.#invite(userId);
    return { member: yield* this.#member(userId), invitation };
  }

  *#remove(userId: number): Script<ListedMember> {
    const { store, workspaceId } = this;
    yield* lockWorkspace(store, workspaceId);
    const member = yield* this.#member(userId);
    yield* this.#stopAdministering(member);
    yield* removeMember(store, workspaceId, userId);
    return member;
  }

  *#givePassword(userId: number, hash: string): Script<void> {
    const vouched = this.#voucher === 'installation';
    yield* setPassword(this.store, userId, hash, { own: false, vouched });
  }

  *#invite(userId: number): Script<MadeInvitation> {
    const { store, by } = this;
    const token = makeToken();
    const now = Date.now();
    const expiresAt = now + INVITATION_DAYS * DAY_MS;
    const workspaceId = this.#voucher === 'installation' ? this.homeId : this.workspaceId;
    yield* setPassword(store, userId, null, { own: false, vouched: false });
    const madeBy = by.person?.userId;
    yield* addInvitation(store, { userId, hash: hashToken(token), workspaceId, madeBy, expiresAt }, now);
    return { token, expiresAt };
  }

  *#member(userId: number): Script<ListedMember> {
    return (yield* findMember(this.store, this.workspaceId, userId)) ?? nobody();
  }

  /** The last administrator goes on. With any other go the links that he has seen. */
  *#stopAdministering({ id, role, email }: Member): Script<void> {
    if (role !== 'admin') return;
    if ((yield* countAdmins(this.store, this.workspaceId)) < 2) {
      throw new PillarboxError(
        'conflict',
        `${email} is the last admin of this workspace: make another first`,
      );
    }
    yield* withdrawInvitations(this.store, id, this.workspaceId);
  }

  #isSelf({ id }: KnownUser): boolean {
    return this.by.person?.userId === id;
  }

  /** Whoever knows a password has all that its owner has, so only those may set it who have that anyway. */
  *#mayRenew({ id, email }: Member): Script<void> {
    const user = (yield* lockUser(this.store, email)) ?? nobody();
    const memberships = yield* membershipsOf(this.store, id);
    const fault = renewalFault(this.#voucher, {
      isSelf: this.#isSelf(user),
      own: user.password !== null && user.password === user.ownPassword,
      elsewhere: memberships.some(({ workspaceId }) => workspaceId !== this.workspaceId),
    });
    if (fault !== undefined) throw new PillarboxError('forbidden', fault);
  }
}

const OF_ANOTHER =
  'this address is known here through another workspace: ask an administrator of the installation to add it';

function nobody(): never {
  throw new PillarboxError('not_found', 'there is no such person in this workspace');
}

function checkAddress(email: string): string {
  const parsed = parseAddress(email);
  if ('fault' in parsed) throw invalidInput('email', ADDRESS_FAULT_TEXT[parsed.fault]);
  return personOf(parsed.address);
}
