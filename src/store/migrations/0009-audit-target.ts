import type { DefinitionDialect } from './dialect.js';

/** What was done to one thing is found without reading what was done to all others. */
export const auditTarget = ({ at }: DefinitionDialect): string[] => [
  `create index audit_target on ${at('audit')} (workspace_id, target, id)`,
];
