/**
 * Whoever hands out a password, or a link to set one, could have used it himself. So he vouches for whoever comes in
 * with it, and his word reaches as far as his own rights: that of a workspace's administrator into that workspace,
 * that of an administrator of the installation everywhere. What a person changes later does not widen it, because
 * nobody knows whether it was he who changed it.
 *
 * From this follows: somebody whom one workspace vouches for is a member of that workspace and of no other.
 */
export type Voucher = 'installation' | 'workspace';

/** How somebody who is known stands, when he is added to another workspace. */
export interface Standing {
  /** It is he himself who does it: he gains nothing, and must not get another password by it. */
  readonly isSelf: boolean;
  /** The present password is one that he chose himself. */
  readonly own: boolean;
  /** `workspace` also where nobody knows. */
  readonly voucher: Voucher;
}

/**
 * `stays`: he becomes a member, and signs in as before. `anew`: password, sessions and open invitations end, and he is
 * let in anew by whoever adds him. `refused`: it is not for this administrator to add him.
 */
export type Joining = 'stays' | 'anew' | 'refused';

export function joiningOf({ isSelf, own, voucher }: Standing, by: Voucher): Joining {
  // Neither may he get a link that opens another workspace, nor let in whom another workspace vouches for, nor lock
  // anybody out of it.
  if (by === 'workspace') return voucher === 'installation' ? 'stays' : 'refused';
  return isSelf || (own && voucher === 'installation') ? 'stays' : 'anew';
}

/** Why somebody may not be given another password or a new invitation. Undefined: he may. */
export function renewalFault(
  by: Voucher,
  {
    isSelf,
    own,
    elsewhere,
  }: { readonly isSelf: boolean; readonly own: boolean; readonly elsewhere: boolean },
): string | undefined {
  if (isSelf) return OWN_CHANGE;
  if (by === 'installation') return undefined;
  if (elsewhere) return ELSEWHERE;
  return own ? OWN_PASSWORD : undefined;
}

const OWN_CHANGE =
  'your own password is changed with POST /api/auth/password, which asks for the present one (Settings, You)';
const ELSEWHERE =
  'this person belongs to other workspaces too: only he himself or an administrator of the installation can change the password';
const OWN_PASSWORD =
  'this person has chosen a password of his own: ask an administrator of the installation for a new invitation, or remove him and add him again';
