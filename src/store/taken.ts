const UNIQUE_VIOLATION = '23505';

/** Somebody else wrote the same name, address or key between a look and a write. On SQLite nobody can. */
export const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === UNIQUE_VIOLATION;
