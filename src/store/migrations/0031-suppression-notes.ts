import type { DefinitionDialect } from './dialect.js';
import type { LargeIndex } from './parts.js';

/** What was said when an address was suppressed, and by whom: "asked by letter", jonas@. Older rows know neither. */
export const suppressionNotes = ({ at }: DefinitionDialect): string[] =>
  ['note', 'actor'].map((column) => `alter table ${at('suppressions')} add column ${column} text`);

/** The newest first, of all or of one reason; and how many there are of each without reading the rows. */
export const suppressionIndexes = ({ at, byteOrder }: DefinitionDialect): readonly LargeIndex[] => [
  {
    name: 'suppressions_newest',
    on: `${at('suppressions')} (workspace_id, created_at, address ${byteOrder})`,
  },
  {
    name: 'suppressions_reason',
    on: `${at('suppressions')} (workspace_id, reason, created_at, address ${byteOrder})`,
  },
];
