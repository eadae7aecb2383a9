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

/** Fewer characters can be guessed, also where nobody counts the tries. */
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 1_000;

export const LONGEST_NAME = 100;

/** What is wrong with the name of a workspace or of a key, which people see in lists and type on a command line. */
export function nameFault(name: string): string | undefined {
  if (name.length < 1 || name.length > LONGEST_NAME) return `should be 1 to ${LONGEST_NAME} characters`;
  if (name.trim() !== name) return 'should not begin or end with a blank';
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'should be one line of visible characters';
  return name.isWellFormed() ? undefined : 'holds half of a surrogate pair';
}
