/** What a request may do. A key is given some of them; a person has those of a role. */
export const SCOPES = ['send', 'read', 'operate', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const SCOPES_OF_ROLE: Record<Role, readonly Scope[]> = {
  viewer: ['read'],
  operator: ['read', 'send', 'operate'],
  admin: SCOPES,
};

export const scopesOfRole = (role: Role): readonly Scope[] => SCOPES_OF_ROLE[role];
