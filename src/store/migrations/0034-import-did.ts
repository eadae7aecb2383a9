import type { DefinitionDialect } from './dialect.js';

/** What the line that a contact was last named in did to it, in words. */
export const importDid = ({ at }: DefinitionDialect): string[] => [
  `alter table ${at('contacts')} add column import_did text`,
];
