import type { DefinitionDialect } from './dialect.js';

/** An account that was removed stays as a row without credentials: finished messages and attempts speak of it. */
export const accounts = ({ at, bigint }: DefinitionDialect): string[] => [
  `alter table ${at('accounts')} add column removed_at ${bigint}`,
];
