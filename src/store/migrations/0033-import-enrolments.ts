import type { DefinitionDialect } from './dialect.js';

/** The campaign that the people of a file are put into; null: none. And how many were, or no more could be. */
export const importEnrolments = ({ at, bigint, integer }: DefinitionDialect): string[] => [
  `alter table ${at('imports')} add column campaign_id ${bigint}`,
  ...['enrolled', 'not_enrolled'].map(
    (column) => `alter table ${at('imports')} add column ${column} ${integer} not null default 0`,
  ),
];
