import type { Person } from '../access/gatekeeper.js';
import type { OwnSession as KnownSession } from '../access/own-sessions.js';
import { formatId } from '../core/ids.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso } from './instant.js';
import { figure, flag, instant, list, nullable, optional, text } from './shape.js';
import { RoleWord, ScopeWord } from './words.js';

const User = Type.Object({ id: text('usr_1'), email: text('ada@example.org'), role: RoleWord });
const Memberships = list(Type.Object({ id: text('wsp_1'), name: text('Harbour Rooms'), role: RoleWord }));

/** Of whoever has just come in. */
export const Session = Type.Object(
  {
    user: User,
    workspaces: Memberships,
    csrfToken: text('c3RhdGUgb2YgYWZmYWlycw', 'Goes as X-CSRF-Token with every write of this session.'),
  },
  { title: 'Session' },
);
export type Session = Static<typeof Session>;

const Installation = Type.Object({
  version: text('0.1.0'),
  demo: flag(false, 'What is shown was made up, and nothing leaves this machine.'),
  inbox: flag(true, 'The built-in catcher runs, and this workspace may read what it took.'),
  clock: Type.Object(
    { now: instant(), speed: figure(1) },
    { description: 'Pages tick with this one: machines differ, and a demonstration may run faster.' },
  ),
});

export const Me = Type.Object(
  {
    workspaceId: text('wsp_1'),
    scopes: list(ScopeWord),
    administersInstallation: flag(true),
    user: nullable(User, 'Null: a key, not a person.', {
      id: 'usr_1',
      email: 'ada@example.org',
      role: 'admin',
    }),
    workspaces: optional(Memberships),
    csrfToken: optional(Session.properties.csrfToken),
    key: Type.Optional(Type.String({ description: 'Of a key: its name.' })),
    installation: Installation,
  },
  { title: 'Me' },
);
export type Me = Static<typeof Me>;

/** One place where somebody is logged in. */
export const OwnSession = Type.Object(
  {
    id: text('ses_2k4'),
    createdAt: instant(),
    lastSeenAt: instant('To the minute.'),
    current: flag(true, 'The one that asks.'),
  },
  { title: 'OwnSession' },
);
export type OwnSession = Static<typeof OwnSession>;

/** Whom an invitation is for. */
export const Invited = Type.Object(
  { email: text('grace@example.org'), expiresAt: instant() },
  { title: 'Invited' },
);

export const presentSession = ({ userId, email, role, memberships, csrfToken }: Person): Session => ({
  user: { id: formatId('user', userId), email, role },
  workspaces: memberships.map((membership) => ({
    id: formatId('workspace', membership.workspaceId),
    name: membership.workspaceName,
    role: membership.role,
  })),
  csrfToken,
});

export const presentOwnSession = ({ id, createdAt, seenAt, current }: KnownSession): OwnSession => ({
  id,
  createdAt: iso(createdAt),
  lastSeenAt: iso(seenAt),
  current,
});
