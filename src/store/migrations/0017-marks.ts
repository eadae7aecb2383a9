import type { DefinitionDialect } from './dialect.js';

/**
 * The number by which the call that stored a message finds it again if the answer to it was lost. Without an index:
 * it is looked for among the newest rows, and only then. Why: docs/decisions/0012.
 */
export const marks = ({ at, bigint }: DefinitionDialect): string[] => [
  `alter table ${at('messages')} add column mark ${bigint}`,
];
