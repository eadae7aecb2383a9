import type { DefinitionDialect } from './dialect.js';

/** How an account signs its mail: domain, selector, what DNS must say, and the key, sealed. Null: it does not. */
export const dkim = ({ at }: DefinitionDialect): string[] => [
  `alter table ${at('accounts')} add column dkim text`,
];
