import { formatId } from '../core/ids.js';
import type { ListedMember } from '../store/scripts/users.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso } from './instant.js';
import { flag, instant, nullable, text, word } from './shape.js';
import { RoleWord } from './words.js';

const fields = {
  id: text('usr_3'),
  email: text('grace@example.org'),
  role: RoleWord,
  workspaceId: text('wsp_1'),
  createdAt: instant(),
  status: word(['active', 'invited', 'locked_out'], {
    description: '`invited`: not yet in, but the invitation is good. `locked_out`: needs a new one.',
  }),
};

export const Member = Type.Object(
  {
    ...fields,
    invitation: nullable(Type.Object({ expiresAt: instant() }), 'Null: there is none, or it is over.'),
  },
  { title: 'Member' },
);
export type Member = Static<typeof Member>;

const Invitation = Type.Object({
  url: text('https://mail.example.org/invitation#2b7f3c', 'The way in, which is shown this once.'),
  expiresAt: instant(),
});

export const InvitedMember = Type.Object({ ...fields, invitation: Invitation }, { title: 'InvitedMember' });

export const AddedMember = Type.Object(
  {
    ...fields,
    knownBefore: flag(false, 'Goes on signing in as before; a password that was given was not taken.'),
    invitation: nullable(Invitation, 'Null: signs in with a password.', {
      url: 'https://mail.example.org/invitation#2b7f3c',
      expiresAt: '2026-11-23T14:00:00.000Z',
    }),
  },
  { title: 'AddedMember' },
);

/** `invited`: not yet in, but his invitation is good. `locked_out`: he needs a new one. */
export function presentMember(
  { id, email, role, createdAt, hasPassword, invitedUntil }: ListedMember,
  workspaceId: number,
): Member {
  // Real time, as sessions.
  const open = invitedUntil !== null && invitedUntil > Date.now();
  return {
    id: formatId('user', id),
    email,
    role,
    workspaceId: formatId('workspace', workspaceId),
    createdAt: iso(createdAt),
    status: hasPassword ? 'active' : open ? 'invited' : 'locked_out',
    invitation: open ? { expiresAt: iso(invitedUntil) } : null,
  };
}
