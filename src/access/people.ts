import type { Role } from '../core/access.js';
import { ADDRESS_FAULT_TEXT, parseAddress } from '../core/address.js';
import { invalidInput, PillarboxError } from '../errors.js';
import {
  addMember,
  changePassword,
  changeRole,
  countAdmins,
  findMember,
  findUserByEmail,
  membershipsOf,
  removeMember,
  type Member,
} from '../store/scripts/users.js';
import { lockWorkspace } from '../store/scripts/workspaces.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import type { Principal } from './gatekeeper.js';
import { checkPassword, hashPassword } from './password.js';
import { personOf } from './person.js';
import { makeToken } from './token.js';

export interface Newcomer {
  readonly email: string;
  readonly password?: string | undefined;
  readonly role: Role;
}

export interface Joined {
  readonly member: Member;
  /** Made because none was given; nobody can read it again. */
  readonly password: string | undefined;
  /** Has an account through another workspace already, and goes on logging in as before. */
  readonly knownBefore: boolean;
}

/** The people of one workspace, as one of its administrators changes them. */
export class People {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly by: Principal,
  ) {}

  /** Throws `conflict` for whoever is a member. */
  async add({ email, password, role }: Newcomer): Promise<Joined> {
    const address = checkAddress(email);
    const given = password ?? makeToken();
    const hash = await hashPassword(checkPassword(given));
    const { member, knownBefore } = await this.store.transaction(
      this.#join({ email: address, hash, role }, password !== undefined, await this.store.now()),
    );
    const made = password === undefined && !knownBefore;
    return { member, knownBefore, password: made ? given : undefined };
  }

  async find(userId: number | undefined): Promise<Member> {
    if (userId === undefined) return nobody();
    return (await this.store.read(findMember(this.store, this.workspaceId, userId))) ?? nobody();
  }

  /** A new password ends all sessions of that person. */
  async change(
    userId: number | undefined,
    { role, password }: { role?: Role | undefined; password?: string | undefined },
  ): Promise<Member> {
    // Known before the costly part: a stranger's id costs nothing.
    const { id } = await this.find(userId);
    const hash = password === undefined ? undefined : await hashPassword(checkPassword(password));
    return this.store.transaction(this.#change(id, role, hash));
  }

  async remove(userId: number | undefined): Promise<Member> {
    const { id } = await this.find(userId);
    return this.store.transaction(this.#remove(id));
  }

  *#join(
    { email, hash, role }: { email: string; hash: string; role: Role },
    passwordGiven: boolean,
    now: number,
  ): Script<{ member: Member; knownBefore: boolean }> {
    const { store, workspaceId } = this;
    const known = yield* findUserByEmail(store, email);
    const member = yield* addMember(store, workspaceId, { email, password: hash, role }, now);
    if (!member) throw new PillarboxError('conflict', `${email} is a member of this workspace already`);
    // One workspace's administrator must not take over someone of another by adding him with a new password.
    if (known && passwordGiven && this.by.administersInstallation)
      yield* changePassword(store, known.id, hash);
    return { member, knownBefore: known !== undefined };
  }

  *#change(userId: number, role: Role | undefined, hash: string | undefined): Script<Member> {
    const { store, workspaceId } = this;
    yield* lockWorkspace(store, workspaceId);
    const member = (yield* findMember(store, workspaceId, userId)) ?? nobody();
    if (role !== undefined && role !== member.role) {
      yield* this.#keepAnAdmin(member);
      yield* changeRole(store, workspaceId, userId, role);
    }
    if (hash !== undefined) {
      yield* this.#mayGivePassword(userId);
      yield* changePassword(store, userId, hash);
    }
    return { ...member, role: role ?? member.role };
  }

  *#remove(userId: number): Script<Member> {
    const { store, workspaceId } = this;
    yield* lockWorkspace(store, workspaceId);
    const member = (yield* findMember(store, workspaceId, userId)) ?? nobody();
    yield* this.#keepAnAdmin(member);
    yield* removeMember(store, workspaceId, userId);
    return member;
  }

  *#keepAnAdmin({ role, email }: Member): Script<void> {
    if (role !== 'admin' || (yield* countAdmins(this.store, this.workspaceId)) > 1) return;
    throw new PillarboxError('conflict', `${email} is the last admin of this workspace: make another first`);
  }

  /** Whoever knows a password has all that its owner has, so only those may set it who have that anyway. */
  *#mayGivePassword(userId: number): Script<void> {
    if (this.by.administersInstallation || this.by.person?.userId === userId) return;
    const memberships = yield* membershipsOf(this.store, userId);
    if (memberships.every(({ workspaceId }) => workspaceId === this.workspaceId)) return;
    throw new PillarboxError(
      'forbidden',
      'this person belongs to other workspaces too: only he himself or an administrator of the installation can change the password',
    );
  }
}

function nobody(): never {
  throw new PillarboxError('not_found', 'there is no such person in this workspace');
}

function checkAddress(email: string): string {
  const parsed = parseAddress(email);
  if ('fault' in parsed) throw invalidInput('email', ADDRESS_FAULT_TEXT[parsed.fault]);
  return personOf(parsed.address);
}
